import pLimit from "p-limit";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { firstIdAt } from "@/lib/core/id";
import { manualGateway } from "@/lib/gateways/gateway";
import type { Payment } from "@/lib/generated/prisma/client";
import { addUnknownCharges } from "./charge-books";
import { Comparison } from "./comparison";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { addUnknownDisputes, compareDisputes } from "./dispute-books";
import { isMismatch } from "./mismatch";
import { readAll } from "./read-all";
import { findAttempt } from "./reconcile";
import { settlementsSql } from "./sums";

/** One business, mode and currency. Amounts in cents. */
export interface Sums {
  business_id: number;
  livemode: boolean;
  currency: string;
  payments: number;
  /**
   * By payers, at gateways or by hand. `fees` is kept by the gateways, `paid_out` was sent to the bank; `balance` remains at
   * the gateways.
   */
  paid: number;
  refunded: number;
  /** Withdrawn by payers' banks in disputes, less what they returned. */
  disputed: number;
  fees: number;
  paid_out: number;
  balance: number;
  /** What gateways took for mismatches that staff have not counted as payments, less what was refunded. */
  unmatched: number;
  /** Manual payments (transfer, cash, cheque), less what staff returned by hand. No gateway has this money. */
  manual: number;
  /** Attempts and refunds without a final outcome. */
  open: number;
  /** Payments whose fee the gateway has not reported yet. `fees` lacks it. */
  unknown_fees: number;
}

export interface Books {
  sums: Sums[];
  /** One line each; empty when the books balance. */
  imbalances: string[];
}

/** Final statuses of payments. */
const final = "('succeeded', 'failed', 'reversed')";

/** The tables that the checks read. Each row has its business. */
const tables = [
  ...["payment_link", "payment", "refund", "posting", "settled_sum", "settled_change"],
  ...["dispute", "dispute_movement", "balance_entry", "subscription", "package"],
];

/** Restricts a statement to one business: queries of these names hide the tables. */
const within = (businessId: number): Prisma.Sql =>
  Prisma.sql`WITH ${Prisma.join(
    tables.map(
      (name) =>
        Prisma.sql`${Prisma.raw(`${name} AS (SELECT * FROM public.${name} WHERE business_id =`)} ${businessId})`,
    ),
  )} `;

/**
 * Checks the journal and the sums of the overview against payments, refunds and links. All checks see one snapshot, so that
 * concurrent payments do not appear as imbalances.
 * @param businessId only this business; by default all
 */
export function checkBooks(businessId?: number): Promise<Books> {
  if (businessId === undefined) return readAll((read) => booksOf((sql) => read(Prisma.raw(sql))));
  return booksOf((sql) => queryRows(db, Prisma.sql`${within(businessId)}${Prisma.raw(sql)}`));
}

async function booksOf(read: <Row extends object>(sql: string) => Promise<Row[]>): Promise<Books> {
  const sums = await read<Sums>(sumsSql);
  const found = await read<{ line: string }>(imbalancesSql);
  return { sums, imbalances: found.map(({ line }) => line) };
}

// From the journal alone, except `open` and `unknown_fees`: the journal has no rows for them.
const sumsSql = `
  SELECT business_id, livemode, currency,
         sum(CASE kind WHEN 'payment' THEN 1 WHEN 'payment_reversed' THEN -1 ELSE 0 END)::int AS payments,
         sum(CASE kind WHEN 'payment' THEN amount_cents WHEN 'payment_reversed' THEN -amount_cents ELSE 0 END)::float8 AS paid,
         sum(CASE kind WHEN 'refund' THEN amount_cents WHEN 'refund_returned' THEN -amount_cents ELSE 0 END)::float8 AS refunded,
         sum(CASE 'disputes' WHEN debit THEN amount_cents WHEN credit THEN -amount_cents ELSE 0 END)::float8 AS disputed,
         sum(CASE 'fees' WHEN debit THEN amount_cents WHEN credit THEN -amount_cents ELSE 0 END)::float8 AS fees,
         sum(CASE 'bank' WHEN debit THEN amount_cents WHEN credit THEN -amount_cents ELSE 0 END)::float8 AS paid_out,
         sum(CASE 'gateway' WHEN debit THEN amount_cents WHEN credit THEN -amount_cents ELSE 0 END)::float8 AS balance,
         sum(CASE 'manual' WHEN debit THEN amount_cents WHEN credit THEN -amount_cents ELSE 0 END)::float8 AS manual,
         sum(CASE 'unmatched' WHEN credit THEN amount_cents WHEN debit THEN -amount_cents ELSE 0 END)::float8 AS unmatched,
         sum(open)::int AS open, sum(unknown_fee)::int AS unknown_fees
    FROM (SELECT business_id, livemode, currency, kind, debit, credit, amount_cents, 0 AS open, 0 AS unknown_fee FROM posting
          UNION ALL
          SELECT business_id, livemode, currency, '', '', '', 0, 1, 0 FROM payment
           WHERE status NOT IN ${final}
          UNION ALL
          SELECT business_id, livemode, currency, '', '', '', 0, 0, 1 FROM payment
           WHERE status = 'succeeded' AND fee_cents IS NULL
          UNION ALL
          SELECT business_id, livemode, currency, '', '', '', 0, 1, 0 FROM refund WHERE status = 'pending') AS moved
   GROUP BY 1, 2, 3 ORDER BY 1, 2 DESC, 3`;

const checks: Record<string, string> = {
  "paid link without just one payment of its amount": `
    SELECT l.id AS of FROM payment_link l
     WHERE l.status = 'Paid' AND 1 <> (
       SELECT count(*) FROM payment p WHERE p.payment_link_id = l.id AND p.status = 'succeeded'
          AND p.amount_cents = l.amount_cents AND p.currency = l.currency)`,
  "payment of a link that is not paid": `
    SELECT p.id AS of FROM payment p JOIN payment_link l ON l.id = p.payment_link_id
     WHERE p.status = 'succeeded' AND l.status <> 'Paid'`,
  "link in flight without an open attempt": `
    SELECT l.id AS of FROM payment_link l
     WHERE l.status = 'Processing' AND NOT EXISTS (
       SELECT FROM payment p WHERE p.payment_link_id = l.id AND p.status NOT IN ${final})`,
  "open attempt of a link that is not in flight": `
    SELECT p.id AS of FROM payment p JOIN payment_link l ON l.id = p.payment_link_id
     WHERE p.status NOT IN ${final} AND l.status <> 'Processing'`,
  "payment and journal differ": `
    SELECT coalesce(p.id, j.payment_id) AS of
      FROM (SELECT * FROM payment WHERE status IN ('succeeded', 'reversed')) p
      FULL JOIN (SELECT * FROM posting WHERE kind = 'payment') j ON j.payment_id = p.id
     WHERE p.id IS NULL OR j.id IS NULL OR j.amount_cents <> p.amount_cents OR j.currency <> p.currency`,
  "reversed payment and journal differ": `
    SELECT coalesce(p.id, j.payment_id) AS of
      FROM (SELECT * FROM payment WHERE status = 'reversed') p
      FULL JOIN (SELECT * FROM posting WHERE kind = 'payment_reversed') j ON j.payment_id = p.id
     WHERE p.id IS NULL OR j.id IS NULL OR j.amount_cents <> p.amount_cents OR j.currency <> p.currency`,
  "money in the wrong account": `
    SELECT p.id AS of FROM payment p JOIN posting j ON j.payment_id = p.id
     WHERE CASE p.gateway WHEN 'manual' THEN 'gateway' ELSE 'manual' END IN (j.debit, j.credit)`,
  "fee and journal differ": `
    SELECT coalesce(p.id, j.payment_id) AS of
      FROM (SELECT * FROM payment WHERE fee_cents > 0) p
      FULL JOIN (SELECT * FROM posting WHERE kind = 'fee') j ON j.payment_id = p.id
     WHERE p.id IS NULL OR j.id IS NULL OR j.amount_cents <> p.fee_cents OR j.currency <> p.fee_currency`,
  // Without rows for refunds: the journal alone has their exchange.
  "exchange and journal differ": `
    SELECT coalesce(p.id, j.payment_id) AS of
      FROM (SELECT id, amount_cents, currency, booked_cents, fee_currency FROM payment WHERE booked_cents IS NOT NULL) p
      FULL JOIN (
        SELECT payment_id, max(amount_cents) FILTER (WHERE kind = 'exchange_out') AS from_cents,
               max(currency) FILTER (WHERE kind = 'exchange_out') AS from_currency,
               coalesce(max(amount_cents) FILTER (WHERE kind = 'exchange_in'), 0) AS to_cents,
               max(currency) FILTER (WHERE kind = 'exchange_in') AS to_currency
          FROM posting WHERE kind IN ('exchange_in', 'exchange_out') AND refund_id IS NULL GROUP BY 1) j ON j.payment_id = p.id
     WHERE (p.amount_cents, p.currency, p.booked_cents) IS DISTINCT FROM (j.from_cents, j.from_currency, j.to_cents)
        OR (p.booked_cents > 0 AND p.fee_currency IS DISTINCT FROM j.to_currency)`,
  "exchange of a refund without its other side": `
    SELECT refund_id AS of FROM posting WHERE kind IN ('exchange_in', 'exchange_out') AND refund_id IS NOT NULL
     GROUP BY 1 HAVING count(*) FILTER (WHERE kind = 'exchange_in') <> count(*) FILTER (WHERE kind = 'exchange_out')`,
  "refund and journal differ": `
    SELECT coalesce(r.id, j.refund_id) AS of
      FROM (SELECT * FROM refund WHERE status = 'succeeded') r
      FULL JOIN (
        SELECT refund_id, sum(CASE kind WHEN 'refund' THEN amount_cents ELSE -amount_cents END) AS cents, max(currency) AS currency
          FROM posting WHERE kind IN ('refund', 'refund_returned') GROUP BY 1
        HAVING sum(CASE kind WHEN 'refund' THEN amount_cents ELSE -amount_cents END) <> 0) j ON j.refund_id = r.id
     WHERE r.id IS NULL OR j.refund_id IS NULL OR j.cents <> r.amount_cents OR j.currency <> r.currency`,
  "returned refund and journal differ": `
    SELECT coalesce(r.id, j.refund_id) AS of
      FROM (SELECT * FROM refund WHERE returned_at IS NOT NULL) r
      FULL JOIN (SELECT * FROM posting WHERE kind = 'refund_returned') j ON j.refund_id = r.id
     WHERE r.id IS NULL OR j.refund_id IS NULL OR j.amount_cents <> r.amount_cents OR j.created_at <> r.returned_at`,
  "charge and balance entry differ": `
    SELECT e.gateway_ref AS of FROM balance_entry e JOIN payment p ON p.id = e.payment_id
     WHERE e.recorded AND e.type = 'charge' AND p.status <> 'failed'
       AND (coalesce(p.booked_cents, p.amount_cents), p.fee_cents, p.fee_currency)
           IS DISTINCT FROM (e.amount_cents, e.fee_cents, e.currency)`,
  "balance entry and journal differ": `
    SELECT e.gateway_ref AS of FROM balance_entry e LEFT JOIN (
      SELECT balance_entry_id, sum(CASE debit WHEN 'gateway' THEN amount_cents ELSE -amount_cents END) AS cents
        FROM posting WHERE balance_entry_id IS NOT NULL GROUP BY 1) j ON j.balance_entry_id = e.id
     WHERE e.recorded AND e.refund_id IS NULL AND coalesce(j.cents, 0) <> e.net_cents
       AND NOT (e.type IN ('charge', 'dispute', 'dispute_reversal') AND coalesce(j.cents, 0) = 0)`,
  "balance entry in the journal twice": `
    SELECT e.gateway_ref AS of FROM balance_entry e JOIN (
      SELECT balance_entry_id, sum(CASE debit WHEN 'gateway' THEN amount_cents ELSE -amount_cents END) AS cents
        FROM posting WHERE balance_entry_id IS NOT NULL GROUP BY 1) j ON j.balance_entry_id = e.id
     WHERE e.recorded AND e.refund_id IS NULL AND j.cents <> 0
       AND (EXISTS (SELECT FROM dispute_movement m WHERE m.gateway_ref = e.gateway_ref)
            OR EXISTS (SELECT FROM refund r WHERE r.gateway_ref = e.source_ref AND r.status = 'succeeded'))`,
  "refunds do not add up to their payment's": `
    SELECT p.id AS of FROM payment p
      LEFT JOIN (SELECT payment_id, sum(amount_cents) FILTER (WHERE status = 'succeeded') AS done,
                        sum(amount_cents) FILTER (WHERE status = 'pending') AS pending
                   FROM refund GROUP BY 1) r ON r.payment_id = p.id
     WHERE p.refunded_cents <> coalesce(r.done, 0) OR p.refund_pending_cents <> coalesce(r.pending, 0)`,
  "refunds do not add up to their link's": `
    SELECT l.id AS of FROM payment_link l
      LEFT JOIN (SELECT payment_link_id, sum(refunded_cents) AS cents FROM payment GROUP BY 1) p ON p.payment_link_id = l.id
     WHERE l.refunded_cents <> coalesce(p.cents, 0)`,
  "dispute and its movements differ": `
    SELECT d.id AS of FROM dispute d
      LEFT JOIN (SELECT dispute_id, sum(amount_cents) FILTER (WHERE kind = 'withdrawn') AS withdrawn,
                        sum(amount_cents) FILTER (WHERE kind = 'returned') AS returned, sum(fee_cents) AS fee,
                        min(currency) AS currency, max(currency) AS other
                   FROM dispute_movement GROUP BY 1) m ON m.dispute_id = d.id
     WHERE (d.withdrawn_cents, d.returned_cents, d.fee_cents)
           <> (coalesce(m.withdrawn, 0), coalesce(m.returned, 0), coalesce(m.fee, 0))
        OR d.booked_currency IS DISTINCT FROM m.currency OR m.currency <> m.other`,
  "dispute's movement and journal differ": `
    SELECT coalesce(m.gateway_ref, j.movement_ref) AS of
      FROM (SELECT * FROM dispute_movement WHERE amount_cents > 0 OR fee_cents <> 0) m
      FULL JOIN (
        SELECT movement_ref, max(currency) AS currency, sum(CASE 'gateway' WHEN debit THEN amount_cents ELSE -amount_cents END) AS cents,
               sum(CASE 'fees' WHEN debit THEN amount_cents WHEN credit THEN -amount_cents ELSE 0 END) AS fee
          FROM posting WHERE movement_ref IS NOT NULL GROUP BY 1) j ON j.movement_ref = m.gateway_ref
     WHERE m.gateway_ref IS NULL OR j.movement_ref IS NULL OR j.currency <> m.currency OR j.fee <> m.fee_cents
        OR j.cents <> CASE m.kind WHEN 'returned' THEN m.amount_cents ELSE -m.amount_cents END - m.fee_cents`,
  "disputes do not add up to their payment's": `
    SELECT p.id AS of FROM payment p
      LEFT JOIN (SELECT payment_id, sum(amount_cents) AS cents FROM dispute
                  WHERE status IN ('needs_response', 'under_review', 'lost') GROUP BY 1) d ON d.payment_id = p.id
     WHERE p.disputed_cents <> coalesce(d.cents, 0)`,
  // Including changes that the job has not added yet.
  "sums of the overview and settlements differ": `
    SELECT concat_ws(' ', business_id, CASE WHEN livemode THEN 'live' ELSE 'test' END, currency, kind,
                     minutes || ' minutes from', to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')) AS of
      FROM (SELECT business_id, livemode, currency, kind, minutes, starts_at, cents, count
              FROM settled_sum, LATERAL (VALUES ('collected', collected_cents, collected_count),
                     ('refunded', refunded_cents, refunded_count), ('failed', failed_cents, failed_count),
                     ('fee', fee_cents, fee_count), ('disputed', disputed_cents, disputed_count), ('ended', 0, ended_count)) AS sum(kind, cents, count)
            UNION ALL
            SELECT business_id, livemode, currency, kind, level.minutes,
                   date_bin(level.minutes * interval '1 minute', settled_at, '2000-01-01T00:00:00Z'), sign * cents, sign * count
              FROM (SELECT 1 AS sign, business_id, livemode, settled_at, currency, kind, cents, count FROM settled_change
                     WHERE kind NOT IN ('started', 'left')
                    UNION ALL
                    SELECT -1, business_id, livemode, settled_at, currency, kind, cents, count
                      FROM (${settlementsSql}) AS settlement) AS settled,
                   (VALUES (15), (60)) AS level(minutes)) AS both_sides
     GROUP BY business_id, livemode, currency, kind, minutes, starts_at HAVING sum(cents) <> 0 OR sum(count) <> 0
     ORDER BY 1`,
};

/** All checks in one statement, because one business's rows are read once for all of them. */
const imbalancesSql = Object.entries(checks)
  .map(([what, sql]) => `(SELECT '${what.replaceAll("'", "''")}: ' || of AS line FROM (${sql} LIMIT 100) AS found)`)
  .join(" UNION ALL ");

/** Lookups at once. If the gateway limits our rate, its driver repeats them (lib/gateways/stripe/retries.ts). */
const maxInFlight = 10;

/**
 * Finds the disputes and charges of the last `days` that the gateways have and the ledger lacks. Then compares each payment of these days
 * with its gateway: charge, refunds, disputes and fee, in up to three calls. A failed call is not a difference.
 * @returns `found`, with the differences
 */
export async function compareWithGateways(days: number, found = new Comparison(days)): Promise<Comparison> {
  const since = new Date(Date.now() - days * 86_400_000);
  await addUnknownDisputes(since, found);
  await addUnknownCharges(since, found);
  const limit = pLimit(maxInFlight);
  let from: Prisma.StringFilter = { gte: await firstIdSince(since) };
  for (;;) {
    const payments = await db.payment.findMany({
      where: {
        id: from,
        started_at: { gte: since },
        status: { in: ["succeeded", "failed"] },
        gateway: { not: manualGateway }, // no gateway knows manual payments
      },
      orderBy: { id: "asc" },
      take: 100,
    });
    if (payments.length === 0) return found;
    from = { gt: payments.at(-1)?.id };
    await limit.map(payments, async (payment) => {
      try {
        for (const difference of await compare(payment)) found.differences.push(`${payment.id}: ${difference}`);
      } catch (error) {
        await found.addFailure(payment.id, payment.gateway_account_id, error, "payment");
      }
    });
  }
}

/** Ids begin with the time at which they were made, and `started_at` has no index. A day covers clocks that differ. */
const idMarginMs = 86_400_000;

/** A bound below the ids of all payments since a time. Charges that were adopted since then have older ids. */
async function firstIdSince(since: Date): Promise<string> {
  const bound = firstIdAt("pay", new Date(since.getTime() - idMarginMs));
  const [adopted] = await queryRows<{ id: string | null }>(
    db,
    Prisma.sql`
    SELECT min(gateway_key) AS id FROM unknown_charge
     WHERE status = 'adopted' AND resolved_at >= ${since}::timestamptz AND gateway_key < ${bound}`,
  );
  return adopted?.id ?? bound;
}

async function compare(payment: Payment): Promise<string[]> {
  const attempt = await findAttempt(payment.id);
  if (!attempt) return [];
  const { gateway, sent } = attempt;
  const known = await withDeadline(gateway.lookup(sent), lookupDeadlineMs);
  const failed = known.outcome === "declined" || known.outcome === "absent";
  const taken = payment.status === "succeeded" || isMismatch(payment);
  const same = known.outcome === "succeeded" ? taken : failed && payment.status === "failed" && !isMismatch(payment);
  if (!same) return [`${payment.status} here, ${known.outcome} there`];
  if (known.outcome !== "succeeded") return [];
  // The balance's entries have the refunds and the fee of a mismatch.
  if (isMismatch(payment)) return compareDisputes(payment.id, gateway, known.ref);
  const differences: string[] = [];
  const refunds = await withDeadline(gateway.refundsOf(known.ref), lookupDeadlineMs);
  const refunded = refunds.reduce((sum, refund) => sum + (refund.status === "succeeded" ? refund.amountCents : 0), 0);
  if (refunded !== payment.refunded_cents)
    differences.push(`${payment.refunded_cents} refunded here, ${refunded} there`);
  if (payment.dispute_status !== null) differences.push(...(await compareDisputes(payment.id, gateway, known.ref)));
  const { booked } = known;
  if (booked && (booked.feeCents !== payment.fee_cents || booked.currency !== payment.fee_currency?.trim()))
    differences.push(
      `a fee of ${payment.fee_cents} ${payment.fee_currency} here, ${booked.feeCents} ${booked.currency} there`,
    );
  if (payment.booked_cents !== null && booked && booked.grossCents !== payment.booked_cents)
    differences.push(`exchanged into ${payment.booked_cents} here, ${booked.grossCents} ${booked.currency} there`);
  return differences;
}
