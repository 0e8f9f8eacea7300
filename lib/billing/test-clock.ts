import { clock } from "../clock";
import { db, Prisma, pool, queryRows } from "../db";
import { log } from "../log";
import { reconcilePayment } from "../payments/reconcile";
import { billNow } from "./run";

interface Due {
  subscription_id: string;
  at: Date;
}

/**
 * Takes a business's test mode to the time that was asked for: from one thing that falls due to the next, each done by a
 * clock that stands at its time, as if the days had gone by. A worker that dies on the way leaves a clock that is where it
 * got to, and the next one goes on.
 */
export async function advanceClock(businessId: number): Promise<void> {
  const session = await pool().connect();
  try {
    const { rows } = await session.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS free", [
      lock,
      businessId,
    ]);
    if (!rows[0]?.free) return; // another worker is at it
    try {
      await advance(businessId);
    } finally {
      await session.query("SELECT pg_advisory_unlock($1, $2)", [lock, businessId]);
    }
  } finally {
    session.release();
  }
}

const lock = 1_531_904_652; // any number that no other advisory lock uses

async function advance(businessId: number): Promise<void> {
  const business = await db.business.findUniqueOrThrow({ where: { id: businessId } });
  const target = business.test_clock_target;
  if (target === null) return;
  let last: Due = { subscription_id: "", at: new Date(0) };
  for (;;) {
    const due = await nextDue(businessId, target, last);
    if (!due) break;
    await setClock(businessId, due.at);
    await clock.at(due.at, async () => {
      await billNow(due.subscription_id).catch((err: unknown) =>
        log.warn({ err, subscription: due.subscription_id }, "could not bill by the test clock"),
      );
      await settleInFlight(due.subscription_id);
    });
    last = due;
  }
  await setClock(businessId, target);
  await db.business.updateMany({
    where: { id: businessId, test_clock_target: target },
    data: { test_clock_target: null },
  });
}

/** What falls due next, in order of time; never the same thing twice at the same time, so that it always comes to an end. */
async function nextDue(businessId: number, target: Date, last: Due): Promise<Due | null> {
  const [due] = await queryRows<Due>(
    db,
    Prisma.sql`
    SELECT subscription_id, at FROM (
      (SELECT id AS subscription_id, next_charge_at AS at FROM subscription
        WHERE business_id = ${businessId} AND NOT livemode AND next_charge_at <= ${target}
          AND (greatest(next_charge_at, ${last.at}), id) > (${last.at}::timestamptz, ${last.subscription_id})
        ORDER BY greatest(next_charge_at, ${last.at}), id LIMIT 1)
      UNION ALL
      (SELECT subscription_id, next_step_at FROM payment_link
        WHERE business_id = ${businessId} AND NOT livemode AND status = 'Active' AND next_step_at <= ${target}
          AND (greatest(next_step_at, ${last.at}), subscription_id) > (${last.at}::timestamptz, ${last.subscription_id})
        ORDER BY greatest(next_step_at, ${last.at}), subscription_id LIMIT 1)) AS due
     ORDER BY at, subscription_id LIMIT 1`,
  );
  return due ? { ...due, at: due.at < last.at ? last.at : due.at } : null;
}

/** The clock never goes back: what is due from before is done now. */
async function setClock(businessId: number, to: Date): Promise<void> {
  const ahead = to.getTime() - Date.now();
  await db.$executeRaw`
    UPDATE business SET test_clock_ahead = greatest(test_clock_ahead, ${ahead}::bigint) WHERE id = ${businessId}`;
}

/** A charge whose reply was lost is asked about before time goes on. */
async function settleInFlight(subscriptionId: string): Promise<void> {
  const open = await queryRows<{ id: string }>(
    db,
    Prisma.sql`
    SELECT p.id FROM payment p JOIN payment_link l ON l.id = p.payment_link_id
     WHERE l.subscription_id = ${subscriptionId} AND l.status = 'Processing'
       AND p.status IN ('created', 'sending', 'requires_action', 'unknown')`,
  );
  for (const { id } of open) {
    await reconcilePayment(id).catch((err: unknown) => log.warn({ err, payment: id }, "could not ask the gateway"));
  }
}
