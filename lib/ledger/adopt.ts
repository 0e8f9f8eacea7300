import { withClockOf } from "@/lib/core/clock";
import { db, execute, isUniqueViolation, Prisma, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { reconcileDisputes } from "./dispute";
import { gatewayFor } from "./gateways";
import { reconcilePayment } from "./reconcile";
import { reconcileRefunds } from "./refund";

interface Unresolved {
  id: string;
  business_id: number;
  livemode: boolean;
  gateway_account_id: string;
  gateway_key: string;
  gateway_ref: string;
  amount_cents: number;
  currency: string;
  charged_at: Date;
  status: "undecided" | "open";
}

const batchSize = 100;
const maxInFlight = 4;

/**
 * Gives each unknown charge a payment, if its link or period exists, can be paid and has the charge's amount. Otherwise stores
 * the problem with the charge. Safe to run concurrently.
 * @returns how many were adopted
 * @throws when the gateway or the database is unreachable
 */
export async function adoptCharges(of: { accountId: string } | { subscriptionId: string }): Promise<number> {
  const mine =
    "accountId" in of
      ? Prisma.sql`gateway_account_id = ${of.accountId}`
      : Prisma.sql`subscription_id = ${of.subscriptionId}`;
  let adopted = 0;
  for (let last = ""; ; ) {
    const batch = await queryRows<Unresolved>(
      db,
      Prisma.sql`
      SELECT id, business_id, livemode, gateway_account_id, gateway_key, gateway_ref, amount_cents, currency, charged_at, status
        FROM unknown_charge WHERE resolved_at IS NULL AND ${mine} AND id > ${last} ORDER BY id LIMIT ${batchSize}::int`,
    );
    const remaining = batch[Symbol.iterator]();
    const worker = async () => {
      for (const charge of remaining) if (await adopt(charge)) adopted++;
    };
    await Promise.all(Array.from({ length: maxInFlight }, worker));
    if (batch.length < batchSize) return adopted;
    last = batch.at(-1)?.id ?? last;
  }
}

/** @returns whether the charge has its payment now */
async function adopt(charge: Unresolved): Promise<boolean> {
  if (charge.status === "undecided" && !(await decide(charge))) return false;
  if (!(await insertPayment(charge.id))) {
    await recordProblem(charge.id);
    return false;
  }
  const { business_id, livemode, gateway_key } = charge;
  log.warn({ payment: gateway_key }, "a charge that the ledger did not know got its payment");
  await withClockOf(business_id, livemode, async () => {
    await reconcilePayment(gateway_key); // if this fails, the sweep settles the payment
    // A charge may be adopted long after the comparison that listed its refunds and disputes.
    await reconcileRefunds({ paymentId: gateway_key });
    await reconcileDisputes(gateway_key);
  });
  return true;
}

/** Looks up the outcome of a charge that could not be stopped. @returns whether it took the money */
async function decide(charge: Unresolved): Promise<boolean> {
  const { id, gateway_key: gatewayKey, gateway_ref: ref, amount_cents: amountCents, charged_at: startedAt } = charge;
  const gateway = await gatewayFor(charge);
  if (!gateway) return false;
  const attempt = { gatewayKey, ref, startedAt, cardRef: null, amountCents, currency: charge.currency };
  const known = await withDeadline(gateway.lookup(attempt), lookupDeadlineMs);
  const isUndecided = Prisma.sql`id = ${id} AND status = 'undecided'`;
  if (known.outcome === "succeeded")
    await execute(
      db,
      Prisma.sql`UPDATE unknown_charge SET status = 'open', gateway_ref = ${known.ref} WHERE ${isUndecided}`,
    );
  if (known.outcome === "declined" || known.outcome === "absent")
    await execute(
      db,
      Prisma.sql`UPDATE unknown_charge SET status = 'void', resolved_at = business_time(business_id, livemode) WHERE ${isUndecided}`,
    );
  return known.outcome === "succeeded";
}

/**
 * Inserts the payment, in the state that it had before its outcome was known, and moves the link to Processing. The ledger then
 * settles it like any other. The money is taken, so the link may also be inactive or expired.
 */
async function insertPayment(id: string): Promise<boolean> {
  try {
    const inserted = await execute(
      db,
      Prisma.sql`
      WITH charge AS (
        SELECT * FROM unknown_charge WHERE id = ${id} AND status = 'open' FOR UPDATE
      ), link AS (
        UPDATE payment_link l SET status = 'Processing' FROM charge c
         WHERE (l.id = c.payment_link_id OR (l.subscription_id = c.subscription_id AND l.period_index = c.period_index))
           AND l.business_id = c.business_id AND l.livemode = c.livemode AND l.status IN ('Active', 'Inactive')
           AND l.deleted_at IS NULL AND l.amount_cents = c.amount_cents AND l.currency = c.currency
        RETURNING l.id AS link_id, c.*
      ), resolved AS (
        UPDATE unknown_charge u SET status = 'adopted', problem = NULL, resolved_at = business_time(u.business_id, u.livemode)
          FROM link WHERE u.id = link.id
      )
      INSERT INTO payment (id, gateway_key, gateway_ref, business_id, livemode, payment_link_id, gateway, gateway_account_id,
                           amount_cents, currency, status)
      SELECT link.gateway_key, link.gateway_key, gateway_ref, link.business_id, link.livemode, link_id, a.gateway, a.id,
             amount_cents, currency, 'unknown'
        FROM link JOIN gateway_account a ON a.id = link.gateway_account_id`,
    );
    return inserted > 0;
  } catch (error) {
    // The link has another open or paid attempt.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

async function recordProblem(id: string): Promise<void> {
  await execute(
    db,
    Prisma.sql`
    UPDATE unknown_charge u SET problem = CASE
             WHEN l.id IS NULL AND u.period_index >= s.next_period THEN 'period_not_open'
             WHEN l.id IS NULL THEN 'link_unknown'
             WHEN l.deleted_at IS NOT NULL THEN 'link_deleted'
             WHEN l.status = 'Paid' THEN 'link_paid'
             WHEN l.amount_cents <> u.amount_cents OR l.currency <> u.currency THEN 'amount_differs'
             ELSE 'link_processing' END
      FROM unknown_charge c
      LEFT JOIN payment_link l
        ON (l.id = c.payment_link_id OR (l.subscription_id = c.subscription_id AND l.period_index = c.period_index))
       AND l.business_id = c.business_id AND l.livemode = c.livemode
      LEFT JOIN subscription s
        ON s.id = c.subscription_id AND s.business_id = c.business_id AND s.livemode = c.livemode AND s.deleted_at IS NULL
     WHERE c.id = ${id} AND u.id = c.id AND u.status = 'open'`,
  );
}
