import { writer } from "@/components/mail-templates/compose";
import { addClockJobs, addDueJobs } from "@/lib/billing/due";
import { sendNotices } from "@/lib/billing/notices";
import { announcePriceChanges } from "@/lib/billing/price-changes";
import { pollMs } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { observed } from "@/lib/core/observe";
import { deliverSandboxCallbacks } from "@/lib/gateways/sandbox/callbacks";
import { probeAccounts } from "@/lib/ledger/account-health";
import { importBalances } from "@/lib/ledger/balance-import";
import { compareAccounts } from "@/lib/ledger/compare";
import { sweepDisputes } from "@/lib/ledger/dispute-sweep";
import { moveChanges } from "@/lib/ledger/sums";
import { sweepPayments, sweepSettled } from "@/lib/ledger/sweep";
import { recordExpired } from "@/lib/outbox/expiries";
import { startMails } from "@/lib/outbox/mail/send";
import { closeSmtp } from "@/lib/outbox/mail/smtp";
import { startDeliveries } from "@/lib/outbox/webhooks/deliver";
import { remindOfExpiringKeys } from "@/lib/resources/api-keys/reminders";
import { moveLinksOfCustomers } from "@/lib/resources/customers/change-email";
import { sendBundles } from "@/lib/resources/notifications/bundles";
import { sendDigests } from "@/lib/resources/notifications/digest";
import { overviewFigures } from "@/lib/resources/reports/figures";
import { refreshFigures } from "@/lib/resources/reports/stored-figures";
import { forecastFigures } from "@/lib/resources/subscriptions/forecast";
import { findHold } from "./hold";
import { keepPartitions } from "./partitions";
import { prune } from "./prune";
import { startWorker } from "./queue-worker";
import { sealOldRows } from "./reseal";

/** Jobs mostly wait for the gateway; at the database, simultaneous ones share statements (lib/core/batch.ts). */
const maxConcurrentJobs = 48;

export const computedFigures = { overview: overviewFigures, forecast: forecastFigures };

/**
 * Runs `work` repeatedly, `pauseMs` after it last ended.
 * @param firstPauseMs before the first run
 * @returns stops it, after waiting for a current run
 */
function every(
  pauseMs: number,
  name: string,
  work: (stopping: AbortSignal) => Promise<unknown>,
  firstPauseMs = pauseMs,
): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const next = (waitMs = pauseMs) => {
    timer = setTimeout(() => {
      running = observed("poll", name, () => work(stop.signal))
        .catch((err: unknown) => log.warn({ err, job: name }, "job failed; it will run again"))
        .finally(() => {
          if (!stop.signal.aborted) next();
        });
    }, waitMs);
  };
  next(firstPauseMs);
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}

/**
 * Starts all background work, or waits with it while the database is held after a restore.
 * @param ownAddress the URL of this process, for the sandbox's callbacks
 * @returns stops the work
 */
export async function startJobs(ownAddress: string): Promise<() => Promise<void>> {
  const hold = await findHold();
  if (!hold) return startAllJobs(ownAddress);
  log.warn(
    { backup: hold.backup_at, restored: hold.restored_at },
    "this database was restored: billing, mails and webhooks wait for npm run -s restore -- --release",
  );
  // They charge and send nothing. Staff see what the gateway has beyond the backup before they release it.
  const held = [
    every(pollMs(5), "compare gateway accounts", compareAccounts),
    every(pollMs(2), "add up settlements", async (stopping) => {
      while ((await moveChanges()) && !stopping.aborted);
    }),
  ];
  const stopHeld = () => Promise.all(held.map((stop) => stop()));
  let stopAll: (() => Promise<void>) | null = null;
  const stopLooking = every(pollMs(5), "look for the release", async (stopping) => {
    if (stopAll || (await findHold()) || stopping.aborted) return;
    await stopHeld();
    stopAll = await startAllJobs(ownAddress);
    log.info("the restored database was released: all jobs run");
  });
  return async () => {
    await stopLooking();
    await stopHeld();
    await stopAll?.();
  };
}

/**
 * Starts all background work. Any number of processes may run it: each step is a conditional update in the database.
 */
async function startAllJobs(ownAddress: string): Promise<() => Promise<void>> {
  const stopWorker = await startWorker(maxConcurrentJobs);
  const stopDeliveries = startDeliveries();
  const stopMails = startMails(writer);
  const jobs = [
    every(pollMs(5), "sweep payments", sweepPayments),
    every(600_000, "sweep settled payments", sweepSettled),
    every(pollMs(5), "probe broken accounts", probeAccounts),
    every(600_000, "list disputes", sweepDisputes),
    every(pollMs(5), "compare gateway accounts", compareAccounts),
    // The sandbox gateway runs in this process, so its callbacks start here.
    every(pollMs(1), "sandbox callbacks", async (stopping) => {
      while ((await deliverSandboxCallbacks(ownAddress)) > 0 && !stopping.aborted);
    }),
    every(pollMs(2), "record expiries", async (stopping) => {
      while ((await recordExpired()) && !stopping.aborted);
    }),
    every(pollMs(2), "add up settlements", async (stopping) => {
      while ((await moveChanges()) && !stopping.aborted);
    }),
    every(pollMs(5), "import balances", async (stopping) => {
      while ((await importBalances()) && !stopping.aborted);
    }),
    every(pollMs(5), "refresh stored figures", async (stopping) => {
      while ((await refreshFigures(computedFigures)) && !stopping.aborted);
    }),
    every(60_000, "announce renewals", sendNotices),
    every(pollMs(5), "remind of expiring keys", async (stopping) => {
      while ((await remindOfExpiringKeys()) && !stopping.aborted);
    }),
    // These look at every member who wants mails, so they run once a minute. In tests, more often.
    every(12 * pollMs(5), "send notifications", sendBundles),
    every(12 * pollMs(5), "send digests", sendDigests),
    every(pollMs(2), "move links of customers", moveLinksOfCustomers),
    every(pollMs(2), "announce prices", () => announcePriceChanges()),
    every(pollMs(2), "find due subscriptions", addDueJobs),
    every(pollMs(5), "test clocks", addClockJobs),
    // Only an older version makes such rows, and each run reads all recovery codes.
    every(3_600_000, "seal old rows", sealOldRows, 2_000),
    // Soon after a start, because the installation may have been stopped for months, or is restarted often.
    every(3_600_000, "prune", prune, 600_000),
    every(3_600_000, "keep partitions", keepPartitions, 2_000),
  ];
  return async () => {
    await Promise.all([...jobs.map((stop) => stop()), stopWorker(), stopDeliveries(), stopMails()]);
    closeSmtp();
  };
}
