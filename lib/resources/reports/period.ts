/** The figures of a period, made from the sums of its days. */
import { toUnits } from "@/lib/core/money";
import type { DaySums } from "@/lib/ledger/sums";
import type { Overview, Period, Sum } from "./contract";

const kinds = ["collected", "refunded", "failed", "fee", "disputed"] as const;

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

/** Rounds to four decimals. */
export const rounded = (rate: number): number => Math.round(rate * 10_000) / 10_000;

/** A part of a whole from 0 to 1, with four decimals; null of nothing. */
const rateOf = (part: number, whole: number): number | null =>
  whole > 0 ? rounded(Math.min(1, Math.max(0, part / whole))) : null;

export function periodOf(from: string, to: string, days: DaySums[], churn: Period["churn"]): Period {
  const rows = days.flatMap(byKind);
  const fees = rows.filter(({ kind }) => kind === "fee");
  return {
    from,
    to,
    currencies: currenciesOf(rows).map((currency) => {
      const of = (kind: SettledSum["kind"]) =>
        sumOf(rows.filter((row) => row.currency === currency && row.kind === kind));
      const [collected, refunded, failed, disputed, fee] = [
        ...[of("collected"), of("refunded"), of("failed"), of("disputed"), of("fee")],
      ] as [Sum, Sum, Sum, Sum, Sum];
      const net = collected.amount_cents - refunded.amount_cents - disputed.amount_cents - fee.amount_cents;
      return {
        ...{ currency, collected, refunded, failed, disputed, net: { amount: toUnits(net), amount_cents: net } },
        success_rate: rateOf(collected.count, collected.count + failed.count),
      };
    }),
    fees: currenciesOf(fees).map((currency) => {
      const { amount, amount_cents } = sumOf(fees.filter((row) => row.currency === currency));
      return { currency, amount, amount_cents };
    }),
    churn,
  };
}

/** How many subscriptions recur at the end of a period; null: not known. */
type ChurnEnd = { currency: string; subscriptions: number }[] | null;

/** Subscriptions that began and ended, by currency. Those that left, paused or deleted, did not end but no longer recur. */
export function churnOf(days: DaySums[], atEnd: ChurnEnd): Period["churn"] {
  const changed = days.filter((day) => day.started_count !== 0 || day.ended_count !== 0 || day.left_count !== 0);
  return currenciesOf([...changed, ...(atEnd ?? [])]).map((currency) => {
    const own = changed.filter((day) => day.currency === currency);
    const started = own.reduce((total, { started_count }) => total + started_count, 0);
    const ended = own.reduce((total, { ended_count }) => total + ended_count, 0);
    const left = own.reduce((total, { left_count }) => total + left_count, 0);
    const end = atEnd?.find((each) => each.currency === currency)?.subscriptions ?? 0;
    // Stored figures can be older than the sums.
    const at_start = atEnd && Math.max(0, end - started + ended + left);
    return { currency, started, ended, at_start, rate: at_start ? rateOf(ended, at_start) : null };
  });
}

export function daysOf(sums: DaySums[]): Overview["days"] {
  return sums
    .map(({ date, currency, collected_cents, refunded_cents, collected_count }) => ({
      ...{ date, currency, collected_count },
      collected_cents: Number(collected_cents),
      refunded_cents: Number(refunded_cents),
    }))
    .filter((day) => day.collected_count !== 0 || day.collected_cents !== 0 || day.refunded_cents !== 0);
}
