import { Logger, run, type TaskList } from "graphile-worker";
import { bill } from "@/lib/billing/run";
import { advanceClock } from "@/lib/billing/test-clock";
import { pool } from "@/lib/core/db";
import { pollMs } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { detachRevoked } from "@/lib/ledger/detach-card";
import type { Tasks } from "@/lib/outbox/jobs";

type Work = { [Name in keyof Tasks]: (payload: Tasks[Name]) => Promise<unknown> };

const work: Work = {
  bill: ({ subscription }) => bill(subscription),
  advance_clock: ({ business }) => advanceClock(business),
  detach_card: ({ tokenization }) => detachRevoked(tokenization),
};

const tasks = Object.fromEntries(
  Object.entries(work).map(([name, task]) => [name, (payload: unknown) => task(payload as never)]),
) as TaskList;

const logger = new Logger((scope) => (level, message) => {
  // Graphile Worker warns that the pool is smaller than the concurrency. That is intended: jobs mostly wait for the gateway.
  if (message.includes("having maxPoolSize")) return;
  if (level === "error" || level === "warning") log.warn({ ...scope }, message);
});

/**
 * Runs the queue's jobs until it is stopped. Any number of processes may: each job runs in one of them, and again if that
 * process dies. Tasks are idempotent.
 * @param concurrency the maximum of simultaneous jobs in this process
 */
export async function startWorker(concurrency: number): Promise<() => Promise<void>> {
  const runner = await run({
    pgPool: pool(),
    taskList: tasks,
    concurrency,
    noHandleSignals: true,
    pollInterval: pollMs(1),
    logger,
    // Fetches and deletes jobs in batches: a commit per job is the largest cost.
    preset: { worker: { localQueue: { size: 4 * concurrency }, completeJobBatchDelay: 20 } },
  });
  runner.promise.catch((err: unknown) => log.error({ err }, "the worker ended"));
  return () => runner.stop();
}
