import { writer } from "@/components/mail-templates/compose";
import { addClockJobs, addDueJobs } from "@/lib/billing/due";
import { giveNotices } from "@/lib/billing/notices";
import { log } from "@/lib/core/log";
import { deliverSandboxCallbacks } from "@/lib/gateways/sandbox/callbacks";
import { sweepPayments, sweepSettled } from "@/lib/ledger/sweep";
import { tellExpired } from "@/lib/outbox/expiries";
import { sendDueMails } from "@/lib/outbox/mail/send";
import { closeSmtp } from "@/lib/outbox/mail/smtp";
import { startDeliveries } from "@/lib/outbox/webhooks/deliver";
import { forget } from "./prune";
import { startWorker } from "./queue-worker";

/** Jobs at a time in one process: most of their time goes by waiting for the gateway and the database. */
const concurrency = 12;

/** Runs `work` again and again, `seconds` after it last ended. Returns what stops it, when it is not under way. */
function every(seconds: number, name: string, work: (stopping: AbortSignal) => Promise<unknown>): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(() => {
      running = work(stop.signal)
        .catch((err: unknown) => log.warn({ err, job: name }, "job failed; it will run again"))
        .finally(() => {
          if (!stop.signal.aborted) next();
        });
    }, seconds * 1000);
  };
  next();
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}

/**
 * The work that no request waits for. Any number of processes may run it side by side: each step is conditional in the
 * database.
 * @param ownAddress at which this process answers
 */
export async function startJobs(ownAddress: string): Promise<() => Promise<void>> {
  const stopWorker = await startWorker(concurrency);
  const stopDeliveries = startDeliveries();
  const jobs = [
    every(5, "sweep payments", sweepPayments),
    every(600, "sweep settled payments", sweepSettled),
    // The sandbox is another company, which happens to live in this process.
    every(1, "sandbox callbacks", async (stopping) => {
      while ((await deliverSandboxCallbacks(ownAddress)) > 0 && !stopping.aborted);
    }),
    every(2, "tell what has expired", async (stopping) => {
      while ((await tellExpired()) && !stopping.aborted);
    }),
    every(60, "announce renewals", giveNotices),
    every(2, "find due subscriptions", addDueJobs),
    every(5, "test clocks", addClockJobs),
    every(1, "send mails", (stopping) => sendDueMails(writer, stopping)),
    every(3_600, "forget", forget),
  ];
  return async () => {
    await Promise.all([...jobs.map((stop) => stop()), stopWorker(), stopDeliveries()]);
    closeSmtp();
  };
}
