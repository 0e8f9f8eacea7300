import { setTimeout } from "node:timers/promises";
import { clock } from "@/lib/core/clock";
import { db, execute, Prisma, pool, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { reconcilePayment } from "@/lib/ledger/reconcile";
import { type Expiring, expire } from "@/lib/outbox/expiries";
import { addJob } from "@/lib/outbox/jobs";
import { nextNotice, sendNotice } from "./notices";
import { billNow } from "./run";

interface Due {
  kind: "subscription" | "notice" | Expiring;
  id: string;
  at: Date;
}

/**
 * Takes a business's test mode to the time that was asked for: from one thing that falls due to the next, each done by a
 * clock that stands at its time, as if the days had gone by. A worker that dies on the way leaves a clock that is where it
 * got to, and the next one goes on.
 */
export async function advanceClock(businessId: number): Promise<void> {
  if (underWay >= most) return; // asked for again in some seconds (`addClockJobs`)
  underWay++;
  try {
    await advanceAlone(businessId);
  } finally {
    underWay--;
  }
}

/** So many clocks at a time in one process, and each for so long (milliseconds): live billing never waits for test modes. */
const most = 3;
const slice = 2_000;
let underWay = 0;

async function advanceAlone(businessId: number): Promise<void> {
  const session = await pool().connect();
  try {
    const { rows } = await session.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS free", [
      lock,
      businessId,
    ]);
    if (!rows[0]?.free) return; // another worker is at it
    try {
      const arrived = await advance(businessId);
      if (!arrived) await addJob(db, "advance_clock", { business: businessId }, `clock:${businessId}`);
    } finally {
      await session.query("SELECT pg_advisory_unlock($1, $2)", [lock, businessId]);
    }
  } finally {
    session.release();
  }
}

/** Longer than a charge that never arrived at its gateway is waited for (lib/ledger/deadline.ts), in milliseconds. */
const patience = 90_000;

const lock = 1_531_904_652; // any number that no other advisory lock uses

/** How often the same thing is looked at in one instant: it may fall due again at once, but not for ever. */
const looks = 5;

/** @returns whether it has got to where it was to go; otherwise its time was up */
async function advance(businessId: number): Promise<boolean> {
  const until = Date.now() + slice;
  const business = await db.business.findUniqueOrThrow({ where: { id: businessId } });
  const target = business.test_clock_target;
  if (target === null) return true;
  const arrived = await doDueUntil({
    businessId,
    from: new Date(Date.now() + Number(business.test_clock_ahead)), // what is overdue happens now, not in the past
    to: target,
    timeIsUp: () => Date.now() >= until,
    onTimeReached: (at) => setClock(businessId, at),
  });
  return arrived ? arrive(businessId, target) : false;
}

interface Stretch {
  businessId: number;
  from: Date;
  to: Date;
  timeIsUp?: () => boolean;
  /** Called with the time of each thing, before it is done. */
  onTimeReached: (at: Date) => Promise<void>;
}

/**
 * Does what falls due for a business's test mode from one time to another, in order, each by a clock that stands at its time.
 * @returns whether all of it is done; otherwise the time was up
 */
export async function doDueUntil({ businessId, from, to, timeIsUp, onTimeReached }: Stretch): Promise<boolean> {
  let at = from;
  const looked = new Map<string, number>();
  while (!timeIsUp?.()) {
    const done = [...looked].flatMap(([id, count]) => (count >= looks ? [id] : []));
    const due = await nextDue(businessId, at, to, done);
    if (!due) return true;
    if (due.at > at) {
      at = due.at;
      looked.clear();
    }
    looked.set(due.id, (looked.get(due.id) ?? 0) + 1);
    await onTimeReached(at);
    await clock.at(at, () => doDue(businessId, due));
  }
  return false;
}

async function arrive(businessId: number, target: Date): Promise<true> {
  await setClock(businessId, target);
  await db.business.updateMany({
    where: { id: businessId, test_clock_target: target },
    data: { test_clock_target: null },
  });
  return true;
}

async function doDue(businessId: number, { kind, id }: Due): Promise<void> {
  try {
    if (kind === "notice") return await sendNotice(id);
    if (kind !== "subscription") return await expire(kind, { businessId, livemode: false }, [id]);
    await billNow(id);
  } catch (err) {
    log.warn({ err, id }, "could not do by the test clock what was due");
  }
  if (kind === "subscription") await settleInFlight(id);
}

/**
 * What falls due next, in order of time, and what is due at `now` already before all that. What was looked at often enough
 * in this instant waits for the next one, so that it always comes to an end.
 */
async function nextDue(businessId: number, now: Date, target: Date, done: string[]): Promise<Due | null> {
  const [due] = await queryRows<Due>(
    db,
    Prisma.sql`
    SELECT kind, id, at FROM (
      (SELECT 'subscription' AS kind, id, next_charge_at AS at FROM subscription
        WHERE business_id = ${businessId} AND NOT livemode AND next_charge_at <= ${target}
          AND (next_charge_at > ${now} OR id <> ALL (${done}::text[]))
        ORDER BY next_charge_at LIMIT 1)
      UNION ALL
      (SELECT 'subscription', subscription_id, next_step_at FROM payment_link
        WHERE business_id = ${businessId} AND NOT livemode AND status = 'Active' AND next_step_at <= ${target}
          AND (next_step_at > ${now} OR subscription_id <> ALL (${done}::text[]))
        ORDER BY next_step_at LIMIT 1)
      UNION ALL
      (SELECT 'payment_link', id, expires_at FROM payment_link
        WHERE business_id = ${businessId} AND NOT livemode AND expires_at IS NOT NULL AND NOT expiry_told
          AND status IN ('Active', 'Inactive') AND deleted_at IS NULL AND expires_at <= ${target}
          AND (expires_at > ${now} OR id <> ALL (${done}::text[]))
        ORDER BY expires_at LIMIT 1)
      UNION ALL
      (SELECT 'tokenization', id, expires_at FROM tokenization
        WHERE business_id = ${businessId} AND NOT livemode AND NOT expiry_told AND status = 'pending'
          AND expires_at <= ${target} AND (expires_at > ${now} OR id <> ALL (${done}::text[]))
        ORDER BY expires_at LIMIT 1)
      UNION ALL
      (${nextNotice(businessId, target, Prisma.sql`s.id <> ALL (${done}::text[])`)})) AS due
     ORDER BY at, id LIMIT 1`,
  );
  return due ?? null;
}

/** The clock never goes back: what is due from before is done now. */
async function setClock(businessId: number, to: Date): Promise<void> {
  const ahead = to.getTime() - Date.now();
  await execute(
    db,
    Prisma.sql`
    UPDATE business SET test_clock_ahead = greatest(test_clock_ahead, ${ahead}::bigint) WHERE id = ${businessId}`,
  );
}

/** A charge whose reply was lost is asked about until its outcome is known, before time goes on; its payer is not waited for. */
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
      await reconcilePayment(id).catch((err: unknown) => log.warn({ err, payment: id }, "could not ask the gateway"));
    }
    if (open.length === 0 || Date.now() - from > patience) return;
  }
}
