import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { childrenOf } from "@/tests/support/children";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";

// Next renders the dashboard's pages in a process of its own (server/pages.ts).

it("starts with the first page, is replaced when it dies or is stuck, and ends with the server, also after SIGKILL", async () => {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  Object.assign(process.env, settings); // before the first query
  const server = await launch(settings, paydeskWeb);
  process.env.TEST_URL = server.url;
  const { key } = await createMerchant();
  const page = async () => (await fetch(`${server.url}/login`)).status;
  const api = async () => (await call("GET", "/payment-links", { key })).status;
  try {
    expect(await api()).toBe(200);
    expect(childrenOf(server.pid)).toEqual([]);

    expect(await page()).toBe(200);
    const [first] = childrenOf(server.pid);
    const socket = first?.args.find((argument) => argument.endsWith("/pages")) ?? "";
    expect(statSync(dirname(socket)).mode & 0o077).toBe(0); // nobody else can connect

    process.kill(first?.pid ?? 0, "SIGSTOP");
    const late = await fetch(`${server.url}/login`);
    expect([late.status, late.headers.get("retry-after")]).toEqual([503, "1"]);
    await expect.poll(() => childrenOf(server.pid).some(({ pid }) => pid === first?.pid)).toBe(false);

    await expect.poll(page).toBe(200); // 503 until the server has noticed
    const [second] = childrenOf(server.pid);
    process.kill(second?.pid ?? 0, "SIGKILL");
    const seen = new Set<number>();
    await expect
      .poll(
        async () => {
          expect(await api()).toBe(200);
          const status = await page();
          seen.add(status);
          return status;
        },
        { timeout: 20_000 },
      )
      .toBe(200);
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(existsSync(socket)).toBe(false);
    const left = childrenOf(server.pid);
    expect(left).toHaveLength(1);
    await server.kill();
    await expect.poll(() => left.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(
      left.flatMap(({ args }) => args.filter((argument) => argument.endsWith("/pages") && existsSync(argument))),
    ).toEqual([]);
  } finally {
    await server.kill();
  }
});
