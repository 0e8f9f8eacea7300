import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { freePort, type Launched, launch, paydeskWeb, paydeskWorker } from "@/tests/support/launch";
import { hasNginx, startNginx } from "@/tests/support/nginx";
import { createDatabase } from "@/tests/support/postgres";
import { fault, full, type Outcome } from "./fault";
import { judge, settled } from "./judge";
import { type Kind, startLoad } from "./load";
import { startProxy } from "./proxy";
import { random } from "./seeded";

/** As deploy/nginx has it: the proxy keeps idle connections for less time than a server that stops. */
const drainSeconds = full ? 5 : 2;
const idleMs = full ? 4_000 : 500;
/** A caller's pause between two requests. */
const pauseMs = full ? 0 : 50;
const kinds: Kind[] = ["create", "create with a key", "pay", "get", "list", "list as staff", "page of a link"];

let settings: Record<string, string>;
let ports: number[];
let servers: Launched[];
let worker: Launched;

const start = (index: number, drain = drainSeconds) =>
  launch({ ...settings, PORT: String(ports[index]), DRAIN_SECONDS: String(drain) }, paydeskWeb);

beforeAll(async () => {
  ports = [await freePort(), await freePort()];
  settings = {
    DATABASE_URL: await createDatabase(),
    APP_SECRET: randomBytes(32).toString("base64url"),
    RATE_LIMIT_PER_MINUTE: "1000000",
    TRUST_PROXY: "1",
    APP_URL: `http://localhost:${ports[0]}`,
  };
  Object.assign(process.env, settings);
  servers = await Promise.all([start(0), start(1)]);
  worker = await launch(settings, paydeskWorker);
});
afterAll(async () => {
  await Promise.all([...(servers ?? []), worker].map((process) => process?.stop()));
});

interface Restarts {
  restarts: number;
  nginx: boolean;
  /** Zero: without draining. */
  drain?: number;
}

/** Restarts two servers in turn, each when the other is ready, under load through a proxy. */
async function run({ restarts, nginx, drain = drainSeconds }: Restarts): Promise<Outcome> {
  if (drain !== drainSeconds)
    for (const [index, server] of servers.entries()) {
      await server.stop();
      servers[index] = await start(index, drain);
    }
  const proxy = nginx ? await startNginx(ports) : await startProxy(ports, idleMs);
  process.env.TEST_URL = proxy.url;
  const load = await startLoad(12, random(), kinds, pauseMs);
  const codes: (number | string)[] = [];
  for (let restart = 0; restart < restarts; restart++) {
    const index = restart % servers.length;
    codes.push((await servers[index]?.stop()) ?? "");
    servers[index] = await start(index, drain);
    await sleep(full ? 1_000 : 200);
  }
  await load.stop();
  await settled(load.businessId, 120);
  await proxy.stop();
  const failed = load.answers.filter(({ status }) => status >= 400);
  for (const { kind, status, text } of failed.slice(0, 5)) console.error(`${kind}: ${status} ${text.slice(0, 200)}`);
  const through = nginx ? "nginx" : "a proxy";
  const lost = failed.length + load.failures.length;
  return {
    done: `${restarts} restarts of two servers behind ${through}, ${load.answers.length.toLocaleString("en")} requests, ${lost} failed`,
    wrong: {
      // A connection that arrives just when the socket closes is reset: docs/decisions/0045-outages.md.
      "requests failed, beyond one in ten restarts": Math.max(0, lost - Math.ceil(restarts / 10)),
      "servers that did not end with 0": codes.filter((code) => code !== 0).length,
      "acknowledged writes lost": await load.lost(),
      ...(await judge(load.businessId)),
    },
  };
}

fault({
  id: "R13",
  title: "servers restarted in turn behind a proxy",
  minutes: 15,
  run: () => run(full ? { restarts: 20, nginx: hasNginx() } : { restarts: 2, nginx: false }),
  control: { without: "draining", run: () => run({ restarts: 10, nginx: false, drain: 0 }) },
});
