import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { childrenOf } from "@/tests/support/children";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { launch, paydeskWeb, paydeskWorker } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";

/** Resident memory, MB (proc(5)). */
const memoryOf = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

it.each(["main", "framework"])(
  "the bundle %s is ASCII: otherwise V8 keeps it with two bytes for each character",
  (name) => {
    const other = readFileSync(`dist/${name}.mjs`, "utf8").match(/[\u0080-\uffff]/g);
    expect(other).toBeNull();
  },
);

// Without the options of `npm start`, Node 24 keeps 400 MB after this many requests.
it.runIf(process.platform === "linux")(
  "a web process stays below 250 MB under load, and a worker below 200",
  async () => {
    const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
    Object.assign(process.env, settings); // before the first query
    const limit = { RATE_LIMIT_PER_MINUTE: "10000000" };
    const [server, worker] = await Promise.all([
      launch({ ...settings, ...limit }, paydeskWeb),
      launch(settings, paydeskWorker),
    ]);
    try {
      process.env.TEST_URL = server.url;
      const { key } = await createMerchant();
      const link = { email: "ada@example.com", currency: "EUR", amount: 1050, title: "Order 1001" };
      for (let n = 0; n < 25; n++) await call("POST", "/payment-links", { key, body: link });
      expect((await fetch(`${server.url}/login`)).status).toBe(200);
      const agent = new Agent({ keepAlive: true });
      const options = { agent, headers: { Authorization: `Bearer ${key}` } };
      const caller = async () => {
        for (let n = 0; n < 250; n++) {
          const [response] = (await once(get(`${server.url}/api/payment-links`, options), "response")) as [
            IncomingMessage,
          ];
          expect(response.statusCode).toBe(200);
          await once(response.resume(), "end");
        }
      };
      await Promise.all(Array.from({ length: 16 }, caller));
      agent.destroy();
      const [pages] = childrenOf(server.pid);
      expect(memoryOf(server.pid)).toBeLessThan(250);
      expect(memoryOf(pages?.pid ?? 0)).toBeLessThan(250);
      expect(memoryOf(worker.pid)).toBeLessThan(200);
    } finally {
      await Promise.all([server.stop(), worker.stop()]);
    }
  },
);
