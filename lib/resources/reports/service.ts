import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { toUnits } from "@/lib/core/money";
import { shownIso } from "@/lib/http/list";
import { differsFromBooks } from "@/lib/ledger/balance-differences";
import { type DaySums, daySums } from "@/lib/ledger/sums";
import { wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { openMismatch } from "@/lib/resources/payments/resource";
import { untoldPrice } from "@/lib/resources/subscriptions/resource";
import { maxDays, type Overview, type OverviewQuery, type Period, type Sum } from "./contract";
import { currentFigures } from "./figures";

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The requested period and the one before it. @throws ValidationError if it is too long */
function periods({ from, to }: OverviewQuery, today: string) {
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
  const { timezone } = await tx.business.findUniqueOrThrow({ where: { id: business_id }, select: { timezone: true } });
  const { first, last, earlier } = periods(query, wallTime(now, timezone).slice(0, 10));
  const [days, figures, states] = await Promise.all([
    daySums(tx, ownedBy(actor), { from: earlier, to: addDays(last, 1), timezone }),
    currentFigures(tx, actor, now),
    attentionAndFirst(tx, actor, now),
  ]);
  const byDay = days.flatMap(byKind);
  const current = byDay.filter(({ date }) => date >= first);
  const before = byDay.filter(({ date }) => date < first);
  const { attention, first: begun } = states;
  return {
    _id: "overview",
    created_at: isoMicros(now),
    timezone,
    period: periodOf(first, last, current),
    previous: periodOf(earlier, addDays(first, -1), before),
    days: daysOf(current),
    ...figures,
    attention,
    first: begun,
  };
}

const kinds = ["collected", "refunded", "failed", "fee"] as const;

interface SettledSum {
  date: string;
  kind: (typeof kinds)[number];
  currency: string;
  cents: number;
  count: number;
}

/** PostgreSQL returns sums as text; they stay below 2^53. */
const byKind = (day: DaySums): SettledSum[] =>
  kinds.flatMap((kind) => {
    const count = day[`${kind}_count`];
    const cents = Number(day[`${kind}_cents`]);
    // A refund and the return of another one: no count, but an amount.
    return count === 0 && cents === 0 ? [] : [{ date: day.date, currency: day.currency, kind, cents, count }];
  });

const sumOf = (rows: SettledSum[]): Sum => {
  const cents = rows.reduce((total, row) => total + row.cents, 0);
  return { amount: toUnits(cents), amount_cents: cents, count: rows.reduce((total, row) => total + row.count, 0) };
};

const currenciesOf = (rows: { currency: string }[]): string[] =>
  [...new Set(rows.map(({ currency }) => currency))].sort();

function periodOf(from: string, to: string, rows: SettledSum[]): Period {
  const money = rows.filter(({ kind }) => kind !== "fee");
  const fees = rows.filter(({ kind }) => kind === "fee");
  return {
    from,
    to,
    currencies: currenciesOf(money).map((currency) => {
      const of = (kind: SettledSum["kind"]) =>
        sumOf(money.filter((row) => row.currency === currency && row.kind === kind));
      return { currency, collected: of("collected"), refunded: of("refunded"), failed: of("failed") };
    }),
    fees: currenciesOf(fees).map((currency) => {
      const { amount, amount_cents } = sumOf(fees.filter((row) => row.currency === currency));
      return { currency, amount, amount_cents };
    }),
  };
}

function daysOf(rows: SettledSum[]): Overview["days"] {
  const days = new Map<string, Overview["days"][number]>();
  for (const { date, kind, currency, cents, count } of rows) {
    if (kind !== "collected" && kind !== "refunded") continue;
    const key = `${date} ${currency}`;
    const known = days.get(key) ?? { date, currency, collected_cents: 0, refunded_cents: 0, collected_count: 0 };
    if (kind === "refunded") known.refunded_cents += cents;
    else {
      known.collected_cents += cents;
      known.collected_count += count;
    }
    days.set(key, known);
  }
  return [...days.values()];
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
           ${countOf("refund", Prisma.sql`status = 'failed' AND coalesce(returned_at, settled_at) > ${since}::timestamptz`)} AS failed_refunds,
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
