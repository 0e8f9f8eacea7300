import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant } from "@/tests/support/factory";
import { freePort, type Launched, launch, paydesk } from "@/tests/support/launch";
import { asOwner } from "@/tests/support/postgres";
import { fault, full, type Outcome } from "./fault";
import { age, judge } from "./judge";
import { type Expected, judgePeriods, type Population, populate } from "./r8-subscriptions";
import { type Rig, startRig } from "./rig";
import { between, random } from "./seeded";

/** Four servers and this test share PostgreSQL's hundred connections. */
const settings = { DATABASE_POOL: "16" };
let rig: Rig;
const fleet: Worker[] = [];
beforeAll(async () => {
  rig = await startRig(settings);
});
afterEach(async () => {
  await Promise.all(fleet.splice(0).map((worker) => worker.stop()));
});
afterAll(() => rig?.stop());

interface Worker {
  powerCut(): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Starts another server of the same build on the rig's database. */
async function startServer(build?: string): Promise<Worker> {
  const { DATABASE_URL, APP_SECRET } = process.env;
  const env = { DATABASE_URL, APP_SECRET, DATA_DIR: rig.dataDir, PORT: String(await freePort()), ...settings };
  const start = (): Promise<Launched> => launch(env, paydesk(build), () => undefined);
  let server = await start();
  return {
    async powerCut() {
      await server.kill();
      server = await start();
    },
    stop: () => server.stop(),
  };
}

interface Scale extends Population {
  workers: number;
  kills: number;
  /** Subscriptions that get many simultaneous jobs besides the product's own. */
  withDuplicateJobs: number;
  minutes: number;
  /** Whether to wait for the recovery of a dead worker's jobs. If not, the test makes them older. */
  realTime: boolean;
}

async function run(scale: Scale, build?: string): Promise<Outcome> {
  while (fleet.length < scale.workers - 1) fleet.push(await startServer(build));
  const workers = [rig, ...fleet];
  const { businessId } = await createMerchant();
  const all = await populate(businessId, scale);
  await addDuplicateJobs(all.slice(-scale.withDuplicateJobs));
  const periods = sum(all);
  const charges = sum(all.filter(({ card }) => card));

  const deadline = Date.now() + scale.minutes * 60_000;
  const next = random();
  let kills = 0;
  const restarting = new Map<Worker, Promise<unknown>>();
  /** Kills a running worker. It restarts meanwhile: the others may finish the work before it is back. */
  const kill = async () => {
    await sleep(between(next, 0, 50));
    while (restarting.size === workers.length) await Promise.race(restarting.values());
    const running = workers.filter((worker) => !restarting.has(worker));
    const worker = running[between(next, 0, running.length - 1)] as Worker;
    restarting.set(
      worker,
      worker.powerCut().finally(() => restarting.delete(worker)),
    );
  };
  // Kills are spread over the work, at random moments.
  let due = next();
  let agedAt = 0;
  for (;;) {
    const done = await progress(businessId, all);
    if ((done >= periods + charges && (await isIdle())) || Date.now() > deadline) break;
    if (kills < scale.kills && done >= (due / scale.kills) * (periods + charges) * 0.8) {
      await kill();
      kills++;
      due = kills + next();
    } else await sleep(25); // a slow machine can do the last fifth of the work between two polls
    if (Date.now() - agedAt < 250) continue;
    agedAt = Date.now();
    await makeRetriesDue(businessId);
    if (!scale.realTime) await age(businessId);
  }
  await Promise.all(restarting.values());
  const left = await db.payment.count({
    where: { business_id: businessId, status: { notIn: ["succeeded", "failed"] } },
  });
  return {
    done:
      `${scale.workers} workers, ${all.length.toLocaleString("en")} subscriptions over ${scale.months} months, ` +
      `${scale.down} of them ${scale.days} days down, ${periods.toLocaleString("en")} periods, ` +
      `${charges.toLocaleString("en")} charged, ${kills} kills`,
    wrong: {
      ...(await judgePeriods(businessId, all)),
      ...(await judge(businessId)),
      "left in flight": left,
      "kills that did not happen": scale.kills - kills,
    },
  };
}

const sum = (all: Expected[]): number => all.reduce((total, { starts }) => total + starts.length - 1, 0);

/** Counts periods that are open or missing, and succeeded charges. */
async function progress(businessId: number, all: Expected[]): Promise<number> {
  const [row] = await db.$queryRaw<{ opened: number; paid: number }[]>`
    SELECT (SELECT sum(next_period)::int FROM subscription WHERE business_id = ${businessId}) AS opened,
           (SELECT count(*)::int FROM payment WHERE business_id = ${businessId} AND status = 'succeeded') AS paid`;
  const before = all.reduce((total, { from }) => total + from, 0);
  return (row?.opened ?? 0) - before + (row?.paid ?? 0);
}

/** Whether no job waits or runs. Ignores locked jobs of dead workers, which stay in the queue. */
async function isIdle(): Promise<boolean> {
  const [row] = await db.$queryRaw<{ jobs: number }[]>`
    SELECT count(*)::int AS jobs FROM graphile_worker.jobs
     WHERE attempts < max_attempts AND (locked_at IS NULL OR locked_at > now() - interval '15 seconds')`;
  return row?.jobs === 0;
}

/** Adds jobs without a key, so that they can run at the same time. */
async function addDuplicateJobs(all: Expected[]): Promise<void> {
  await db.$executeRaw`
    SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT ('bill', json_build_object('subscription', id), NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
        FROM unnest(${all.map(({ id }) => id)}::text[]) AS id, generate_series(1, 8) ORDER BY id))`;
}

/** A charge that died before the gateway got it is retried in an hour. Makes it due now. */
async function makeRetriesDue(businessId: number): Promise<void> {
  await db.$executeRaw`
    UPDATE payment_link SET next_step_at = clock_timestamp()
     WHERE id IN (SELECT id FROM payment_link
       WHERE business_id = ${businessId} AND status = 'Active' AND failure = 'processing_error'
         AND next_step_at > clock_timestamp() FOR UPDATE SKIP LOCKED)`;
}

const periodsFile = "lib/periods/opening.ts";

fault({
  id: "R8",
  title: "several billing workers, killed repeatedly, after months of downtime",
  minutes: 15,
  run: () =>
    run(
      full
        ? {
            ...{ workers: 4, kills: 20, minutes: 10, realTime: true },
            ...{ plain: 9_000, charged: 400, months: 24, down: 600, days: 90, withDuplicateJobs: 1_000 },
          }
        : {
            ...{ workers: 2, kills: 2, minutes: 2, realTime: false },
            ...{ plain: 40, charged: 10, months: 6, down: 10, days: 15, withDuplicateJobs: 60 },
          },
    ),
  control: {
    without: "the conditional update and the unique index",
    mutations: [
      {
        file: periodsFile,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of our sources
        find: "WHERE id = ${due.id} AND next_period = ${due.next_period} AND next_charge_at = ${due.next_charge_at}",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of our sources
        replace: "WHERE id = ${due.id}",
      },
    ],
    run: async (mutations) => {
      await asOwner("DROP INDEX payment_link_subscription_id_period_index_key");
      await rig.weaken("r8", mutations);
      const population = { plain: 150, charged: 0, months: 24, down: 0, days: 15, withDuplicateJobs: 150 };
      return run({ workers: 2, kills: 0, minutes: 1, realTime: false, ...population }, "dist/mutant-r8.mjs");
    },
  },
});
