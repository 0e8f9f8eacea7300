import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import { bill } from "@/lib/billing/run";
import { advanceClock } from "@/lib/billing/test-clock";
import { isDatabaseAway } from "@/lib/core/database-error";
import { pool } from "@/lib/core/db";
import { pollMs } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { observed } from "@/lib/core/observe";
import { detachRevoked } from "@/lib/ledger/detach-card";
import type { Tasks } from "@/lib/outbox/jobs";

type Work = { [Name in keyof Tasks]: (payload: Tasks[Name]) => Promise<unknown> };

const work: Work = {
  bill: ({ subscription }) => bill(subscription),
  advance_clock: ({ business }) => advanceClock(business),
  detach_card: ({ tokenization }) => detachRevoked(tokenization),
};

const tasks = Object.fromEntries(
  Object.entries(work).map(([name, task]) => [
    name,
    (payload: unknown) => observed("job", name, () => task(payload as never)),
  ]),
) as TaskList;

const pauseMs = 500;
const maxTries = 20;
/** Failed fetches in a row after which the runner starts again. */
const maxFailedFetches = 10;
/** How long a runner that shuts down may take before another one starts. */
const maxShutdownMs = 5_000;

/** Connects, and retries for some seconds if the database is busy or away, because a failure would end Graphile Worker. */
async function connectWithRetry(to: Pool) {
  for (let tries = 1; ; tries++)
    try {
      return await to.connect();
    } catch (error) {
      if (tries === maxTries || !isDatabaseAway(error)) throw error;
      await sleep(pauseMs);
    }
}

const withConnectRetry = (to: Pool): Pool =>
  new Proxy(to, {
    get(target, name) {
      // Graphile Worker passes a callback only to listen for jobs, and then repeats a failure itself.
      if (name === "connect")
        return (callback?: Parameters<Pool["connect"]>[0]) =>
          callback ? target.connect(callback) : connectWithRetry(target);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

/**
 * Runs the queue's jobs until it is stopped. Any number of processes may: each job runs in one of them, and again if that
 * process dies. Tasks are idempotent.
 * @param concurrency the maximum of simultaneous jobs in this process
 */
export async function startWorker(concurrency: number): Promise<() => Promise<void>> {
  let stopping = false;
  let runner: StartedRunner | null = await startRunner(concurrency);
  // Graphile Worker ends when a connection is lost while it records a job's result.
  const runAgain = async () => {
    while (!stopping) {
      await runner?.ended.catch((err: unknown) => log.error({ err }, "the worker ended"));
      runner = null;
      if (stopping) return;
      log.warn("the worker starts again");
      await sleep(pauseMs);
      runner = await startRunner(concurrency).catch((err: unknown) => {
        log.warn({ err }, "the worker could not start");
        return null;
      });
      if (stopping) await runner?.stop();
    }
  };
  const running = runAgain();
  return async () => {
    stopping = true;
    await runner?.stop().catch(() => undefined); // it may have ended just now
    await running;
  };
}

interface StartedRunner {
  stop: () => Promise<void>;
  ended: Promise<void>;
}

/**
 * Graphile Worker shuts down when it cannot record results, and never ends if two batches of results failed: it then counts too
 * few as pending (`batch` in its main.js). By then it fetches no more jobs, so `ended` does not wait for it.
 *
 * Graphile Worker looks its tasks up once, and keeps the result even if that failed. Then each fetch fails, for as long as the
 * runner lives. So a runner whose fetches fail ends here, and `startWorker` starts another one.
 */
async function startRunner(concurrency: number): Promise<StartedRunner> {
  let runner: Runner | null = null;
  let failedFetches = 0;
  const logger = new Logger((scope) => (level, message) => {
    // Graphile Worker warns that the pool is smaller than the concurrency. That is intended: jobs mostly wait for the gateway.
    if (message.includes("having maxPoolSize")) return;
    if (level === "error" || level === "warning") log.warn({ ...scope }, message);
    if (message.startsWith("Error occurred fetching jobs") && ++failedFetches === maxFailedFetches)
      void runner?.stop().catch(() => undefined); // it may have ended just now
  });
  const events: WorkerEvents = new EventEmitter();
  const abandoned = new Promise<void>((resolve) => {
    events.on("pool:gracefulShutdown", () => setTimeout(resolve, maxShutdownMs).unref());
  });
  events.on("localQueue:getJobs:complete", () => {
    failedFetches = 0;
  });
  runner = await run({
    events,
    pgPool: withConnectRetry(pool()),
    taskList: tasks,
    concurrency,
    noHandleSignals: true,
    pollInterval: pollMs(1),
    logger,
    // Fetches and deletes jobs in batches: a commit per job is the largest cost. Failures are batched because a batch is repeated
    // until it is recorded. A single failure that cannot be recorded is only logged, and its job stays locked.
    preset: { worker: { localQueue: { size: 4 * concurrency }, completeJobBatchDelay: 20, failJobBatchDelay: 20 } },
  });
  return { stop: () => runner.stop(), ended: Promise.race([runner.promise, abandoned]) };
}
