import { writer } from "@/components/mail/compose";
import { addClockJobs, addDueJobs } from "@/lib/billing/due";
import { giveNotices } from "@/lib/billing/notices";
import { db } from "@/lib/db";
import { tellExpired } from "@/lib/events/expiries";
import { deliverSandboxCallbacks } from "@/lib/gateways/sandbox/callbacks";
import { startWorker } from "@/lib/jobs/worker";
import { log } from "@/lib/log";
import { sendDueMails } from "@/lib/mail/send";
import { closeSmtp } from "@/lib/mail/smtp";
import { sweepPayments, sweepSettled } from "@/lib/payments/sweep";
import { forgetRequests } from "@/lib/requests/remember";
import { startDeliveries } from "@/lib/webhooks/deliver";

/** What keeps an Idempotency-Key's answer, and with it a payer's data, no longer than a day (contract, section 6). */
async function forget(): Promise<void> {
  const dayAgo = new Date(Date.now() - 24 * 3_600_000);
  await db.idempotencyKey.deleteMany({ where: { created_at: { lt: dayAgo } } });
  await db.session.deleteMany({ where: { expires_at: { lt: new Date() } } });
  await db.rateLimit.deleteMany({ where: { expire: { lt: Date.now() } } });
  const monthAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
  await db.webhookAttempt.deleteMany({ where: { created_at: { lt: monthAgo } } });
  await db.passwordReset.deleteMany({ where: { expires_at: { lt: monthAgo } } });
  await forgetRequests();
  // Given up long ago; what they were to do has been found due again since.
  await db.$queryRaw`
    SELECT count(*) FROM graphile_worker.complete_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs
       WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < ${dayAgo}))`;
}

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
