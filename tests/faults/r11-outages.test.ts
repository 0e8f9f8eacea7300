import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { fault, full, type Outcome } from "./fault";
import { judge } from "./judge";
import { type Answered, type Load, settledLoad, startLoad, wrongAnswers } from "./load";
import { startRelay } from "./relay";
import { type Rig, startRig } from "./rig";
import { random, shuffle } from "./seeded";

// A PostgreSQL of its own, because the test stops and kills it, behind a relay that fails as networks do.
let dataDir: string;
let postgres: Awaited<ReturnType<typeof ensurePostgres>>;
let relay: Awaited<ReturnType<typeof startRelay>>;
let rig: Rig;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "paydesk-r11-"));
  chmodSync(dataDir, 0o755);
  postgres = await ensurePostgres(dataDir);
  const socket = new URL(postgres.url).searchParams.get("host") ?? "";
  relay = await startRelay(`${socket}/.s.PGSQL.5432`);
  rig = await startRig({
    DATABASE_URL: `postgresql://paydesk_app@127.0.0.1:${relay.port}/paydesk`,
    DATABASE_MIGRATE_URL: postgres.ownerUrl,
  });
  process.env.DATABASE_URL = postgres.url; // the judge reads beside the relay
});
afterAll(async () => {
  await rig?.stop();
  relay?.stop();
  await postgres?.stop();
  removeDataDir(dataDir);
});

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  const { rows } = await client.query<Row>(sql).finally(() => client.end());
  return rows;
}

/** Each returns when PostgreSQL takes new connections. */
const faults: Record<string, () => Promise<unknown>> = {
  restart: async () => {
    await postgres.stop();
    postgres = await ensurePostgres(dataDir);
  },
  crash: async () => {
    const [row] = await query<{ data_directory: string }>("SHOW data_directory");
    const [pid] = readFileSync(`${row?.data_directory}/postmaster.pid`, "utf8").split("\n");
    process.kill(Number(pid), "SIGQUIT"); // ends at once, and recovers at the next start
    postgres = await ensurePostgres(dataDir);
  },
  terminated: () => query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'paydesk_app'"),
  reset: async () => relay.reset(),
  silence: async () => relay.silence(),
  "silence of new connections, too": async () => {
    const end = relay.silenceAll();
    await sleep(3_000);
    end();
  },
};

/** The product counts as back after this many successive answers without a 503. */
const answersWhenBack = 40;
/** The short run shares its processors with other tests. */
const backMs = full ? 5_000 : 60_000;
/** A caller's pause between two requests while there is no fault. The short run then leaves processor time to other tests. */
const calmPauseMs = full ? 0 : 100;

/** Waits until the product is back after a fault. @returns the milliseconds from its end to the last 503 */
async function back({ answers }: Load, first: number, endedAt: number): Promise<number> {
  const lastRefused = () => answers.findLastIndex(({ status }, index) => index >= first && status === 503);
  while (answers.length - 1 - lastRefused() < answersWhenBack || answers.length - first < answersWhenBack) {
    if (performance.now() - endedAt > 90_000) return 90_000;
    await sleep(20);
  }
  return Math.max(0, (answers[lastRefused()]?.at ?? 0) - endedAt);
}

/** @param plan the faults in this order; by default `count` of them, shuffled */
async function run({ requests, count, plan }: { requests: number; count: number; plan?: string[] }): Promise<Outcome> {
  const next = random();
  const kinds = Object.keys(faults);
  const shuffled = Array.from({ length: Math.ceil(count / kinds.length) }, () => shuffle(kinds, next)).flat();
  const planned = plan ?? shuffled.slice(0, count);
  const load = await startLoad(12, next, undefined, calmPauseMs);
  const until = async (share: number) => {
    while (load.answers.length + load.failures.length < share * requests) await sleep(20);
  };
  const late: string[] = [];
  let slowestMs = 0;
  for (const [index, kind] of planned.entries()) {
    await until((index + 0.5) / count);
    load.pace(0); // each caller's request is under way when the fault begins
    await sleep(calmPauseMs);
    const first = load.answers.length;
    await faults[kind]?.();
    load.pace(calmPauseMs);
    const ms = await back(load, first, performance.now());
    slowestMs = Math.max(slowestMs, ms);
    if (ms > backMs) late.push(`${kind}: ${Math.round(ms)} ms`);
  }
  await until(1);
  await load.stop();
  await settledLoad(load.businessId);
  const refused = load.answers.filter(({ status }) => status === 503).length;
  const longest = load.answers.reduce((longest: Answered, one) => (one.ms > longest.ms ? one : longest));
  if (late.length > 0 || load.failures.length > 0) console.error(late, load.failures.slice(0, 5));
  const done = `${load.answers.length.toLocaleString("en")} requests, ${count} outages, ${refused} times 503`;
  return {
    done: `${done}, back after ${Math.round(slowestMs)} ms at most, the longest answer ${Math.round(longest.ms)} ms`,
    wrong: {
      ...wrongAnswers(load.answers),
      "requests without an answer": load.failures.length,
      "acknowledged writes lost": await load.lost(),
      "outages after which it was not back in time": late.length,
      ...(await judge(load.businessId)),
    },
  };
}

fault({
  id: "R11",
  title: "PostgreSQL restarted, connections cut, reset and silent",
  minutes: 15,
  run: () => run(full ? { requests: 2_000, count: 20 } : { requests: 300, count: 6 }),
  control: {
    without: "the recognition of errors, and the watch of silent connections",
    mutations: [
      { file: "lib/core/database-error.ts", find: "databaseErrorText(error) !== null", replace: "false" },
      { file: "lib/core/silence.ts", find: "if (isSilent(one, one.limitMs))", replace: "if (!one)" },
    ],
    finds: ["answers neither 2xx, 3xx nor 503", "requests without an answer"],
    run: async (mutations) => {
      await rig.weaken("r11", mutations);
      // The restart comes first: silence blocks the pool, and then nothing reaches PostgreSQL.
      return run({ requests: 100, count: 2, plan: ["restart", "silence"] });
    },
  },
});
