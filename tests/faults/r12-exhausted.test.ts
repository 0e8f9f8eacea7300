import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { baseUrl } from "@/tests/support/http";
import { ownerUrl } from "@/tests/support/postgres";
import { fault, full, type Outcome } from "./fault";
import { judge } from "./judge";
import { type Kind, settledLoad, startLoad, wrongAnswers } from "./load";
import { type Rig, startRig } from "./rig";
import { random } from "./seeded";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

const callers = 60;
/** The short run shares its processors with other tests, so it checks the responses with generous time limits. */
const [limitMs, healthLimitMs, readyMs] = full ? [3_000, 1_000, 5_000] : [30_000, 30_000, 60_000];
/** Everything but the pages that the framework renders, whose cost would be most of the time on two cores. */
const kinds: Kind[] = [
  "create",
  "create with a key",
  "pay",
  "get",
  "list",
  "packages",
  "list as staff",
  "page of a link",
];

/** @returns the status of a health check; 0 without an answer in time */
const health = (path: string): Promise<number> =>
  fetch(baseUrl() + path, { signal: AbortSignal.timeout(healthLimitMs) }).then(
    ({ status }) => status,
    () => 0,
  );

/** Callers on every part of the API while one table after the other is locked. */
async function run(tables: string[], seconds: number): Promise<Outcome> {
  const load = await startLoad(callers, random(), kinds);
  const wrong = { "healthz not 200": 0, "readyz wrong while a table is locked": 0, "not ready again": 0 };
  const locker = new Client({ connectionString: ownerUrl(process.env.DATABASE_URL ?? "") });
  await locker.connect();
  for (const table of tables) {
    await locker.query(`BEGIN; LOCK TABLE ${table}`);
    const said: number[] = [];
    for (let checks = 0; checks < seconds * 4; checks++) {
      await sleep(250);
      if ((await health("/healthz")) !== 200) wrong["healthz not 200"]++;
      if (checks >= 4) said.push(await health("/readyz"));
    }
    // Most requests need payment_link, so the pool stays exhausted, on a busy machine only at times. Few requests need the other
    // tables: those fail early, and the pool serves the rest.
    const isWrong = (status: number) => status !== 503 && (status !== 200 || (full && table === "payment_link"));
    wrong["readyz wrong while a table is locked"] += said.filter(isWrong).length;
    if (table === "payment_link" && !said.includes(503)) wrong["readyz wrong while a table is locked"]++;
    await locker.query("COMMIT");
    // Without pauses, callers on few processors keep the pool exhausted.
    if (!full) load.pace(200);
    const deadline = Date.now() + readyMs;
    let ready = await health("/readyz");
    while (ready !== 200 && Date.now() < deadline) {
      await sleep(100);
      ready = await health("/readyz");
    }
    if (ready !== 200) wrong["not ready again"]++;
  }
  await locker.end();
  await load.stop();
  await settledLoad(load.businessId);
  const late = load.answers.filter(({ ms }) => ms > limitMs);
  for (const { kind, status, ms } of late.slice(0, 5)) console.error(`${kind}: ${status} after ${Math.round(ms)} ms`);
  const longest = Math.max(...load.answers.map(({ ms }) => ms));
  const refused = load.answers.filter(({ status }) => status === 503).length;
  const done = `${callers} callers, ${tables.length} tables locked for ${seconds} s each, ${load.answers.length.toLocaleString("en")} answers`;
  return {
    done: `${done}, ${refused.toLocaleString("en")} times 503, the longest after ${Math.round(longest)} ms`,
    wrong: {
      ...wrong,
      ...wrongAnswers(load.answers),
      "answers that took too long": late.length,
      "requests without an answer": load.failures.length,
      "acknowledged writes lost": await load.lost(),
      ...(await judge(load.businessId)),
    },
  };
}

fault({
  id: "R12",
  title: "connections exhausted by a locked table",
  minutes: 10,
  run: () =>
    full ? run(["payment_link", "api_key", "event", "session", "idempotency_key"], 10) : run(["payment_link"], 3),
  control: {
    without: "the bound of the waits, and the check of the pool in readyz",
    mutations: [
      { file: "lib/core/bounded-pool.ts", find: "const maxWaitMs = 1_000", replace: "const maxWaitMs = 6_000" },
      { file: "lib/core/db.ts", find: "if (pool.exhaustedMs() > 0) return false;", replace: "" },
    ],
    finds: ["answers that took too long", "readyz wrong while a table is locked"],
    run: async (mutations) => {
      await rig.weaken("r12", mutations);
      return run(["payment_link"], 5);
    },
  },
});
