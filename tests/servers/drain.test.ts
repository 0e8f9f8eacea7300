import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant } from "@/tests/support/factory";
import { launch } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";
import { samples } from "@/tests/support/samples";

it("finishes running work after SIGTERM, accepts nothing new, and exits with 0", async () => {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  Object.assign(process.env, settings); // before the first query
  const server = await launch(settings);
  const { key, businessId } = await createMerchant();
  const body = JSON.stringify(await samples.packages.create.body());
  const { hostname, port } = new URL(server.url);

  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(
    `POST /api/packages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  await sleep(200);
  const stopped = server.stop();
  const refuses = () =>
    fetch(`${server.url}/healthz`, { headers: { Connection: "close" } }).then(
      () => false,
      () => true,
    );
  await expect.poll(refuses).toBe(true);
  socket.write(body.slice(10));
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  expect(await stopped).toBe(0);
  // What was still to be remembered of it is written before the end.
  expect(await db.apiRequest.findMany({ where: { business_id: businessId } })).toMatchObject([
    { method: "POST", path: "/packages", status: 200 },
  ]);
});
