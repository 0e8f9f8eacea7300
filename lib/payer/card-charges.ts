import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { isUnpaidAndDisputed, priceAt } from "@/lib/resources/subscriptions/resource";

/** A period that a saved card pays. Instants are ISO 8601, to be shown in `timezone`. */
export interface CardCharge {
  title: string;
  amount_cents: number;
  currency: string;
  timezone: string;
  period_start: string;
  period_end: string;
}

export interface Total {
  currency: string;
  cents: number;
  count: number;
}

/** What is charged to a card once it is saved (lib/periods/after-card-saved.ts), and later. */
export interface CardCharges {
  /** The oldest owed periods, at most `maxShown`. */
  due: CardCharge[];
  /** Of all owed periods, by currency. */
  totals: Total[];
  next: { title: string; amount_cents: number; currency: string; timezone: string; at: string }[];
}

interface Payer {
  business_id: number;
  livemode: boolean;
  email: string;
}

const maxShown = 5;
const maxPayments = 12;

/**
 * A subscription's oldest owed period is charged first; the others follow as it is paid. A period whose payment is in flight is charged
 * if that fails.
 * @param except a link that the payer pays by hand
 * @param cardId leaves out what is being charged to this tokenization
 */
export async function findCardCharges(
  { business_id, livemode, email }: Payer,
  except: string | null = null,
  cardId: string | null = null,
): Promise<CardCharges> {
  const [found] = await queryRows<CardCharges>(
    db,
    Prisma.sql`
    WITH running AS MATERIALIZED (
      SELECT id, timezone, next_charge_at, cancel_at_period_end, package_id, ${priceAt(Prisma.sql`subscription`, Prisma.sql`next_charge_at`)} AS next_cents
        FROM subscription
       WHERE business_id = ${business_id} AND livemode = ${livemode} AND lower(email COLLATE "C") = lower(${email}::text COLLATE "C")
         AND deleted_at IS NULL AND status IN ('created', 'active', 'past_due', 'unpaid')
         AND NOT ${isUnpaidAndDisputed("subscription")}
    ), owed AS (
      SELECT l.title, l.amount_cents, l.currency::text AS currency, s.timezone, l.period_start, l.period_end,
             row_number() OVER (ORDER BY l.period_start, l.id) AS position
        FROM running s JOIN payment_link l ON l.subscription_id = s.id
       WHERE l.status IN ('Active', 'Processing') AND l.deleted_at IS NULL AND l.period_start <= ${clock.now()}::timestamptz
         AND l.id IS DISTINCT FROM ${except}
         AND NOT (l.status = 'Processing' AND EXISTS (SELECT FROM payment p WHERE p.payment_link_id = l.id AND p.tokenization_id = ${cardId}))
         -- While staff wait for the transfer of a period, neither it nor a later one is charged.
         AND NOT EXISTS (SELECT FROM payment_link w WHERE w.subscription_id = s.id AND w.awaiting_transfer_since IS NOT NULL
                            AND w.deleted_at IS NULL AND w.period_index <= l.period_index AND w.id IS DISTINCT FROM ${except})
    )
    SELECT (SELECT coalesce(json_agg(o ORDER BY position), '[]') FROM owed o WHERE position <= ${maxShown}) AS due,
           (SELECT coalesce(json_agg(t), '[]') FROM (
              SELECT currency, sum(amount_cents)::float8 AS cents, count(*)::int AS count
                FROM owed GROUP BY currency ORDER BY currency) AS t) AS totals,
           (SELECT coalesce(json_agg(n), '[]') FROM (
              SELECT p.name AS title, s.next_cents AS amount_cents, p.currency::text AS currency, s.timezone, s.next_charge_at AS at
                FROM running s JOIN package p ON p.id = s.package_id
               WHERE s.next_charge_at IS NOT NULL AND NOT s.cancel_at_period_end
               ORDER BY s.next_charge_at LIMIT 3) AS n) AS next`,
  );
  return found ?? { due: [], totals: [], next: [] };
}

export interface CardPayment {
  title: string;
  amount_cents: number;
  currency: string;
  status: string;
}

/** What was charged to a saved card, and what is still to be charged. */
export interface AfterSave {
  charges: CardCharges;
  payments: CardPayment[];
}

export async function findAfterSave(tokenization: Payer & { id: string }): Promise<AfterSave> {
  const { id } = tokenization;
  const [charges, payments] = await Promise.all([findCardCharges(tokenization, null, id), findFirstPayments(id)]);
  return { charges, payments };
}

/** The first payments made with a saved card: those that saving it caused. */
function findFirstPayments(tokenizationId: string): Promise<CardPayment[]> {
  return queryRows<CardPayment>(
    db,
    Prisma.sql`
    SELECT l.title, p.amount_cents, p.currency::text AS currency, p.status
      FROM payment p JOIN payment_link l ON l.id = p.payment_link_id
     WHERE p.tokenization_id = ${tokenizationId} ORDER BY p.created_at, p.id LIMIT ${maxPayments}`,
  );
}
