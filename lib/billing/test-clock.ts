import { setTimeout } from "node:timers/promises";
import { clock } from "@/lib/core/clock";
import { db, execute, Prisma, queryRows, whileLocked } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { reconcilePayment } from "@/lib/ledger/reconcile";
import { type Expiring, expire } from "@/lib/outbox/expiries";
import { addJob } from "@/lib/outbox/jobs";
import { nextNotice, sendNotice } from "./notices";
import { announcePriceChanges } from "./price-changes";
import { billNow } from "./run";

interface Due {
  kind: "subscription" | "notice" | Expiring;
  id: string;
  at: Date;
}

/**
 * Advances a business's test clock to its target. Runs everything that falls due on the way, in order, each with the
 * clock at its due time. After a crash the next worker continues from the time reached.
 */
export async function advanceClock(businessId: number): Promise<void> {
  if (advancing >= maxAdvancing) return; // `addClockJobs` retries in some seconds
  advancing++;
  try {
    await whileLocked([lockSpace, businessId], async () => {
      const finished = await advanceForSlice(businessId);
      if (!finished) await addJob(db, "advance_clock", { business: businessId }, `clock:${businessId}`);
    });
  } finally {
    advancing--;
  }
}

/** Limits per process, so that live billing does not wait for test clocks. */
const maxAdvancing = 3;
const sliceMs = 2_000;
let advancing = 0;

/** Longer than `lostAfterSeconds` (lib/ledger/deadline.ts), so that a lost charge is settled first. */
const settleTimeoutMs = 90_000;

const lockSpace = 1_531_904_652; // any number that no other advisory lock uses

/** Runs of the same row at one instant. A row may fall due again immediately, but must not loop forever. */
const maxRunsPerInstant = 5;

/** @returns false when the time slice ended before the target */
async function advanceForSlice(businessId: number): Promise<boolean> {
  const until = Date.now() + sliceMs;
  const business = await db.business.findUniqueOrThrow({ where: { id: businessId } });
  const target = business.test_clock_target;
  if (target === null) return true;
  // A new price is announced before time moves on.
  await announcePriceChanges(businessId);
  const finished = await runDueUntil({
    businessId,
    from: new Date(Date.now() + Number(business.test_clock_ahead)), // overdue rows run now, not in the past
    to: target,
    isTimeUp: () => Date.now() >= until,
    onTimeReached: (at) => setClock(businessId, at),
  });
  return finished ? finish(businessId, target) : false;
}

interface DueRange {
  businessId: number;
  from: Date;
  to: Date;
  isTimeUp?: () => boolean;
  onTimeReached: (at: Date) => Promise<void>;
}

/**
 * Runs everything that falls due in a business's test mode between two times, in order, each with the clock at its due
 * time.
 * @returns false when `isTimeUp` ended it early
 */
export async function runDueUntil({ businessId, from, to, isTimeUp, onTimeReached }: DueRange): Promise<boolean> {
  let at = from;
  const runs = new Map<string, number>();
  while (!isTimeUp?.()) {
    const exhausted = [...runs].flatMap(([id, count]) => (count >= maxRunsPerInstant ? [id] : []));
    const due = await nextDue(businessId, at, to, exhausted);
    if (!due) return true;
    if (due.at > at) {
      at = due.at;
      runs.clear();
    }
    runs.set(due.id, (runs.get(due.id) ?? 0) + 1);
    await onTimeReached(at);
    await clock.at(at, () => runDue(businessId, due));
  }
  return false;
}

async function finish(businessId: number, target: Date): Promise<true> {
  await setClock(businessId, target);
  await db.business.updateMany({
    where: { id: businessId, test_clock_target: target },
    data: { test_clock_target: null, test_clock_at: null },
  });
  return true;
}

async function runDue(businessId: number, { kind, id }: Due): Promise<void> {
  try {
    if (kind === "notice") return await sendNotice(id);
    if (kind !== "subscription") return await expire(kind, { businessId, livemode: false }, [id]);
    await billNow(id);
  } catch (err) {
    log.warn({ err, id }, "due work failed while the test clock advanced");
  }
  if (kind === "subscription") await settleInFlight(id);
}

/**
 * The row that falls due next, overdue rows first.
 * @param exhausted ids that have reached `maxRunsPerInstant`; they are skipped at this instant
 */
async function nextDue(businessId: number, now: Date, target: Date, exhausted: string[]): Promise<Due | null> {
  const [due] = await queryRows<Due>(
    db,
    Prisma.sql`
    SELECT kind, id, at FROM (
      (SELECT 'subscription' AS kind, id, next_charge_at AS at FROM subscription
        WHERE business_id = ${businessId} AND NOT livemode AND next_charge_at <= ${target}
          AND (next_charge_at > ${now} OR id <> ALL (${exhausted}::text[]))
        ORDER BY next_charge_at LIMIT 1)
      UNION ALL
      (SELECT 'subscription', subscription_id, next_step_at FROM payment_link
        WHERE business_id = ${businessId} AND NOT livemode AND status = 'Active' AND next_step_at <= ${target}
          AND (next_step_at > ${now} OR subscription_id <> ALL (${exhausted}::text[]))
        ORDER BY next_step_at LIMIT 1)
      UNION ALL
      (SELECT 'payment_link', id, expires_at FROM payment_link
        WHERE business_id = ${businessId} AND NOT livemode AND expires_at IS NOT NULL AND NOT expiry_recorded
          AND status IN ('Active', 'Inactive') AND deleted_at IS NULL AND expires_at <= ${target}
          AND (expires_at > ${now} OR id <> ALL (${exhausted}::text[]))
        ORDER BY expires_at LIMIT 1)
      UNION ALL
      (SELECT 'tokenization', id, expires_at FROM tokenization
        WHERE business_id = ${businessId} AND NOT livemode AND NOT expiry_recorded AND status = 'pending'
          AND expires_at <= ${target} AND (expires_at > ${now} OR id <> ALL (${exhausted}::text[]))
        ORDER BY expires_at LIMIT 1)
      UNION ALL
      (${nextNotice(businessId, target, Prisma.sql`s.id <> ALL (${exhausted}::text[])`)})) AS due
     ORDER BY at, id LIMIT 1`,
  );
  return due ?? null;
}

/** Stops the clock at an instant. Never moves it back. */
async function setClock(businessId: number, to: Date): Promise<void> {
  const ahead = to.getTime() - Date.now();
  await execute(
    db,
    Prisma.sql`
    UPDATE business SET test_clock_ahead = greatest(test_clock_ahead, ${ahead}::bigint), test_clock_at = ${to}::timestamptz
     WHERE id = ${businessId} AND test_clock_target IS NOT NULL`,
  );
}

/** Looks up off-session charges until each outcome is known, before time advances. Does not wait for payers. */
async function settleInFlight(subscriptionId: string): Promise<void> {
  for (const from = Date.now(); ; await setTimeout(1_000)) {
    const open = await queryRows<{ id: string }>(
      db,
      Prisma.sql`
      SELECT p.id FROM payment p JOIN payment_link l ON l.id = p.payment_link_id
       WHERE l.subscription_id = ${subscriptionId} AND l.status = 'Processing' AND p.tokenization_id IS NOT NULL
         AND p.status IN ('created', 'sending', 'unknown')`,
    );
    for (const { id } of open) {
      await reconcilePayment(id).catch((err: unknown) =>
        log.warn({ err, payment: id }, "the lookup at the gateway failed"),
      );
    }
    if (open.length === 0 || Date.now() - from > settleTimeoutMs) return;
  }
}
