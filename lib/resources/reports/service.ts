import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { toUnits } from "@/lib/core/money";
import { type Frequency, wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { maxDays, type Overview, type OverviewQuery, type Period, type Sum } from "./contract";

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
 * The cost grows with the payments of these days only (index payment_settled_of).
 */
export async function overview(tx: Db, actor: Actor, query: OverviewQuery): Promise<Overview> {
  const { business_id } = tenantOf(actor);
  const now = clock.now();
  const { timezone } = await tx.business.findUniqueOrThrow({ where: { id: business_id }, select: { timezone: true } });
  const { first, last, earlier } = periods(query, wallTime(now, timezone).slice(0, 10));
  const owned = ownedBy(actor);
  const [byDay, open, recurring, states] = await Promise.all([
    settledByDay(tx, owned, { from: earlier, to: addDays(last, 1), timezone }),
    openLinks(tx, owned, now),
    recurringOf(tx, owned),
    attentionAndFirst(tx, owned, now),
  ]);
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
    open,
    recurring,
    attention,
    first: begun,
  };
}

interface SettledSum {
  date: string;
  kind: "collected" | "refunded" | "failed" | "fee";
  currency: string;
  cents: number;
  count: number;
}

/** The sums settled on each day from `from` to before `to`. PostgreSQL returns sums as text; they stay below 2^53. */
async function settledByDay(
  tx: Db,
  owned: Prisma.Sql,
  { from, to, timezone }: { from: string; to: string; timezone: string },
): Promise<SettledSum[]> {
  const settled = Prisma.sql`
    ${owned} AND settled_at >= (${from}::text::timestamp AT TIME ZONE ${timezone}::text)
             AND settled_at < (${to}::text::timestamp AT TIME ZONE ${timezone}::text)`;
  const date = Prisma.sql`(settled_at AT TIME ZONE ${timezone}::text)::date`;
  const rows = await queryRows<Omit<SettledSum, "cents"> & { cents: string }>(
    tx,
    Prisma.sql`
    SELECT to_char(date, 'YYYY-MM-DD') AS date, kind, currency, cents, count FROM (
    WITH paid AS (
      SELECT ${date} AS date, status, currency, fee_currency, sum(amount_cents)::text AS cents,
             coalesce(sum(fee_cents), 0)::text AS fee, count(*)::int AS count
        FROM payment WHERE ${settled} GROUP BY 1, 2, 3, 4)
    SELECT date, CASE status WHEN 'succeeded' THEN 'collected' ELSE 'failed' END AS kind, currency, cents, count FROM paid
     WHERE status IN ('succeeded', 'failed')
    UNION ALL
    SELECT date, 'fee', fee_currency, fee, count FROM paid WHERE fee_currency IS NOT NULL
    UNION ALL
    SELECT ${date}, 'refunded', currency, sum(amount_cents)::text, count(*)::int
      FROM refund WHERE ${settled} AND status = 'succeeded' GROUP BY 1, 3) moved
     ORDER BY 1`,
  );
  return rows.map(({ cents, ...row }) => ({ ...row, cents: Number(cents) }));
}

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

async function openLinks(tx: Db, owned: Prisma.Sql, now: Date): Promise<Overview["open"]> {
  const rows = await queryRows<{ currency: string; cents: string; count: number }>(
    tx,
    Prisma.sql`
    SELECT currency, sum(amount_cents)::text AS cents, count(*)::int AS count FROM payment_link
     WHERE ${owned} AND status = 'Active' AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)
     GROUP BY currency ORDER BY currency`,
  );
  return rows.map(({ currency, cents, count }) => ({
    currency,
    amount: toUnits(Number(cents)),
    amount_cents: Number(cents),
    count,
  }));
}

const yearly: Record<Frequency, number> = {
  daily: 365,
  weekly: 365 / 7,
  monthly: 12,
  quarterly: 4,
  semiannual: 2,
  yearly: 1,
};

async function recurringOf(tx: Db, owned: Prisma.Sql): Promise<Overview["recurring"]> {
  const rows = await queryRows<{ currency: string; amount_cents: number; frequency: Frequency; count: number }>(
    tx,
    Prisma.sql`
    SELECT p.currency, p.amount_cents, p.frequency, s.count FROM (
      SELECT package_id, count(*)::int AS count FROM subscription
       WHERE ${owned} AND status IN ('active', 'past_due') AND deleted_at IS NULL GROUP BY package_id) s
      JOIN package p ON p.id = s.package_id`,
  );
  return currenciesOf(rows).map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const cents = Math.round(
      own.reduce((total, row) => total + (row.amount_cents * row.count * yearly[row.frequency]) / 12, 0),
    );
    const subscriptions = own.reduce((total, row) => total + row.count, 0);
    return { currency, amount: toUnits(cents), amount_cents: cents, subscriptions };
  });
}

const maxCount = 1000;

async function attentionAndFirst(tx: Db, owned: Prisma.Sql, now: Date): Promise<Pick<Overview, "attention" | "first">> {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  const countOf = (table: string, condition: Prisma.Sql) => Prisma.sql`
    (SELECT count(*)::int FROM (SELECT 1 FROM ${Prisma.raw(table)} WHERE ${owned} AND ${condition} LIMIT ${maxCount}) found)`;
  const exists = (table: string) =>
    Prisma.sql`EXISTS (SELECT FROM ${Prisma.raw(table)} WHERE ${owned} ORDER BY created_at LIMIT 1)`;
  // Endpoints that were disabled by hand need no attention.
  const failing = Prisma.sql`
    deleted_at IS NULL
    AND (disabled_reason IN ('failing', 'gone') OR (status = 'enabled' AND failing_since IS NOT NULL))`;
  const trouble = Prisma.sql`status IN ('past_due', 'unpaid') AND deleted_at IS NULL`;
  const [row] = await queryRows<Overview["attention"] & Overview["first"]>(
    tx,
    Prisma.sql`
    SELECT ${countOf("payment", Prisma.sql`status = 'unknown'`)} AS unknown_payments,
           ${countOf("subscription", Prisma.sql`${trouble} AND status = 'past_due'`)} AS past_due_subscriptions,
           ${countOf("subscription", Prisma.sql`${trouble} AND status = 'unpaid'`)} AS unpaid_subscriptions,
           ${countOf("refund", Prisma.sql`status = 'failed' AND settled_at > ${since}::timestamptz`)} AS failed_refunds,
           ${countOf("webhook_endpoint", failing)} AS failing_webhooks,
           ${exists("payment_link")} AS payment_link, ${exists("tokenization")} AS tokenization,
           ${exists("subscription")} AS subscription,
           EXISTS (SELECT FROM payment WHERE ${owned} AND status = 'succeeded' AND settled_at IS NOT NULL) AS payment`,
  );
  if (!row) throw new Error("A SELECT without a row.");
  const { payment_link, payment, tokenization, subscription, ...attention } = row;
  return { attention, first: { payment_link, payment, tokenization, subscription } };
}
