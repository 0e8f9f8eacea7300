import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { allows } from "@/lib/auth/scopes";
import { cardExpiresAt } from "@/lib/core/card-expiry";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, db, Prisma, queryRows } from "@/lib/core/db";
import { toUnits } from "@/lib/core/money";
import { type Frequency, periodDay, periodFrom, periodStart, wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { storedFigures } from "@/lib/resources/reports/stored-figures";
import type { Forecast } from "./forecast-contract";

interface Running {
  id: string;
  email: string;
  status: string;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
  next_charge_at: Date;
  cancel_at_period_end: boolean;
  amount_cents: number;
  next_amount_cents: number | null;
  next_amount_from: Date | null;
  currency: string;
  card_brand: string | null;
  card_last4: string | null;
  card_exp_month: number | null;
  card_exp_year: number | null;
}

/** The pauses between batches let other requests run. */
const batchSize = 500;
const maxAtRisk = 100;
/** Subscriptions of which a request computes the forecast itself, in some 50 ms. */
const maxForecast = 1_000;
/** What the job forecasts; a request takes its days of that. */
const storedDays = 366;

type Days = NonNullable<Forecast["days"]>;
type AtRisk = NonNullable<Forecast["at_risk"]>[number];

interface Figures {
  days: Days;
  at_risk: AtRisk[];
}

/**
 * Forecasts the charges of the next days, and each subscription's first charge without a valid card. With many subscriptions,
 * takes the days of what a job has last forecast; the first and the last day then count whole.
 * @param days from now; the result groups them by date in the business's time zone
 */
export async function forecastSubscriptions(tx: Db, actor: Actor, days: number): Promise<Forecast> {
  const now = clock.now();
  const { business_id } = tenantOf(actor);
  const { timezone } = await tx.business.findUniqueOrThrow({ where: { id: business_id }, select: { timezone: true } });
  const to = inDays(now, days);
  const exact = (await chargesAreMany(tx, actor, to)) ? null : await forecastUntil(tx, actor, to, timezone);
  const stored = exact ? null : await storedFigures<Figures>(tx, actor, "forecast");
  const figures = exact ?? (stored?.figures && between(now, to, timezone, stored.figures));
  return {
    _id: "forecast",
    created_at: isoMicros(now),
    as_of: stored?.as_of ? isoMicros(stored.as_of) : null,
    from: isoMicros(now),
    to: isoMicros(to),
    timezone,
    totals: figures ? totalsOf(figures.days) : null,
    days: figures?.days ?? null,
    months: figures ? monthsOf(figures.days) : null,
    at_risk: allows(actor.scopes, "subscriptions:read") ? (figures?.at_risk ?? null) : [],
  };
}

/** For `refreshFigures`: of all subscriptions. */
export async function forecastFigures(tenant: Tenant, now: Date): Promise<Figures> {
  const { business_id } = tenantOf(tenant);
  const { timezone } = await db.business.findUniqueOrThrow({ where: { id: business_id }, select: { timezone: true } });
  return forecastUntil(db, tenant, inDays(now, storedDays), timezone);
}

const inDays = (now: Date, days: number) => new Date(now.getTime() + days * 86_400_000);

function between(from: Date, to: Date, timezone: string, { days, at_risk }: Figures): Figures {
  const [first, last] = [wallTime(from, timezone).slice(0, 10), wallTime(to, timezone).slice(0, 10)];
  return {
    days: days.filter(({ date }) => date >= first && date <= last),
    at_risk: at_risk.filter(({ charge_at }) => charge_at >= isoMicros(from) && charge_at <= isoMicros(to)),
  };
}

async function chargesAreMany(tx: Db, tenant: Tenant, to: Date): Promise<boolean> {
  const [read] = await queryRows<{ count: number }>(
    tx,
    Prisma.sql`
    SELECT count(*)::int AS count FROM (SELECT FROM subscription
     WHERE ${ownedBy(tenant)} AND next_charge_at <= ${to} ORDER BY next_charge_at LIMIT ${maxForecast + 1}::int) AS due`,
  );
  return (read?.count ?? 0) > maxForecast;
}

/** Reads in batches, so that memory does not grow with the number of subscriptions. */
async function forecastUntil(tx: Db, tenant: Tenant, to: Date, timezone: string): Promise<Figures> {
  const { business_id, livemode } = tenantOf(tenant);
  const byDay = new Map<string, { cents: number; count: number }>();
  let atRisk: AtRisk[] = [];
  let last = "";
  const lastDay = wallTime(to, timezone).slice(0, 10);
  for (let rows = await page(tx, business_id, livemode, to, last); rows.length > 0; ) {
    for (const row of rows) {
      const changeDay = row.next_amount_from && wallTime(row.next_amount_from, timezone).slice(0, 10);
      for (const day of daysOf(row, to, timezone, lastDay)) {
        const key = `${day} ${row.currency}`;
        const sum = byDay.get(key) ?? { cents: 0, count: 0 };
        // A new price begins with a period, so the day decides.
        const cents = changeDay !== null && day >= changeDay ? (row.next_amount_cents ?? 0) : row.amount_cents;
        byDay.set(key, { cents: sum.cents + cents, count: sum.count + 1 });
      }
      const risk = riskOf(row, to);
      if (risk) atRisk.push(risk);
    }
    atRisk = atRisk.sort((a, b) => (a.charge_at < b.charge_at ? -1 : 1)).slice(0, maxAtRisk);
    last = rows.at(-1)?.id ?? "";
    rows = rows.length < batchSize ? [] : await page(tx, business_id, livemode, to, last);
  }
  const days = [...byDay]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, sum]) => ({ date: key.slice(0, 10), ...charge(key.slice(11), sum) }));
  return { days, at_risk: atRisk };
}

const charge = (currency: string, { cents, count }: { cents: number; count: number }) => ({
  currency,
  amount: toUnits(cents),
  amount_cents: cents,
  count,
});

/** Sums up the days by key and currency, sorted by both. */
function sumsBy(days: Days, keyOf: (day: Days[number]) => string) {
  const sums = new Map<string, { key: string; currency: string; cents: number; count: number }>();
  for (const day of days) {
    const { currency, amount_cents, count } = day;
    const key = keyOf(day);
    const sum = sums.get(`${key} ${currency}`) ?? { key, currency, cents: 0, count: 0 };
    sums.set(`${key} ${currency}`, { ...sum, cents: sum.cents + amount_cents, count: sum.count + count });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

const totalsOf = (days: Days): Forecast["totals"] =>
  sumsBy(days, () => "").map(({ currency, ...sum }) => charge(currency, sum));

const monthsOf = (days: Days): Forecast["months"] =>
  sumsBy(days, ({ date }) => date.slice(0, 7)).map(({ key, currency, ...sum }) => ({
    month: key,
    ...charge(currency, sum),
  }));

function page(tx: Db, businessId: number, livemode: boolean, to: Date, last: string): Promise<Running[]> {
  return queryRows<Running>(
    tx,
    Prisma.sql`
    SELECT s.id, s.email, s.status, s.anchor, s.timezone, p.frequency, s.next_period, s.next_charge_at,
           s.cancel_at_period_end, s.amount_cents, s.next_amount_cents, s.next_amount_from, p.currency, t.card_brand, t.card_last4, t.card_exp_month, t.card_exp_year
      FROM (
        SELECT * FROM subscription
         WHERE business_id = ${businessId} AND livemode = ${livemode} AND next_charge_at <= ${to} AND id > ${last}
         ORDER BY id LIMIT ${batchSize}) s
      JOIN package p ON p.id = s.package_id
      LEFT JOIN LATERAL (
        SELECT * FROM tokenization WHERE business_id = s.business_id AND livemode = s.livemode AND status = 'active'
           AND declined_at IS NULL AND lower(email COLLATE "C") = lower(s.email COLLATE "C") ORDER BY activated_at DESC LIMIT 1) t ON true
     ORDER BY s.id`,
  );
}

function* daysOf(row: Running, to: Date, timezone: string, lastDay: string): Generator<string> {
  if (row.timezone !== timezone) {
    for (const at of chargesOf(row, to)) yield wallTime(at, timezone).slice(0, 10);
    return;
  }
  // In the same zone `periodDay` suffices. `periodStart` costs fifty times as much.
  if (row.cancel_at_period_end && row.next_period > 0) return;
  for (let n = row.next_period; ; n++) {
    const day = periodDay(row, n);
    if (day > lastDay || (day === lastDay && periodStart(row, n) > to)) return;
    yield day;
    if (row.cancel_at_period_end) return;
  }
}

function* chargesOf(row: Running, to: Date): Generator<Date> {
  if (row.cancel_at_period_end && row.next_period > 0) return;
  let at = row.next_charge_at;
  for (let n = row.next_period; at <= to; at = periodStart(row, ++n)) {
    yield at;
    if (row.cancel_at_period_end) return;
  }
}

/** The first charge without a card, or with an expired one; null when there is none until `to`. */
function riskOf(row: Running, to: Date): AtRisk | null {
  const { card_brand: brand, card_last4: last4, card_exp_month: exp_month, card_exp_year: exp_year } = row;
  const card = brand !== null && last4 !== null && exp_month !== null && exp_year !== null;
  const goodUntil = card ? cardExpiresAt(exp_year, exp_month) : 0;
  if (goodUntil > to.getTime() || (row.cancel_at_period_end && row.next_period > 0)) return null;
  const n = card ? periodFrom(row, new Date(goodUntil), row.next_period) : row.next_period;
  if (row.cancel_at_period_end && n > row.next_period) return null;
  const at = n === row.next_period ? row.next_charge_at : periodStart(row, n);
  if (at > to) return null;
  const { next_amount_cents, next_amount_from } = row;
  const amount_cents = next_amount_from && at >= next_amount_from ? (next_amount_cents ?? 0) : row.amount_cents;
  return {
    subscription_id: row.id,
    email: row.email,
    charge_at: isoMicros(at),
    amount: toUnits(amount_cents),
    amount_cents,
    currency: row.currency,
    reason: card ? "card_expires" : "no_card",
    card: card ? { brand, last4, exp_month, exp_year } : null,
  };
}
