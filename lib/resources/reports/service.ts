import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { shownIso } from "@/lib/http/list";
import { differsFromBooks } from "@/lib/ledger/balance-differences";
import { daySums } from "@/lib/ledger/sums";
import { wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { openMismatch } from "@/lib/resources/payments/resource";
import { untoldPrice } from "@/lib/resources/subscriptions/resource";
import { maxDays, type Overview, type OverviewQuery } from "./contract";
import { currentFigures } from "./figures";
import { churnOf, daysOf, periodOf } from "./period";

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The requested period and the one before it. @throws ValidationError if it is too long */
export function periods({ from, to }: OverviewQuery, today: string) {
  const last = to ?? (from && from > today ? from : today);
  const first = from ?? addDays(last, -29);
  const days = daysBetween(first, last) + 1;
  if (days > maxDays) throw new ValidationError({ from: [`The period must not be longer than ${maxDays} days.`] });
  return { first, last, earlier: addDays(first, -days) };
}

/**
 * A business's figures: of a period of days in its time zone, of the same number of days before it, and current ones.
 * The cost grows with the days and currencies, not with the payments and links (docs/decisions/0022-sums-of-the-overview.md).
 */
export async function overview(tx: Db, actor: Actor, query: OverviewQuery): Promise<Overview> {
  const { business_id } = tenantOf(actor);
  const now = clock.now();
  const { timezone, currency } = await tx.business.findUniqueOrThrow({
    where: { id: business_id },
    select: { timezone: true, currency: true },
  });
  const today = wallTime(now, timezone).slice(0, 10);
  const { first, last, earlier } = periods(query, today);
  const [days, figures, states] = await Promise.all([
    daySums(tx, ownedBy(actor), { from: earlier, to: addDays(last, 1), timezone }),
    currentFigures(tx, actor, now),
    attentionAndFirst(tx, actor, now),
  ]);
  const current = days.filter(({ date }) => date >= first);
  const before = days.filter(({ date }) => date < first);
  // How many recur now is how many recur at the end of a period that lasts until now.
  const atEnd = last >= today ? figures.recurring : null;
  const churn = churnOf(current, atEnd);
  const atStart = churn.map(({ currency, at_start }) => ({ currency, subscriptions: at_start ?? 0 }));
  const { attention, first: begun } = states;
  return {
    _id: "overview",
    created_at: isoMicros(now),
    timezone,
    currency,
    period: periodOf(first, last, current, churn),
    previous: periodOf(earlier, addDays(first, -1), before, churnOf(before, atEnd && atStart)),
    days: daysOf(current),
    previous_days: daysOf(before),
    ...figures,
    attention,
    first: begun,
  };
}

const maxCount = 1000;

async function attentionAndFirst(tx: Db, actor: Actor, now: Date): Promise<Pick<Overview, "attention" | "first">> {
  const owned = ownedBy(actor);
  const { business_id, livemode } = tenantOf(actor);
  const since = new Date(now.getTime() - 30 * 86_400_000);
  const countOf = (table: string, condition: Prisma.Sql) => Prisma.sql`
    (SELECT count(*)::int FROM (SELECT 1 FROM ${Prisma.raw(table)} WHERE ${owned} AND ${condition} LIMIT ${maxCount}) found)`;
  // Read along subscription_facets, with all its columns: another index might read all subscriptions.
  const inStatus = (status: "past_due" | "unpaid") => Prisma.sql`
    (SELECT count(*)::int FROM (
       SELECT 1 FROM subscription WHERE ${owned} AND deleted_at IS NULL
          AND (status, created_at, id) > (${status}::text, '-infinity'::timestamptz, '')
          AND (status, created_at, id) < (${status}::text, 'infinity'::timestamptz, '')
        ORDER BY status, created_at, id LIMIT ${maxCount}) found)`;
  // Reads one entry of the unique index: the first at or after the tenant's position.
  const exists = (table: string) => Prisma.sql`
    EXISTS (SELECT FROM (
      SELECT business_id, livemode FROM ${Prisma.raw(table)} WHERE (business_id, livemode, id) > (${business_id}, ${livemode}, '')
       ORDER BY business_id, livemode, id LIMIT 1) next WHERE ${owned})`;
  // Every succeeded payment has a posting, and the journal has an index by tenant.
  const hasPayment = Prisma.sql`
    EXISTS (SELECT FROM (
      SELECT business_id, livemode FROM posting WHERE (business_id, livemode, created_at) >= (${business_id}, ${livemode}, '-infinity'::timestamptz)
       ORDER BY business_id, livemode, created_at LIMIT 1) next WHERE ${owned})`;
  // Endpoints that were disabled by hand need no attention.
  const failing = Prisma.sql`
    deleted_at IS NULL
    AND (disabled_reason IN ('failing', 'gone') OR (status = 'enabled' AND failing_since IS NOT NULL))`;
  // Of subscriptions that have not started. The index payment_link_first_failed has these rows only.
  const failedFirst = Prisma.sql`
    period_index = 0 AND attempt_count > 0 AND status = 'Active' AND deleted_at IS NULL
    AND EXISTS (SELECT FROM subscription s WHERE s.id = payment_link.subscription_id AND s.status = 'created' AND s.deleted_at IS NULL)`;
  const waiting = Prisma.sql`status IN ('needs_response', 'inquiry_needs_response')`;
  const [row] = await queryRows<Overview["attention"] & Overview["first"]>(
    tx,
    Prisma.sql`
    SELECT ${countOf("payment", Prisma.sql`status = 'unknown'`)} AS unknown_payments,
           ${inStatus("past_due")} AS past_due_subscriptions,
           ${inStatus("unpaid")} AS unpaid_subscriptions,
           (SELECT count(*)::int FROM (
              SELECT payment_id, created_at FROM refund
               WHERE ${owned} AND status = 'failed' AND coalesce(returned_at, settled_at) > ${since}::timestamptz LIMIT ${maxCount}) failed
             WHERE NOT EXISTS (SELECT FROM refund again WHERE again.payment_id = failed.payment_id
                                  AND again.status <> 'failed' AND again.created_at > failed.created_at)) AS failed_refunds,
           ${countOf("webhook_endpoint", failing)} AS failing_webhooks,
           ${countOf("payment", openMismatch())} AS mismatched_payments,
           ${countOf("subscription", untoldPrice)} AS untold_prices,
           ${countOf("dispute", waiting)} AS open_disputes,
           (SELECT ${shownIso("respond_by")} FROM dispute WHERE ${owned} AND ${waiting} AND respond_by IS NOT NULL
             ORDER BY respond_by LIMIT 1) AS dispute_deadline,
           ${countOf("gateway_account", Prisma.sql`replaced_at IS NULL AND broken_at IS NOT NULL`)} AS broken_gateway_accounts,
           ${countOf("payment_link", failedFirst)} AS failed_first_payments,
           ${countOf("unknown_charge", Prisma.sql`status = 'open'`)} AS unknown_charges,
           (SELECT count(*)::int FROM balance_import i WHERE ${owned} AND ${differsFromBooks}) AS differing_balances,
           ${exists("payment_link")} AS payment_link, ${exists("tokenization")} AS tokenization,
           ${exists("subscription")} AS subscription,
           ${hasPayment} AS payment`,
  );
  if (!row) throw new Error("A SELECT without a row.");
  const { payment_link, payment, tokenization, subscription, ...attention } = row;
  return { attention, first: { payment_link, payment, tokenization, subscription } };
}
