import { setTimeout as sleep } from "node:timers/promises";
import { db } from "@/lib/core/db";
import { checkBooks } from "@/lib/ledger/books";
import { create } from "@/tests/support/samples";
import { mapConcurrently } from "./map-concurrently";
import type { Mutation } from "./rig";

/**
 * Counts the differences between the sandbox's books, the ledger and the journal of a business. Queries the tables
 * directly, because the code under test must not judge itself.
 */
export async function judge(businessId: number): Promise<Record<string, number>> {
  const account = String(businessId);
  const [links] = await db.$queryRaw<Record<string, number>[]>`
    WITH charge AS (
      SELECT p.payment_link_id, count(*) AS charges
        FROM sandbox_charge c JOIN payment p ON p.gateway_key = c.gateway_key
       WHERE c.account = ${account} AND c.status = 'succeeded' GROUP BY 1
    ), journal AS (
      SELECT p.payment_link_id, count(*) AS postings
        FROM posting j JOIN payment p ON p.id = j.payment_id WHERE j.kind = 'payment' GROUP BY 1
    ), link AS (
      SELECT l.status = 'Paid' AS paid, coalesce(charges, 0) AS charges, coalesce(postings, 0) AS postings
        FROM payment_link l
        LEFT JOIN charge ON charge.payment_link_id = l.id
        LEFT JOIN journal ON journal.payment_link_id = l.id
       WHERE l.business_id = ${businessId}
    )
    SELECT count(*) FILTER (WHERE charges > 1)::int AS "links charged twice",
           count(*) FILTER (WHERE charges > 0 AND NOT paid)::int AS "charged but not Paid",
           count(*) FILTER (WHERE charges = 0 AND paid)::int AS "Paid but not charged",
           count(*) FILTER (WHERE postings <> paid::int)::int AS "links without just one posting"
      FROM link`;
  const [charges] = await db.$queryRaw<Record<string, number>[]>`
    SELECT count(*) FILTER (WHERE p.id IS NULL OR p.status <> 'succeeded' OR p.amount_cents <> c.amount_cents
                               OR p.currency <> c.currency)::int AS "charges that differ from the ledger"
      FROM sandbox_charge c LEFT JOIN payment p ON p.gateway_key = c.gateway_key
     WHERE c.account = ${account} AND c.status = 'succeeded'`;
  const [announced] = await db.$queryRaw<Record<string, number>[]>`
    SELECT count(*)::int AS "payments without just one event" FROM payment p
     WHERE p.business_id = ${businessId} AND p.status IN ('succeeded', 'failed')
       AND (SELECT count(*) FROM event e WHERE e.resource_id = p.id AND e.type = 'payment.' || p.status) <> 1`;
  const { imbalances } = await checkBooks();
  return { ...links, ...charges, ...announced, imbalances: imbalances.length };
}

/** The number of a business's links that are not Paid. */
export function unpaid(businessId: number): Promise<number> {
  return db.paymentLink.count({ where: { business_id: businessId, status: { not: "Paid" } } });
}

/** Waits up to `atMost` seconds until no payment of a business is open. @returns the seconds waited */
export async function settled(businessId: number, atMost: number): Promise<number> {
  const begun = Date.now();
  const seconds = () => (Date.now() - begun) / 1000;
  const open = { business_id: businessId, status: { notIn: ["succeeded", "failed"] } };
  while ((await db.payment.count({ where: open })) > 0 && seconds() < atMost) await sleep(100);
  return seconds();
}

/**
 * Makes rows older than two seconds a minute older, for tests that cannot wait for the product's delays. Leaves out rows that the
 * product has locked: it settles several in an order of its own, and waiting for one of them could be a deadlock.
 */
export async function age(businessId: number): Promise<void> {
  await db.$executeRaw`
    UPDATE payment SET started_at = started_at - interval '1 minute', asked_at = NULL
     WHERE id IN (SELECT id FROM payment
       WHERE business_id = ${businessId} AND status NOT IN ('succeeded', 'failed')
         AND started_at BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp() - interval '2 seconds'
         FOR UPDATE SKIP LOCKED)`;
  await db.$executeRaw`
    UPDATE idempotency_key SET locked_until = locked_until - interval '1 minute'
     WHERE ctid IN (SELECT ctid FROM idempotency_key
       WHERE business_id = ${businessId} AND status IS NULL
         AND locked_until BETWEEN clock_timestamp() AND clock_timestamp() + interval '58 seconds'
         FOR UPDATE SKIP LOCKED)`;
}

export function makeLinks(key: string, count: number): Promise<string[]> {
  return mapConcurrently(8, Array.from({ length: count }), () => create(key, "payment_links"));
}

/** Treats a missing response as a decline. */
export const unknownIsDeclined: Mutation = {
  file: "lib/ledger/charge.ts",
  find: "await setUnknown(attempt, error).catch(",
  replace: `await settle(attempt, { outcome: "declined", reason: "processing_error", ref: null, card: null, risk: null }).catch(`,
};
