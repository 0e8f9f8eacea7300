import { dayIn } from "@/components/shell/local-time";
import { ranges } from "@/components/ui/list/ranges";
import { isDay } from "@/components/ui/moment";
import { addDays } from "@/lib/core/days";
import { maxDays } from "@/lib/resources/reports/contract";

export const lengths = ["7", "30", "90", "365"] as const;
export const singleDays = ["today", "yesterday"] as const;
export const months = ["month", "lastMonth"] as const;
const named = [...singleDays, ...months];

/** `days`: the last ones, with today, or the name of a day or month. `from` and `to`: a range of days, in place of them. */
export type Shown = {
  days?: string;
  from?: string;
  to?: string;
  currency?: string;
  [name: string]: string | undefined;
};

const dayMs = 86_400_000;

/** The days of a range, both ends included. */
export const daysIn = ({ from, to }: { from: string; to: string }): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** What is wrong with a range; null if the overview can show it. */
export function rangeProblem(from: string | undefined, to: string | undefined): "incomplete" | "order" | "long" | null {
  if (!isDay(from) || !isDay(to)) return "incomplete";
  if (from > to) return "order";
  return daysIn({ from, to }) > maxDays ? "long" : null;
}

export function readShown(params: URLSearchParams): Shown {
  const days = [...lengths, ...named].find((name) => name === params.get("days"));
  const [from, to] = [params.get("from") ?? undefined, params.get("to") ?? undefined];
  const currency = params.get("currency");
  return {
    ...(rangeProblem(from, to) === null ? { from, to } : days && { days }),
    ...(currency && /^[A-Z]{3}$/.test(currency) && { currency }),
  };
}

/** The days that the overview sums up. */
export function periodOf(shown: Shown, now: Date, zone: string): { from: string; to: string } {
  if (shown.from && shown.to) return { from: shown.from, to: shown.to };
  const today = dayIn(now, zone);
  const name = named.find((name) => name === shown.days);
  const [from, to] = name ? ranges[name](today) : [addDays(today, 1 - Number(shown.days ?? 30)), today];
  return { from, to };
}

/** Below the figures. */
export const latestPayments = { per_page: "5" };

/** For the first steps, whose link is the newest of them. */
export const openLinks = { status: "Active" } as const;

type Days = { from: string; to: string };

const settled = (status: string, currency: string, { from, to }: Days): string =>
  `status=${status}&currency=${currency}&settled_from=${from}&settled_to=${to}`;

/** The list of the payments that settled on these days. */
export const settledPayments = (status: "succeeded" | "failed", currency: string, days: Days): string =>
  `/payments?${settled(status, currency, days)}`;

/** Leads to the refunds that succeeded on these days and that no bank has returned. */
export const settledRefunds = (currency: string, days: Days): string =>
  `/refunds?${settled("succeeded", currency, days)}`;

/** The exports of these days. The rows of payments, refunds and disputes add up to net. */
export const exportsOf = ({ from, to }: Days): string => `/exports?from=${from}&to=${to}`;
