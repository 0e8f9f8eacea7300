import { toField } from "@/components/shell/local-time";

export const lengths = ["7", "30", "90", "365"] as const;

export type Shown = { days?: string; currency?: string; [name: string]: string | undefined };

export function readShown(params: URLSearchParams): Shown {
  const days = lengths.find((length) => length === params.get("days"));
  const currency = params.get("currency");
  return { ...(days && { days }), ...(currency && /^[A-Z]{3}$/.test(currency) && { currency }) };
}

export const lengthOf = ({ days }: Shown): number => Number(days ?? 30);

/** The days that the overview sums up: the last ones, with today. */
export function periodOf(shown: Shown, now: Date, zone: string): { from: string; to: string } {
  const to = toField(now.toISOString(), zone).slice(0, 10);
  return { from: new Date(Date.parse(to) - (lengthOf(shown) - 1) * 86_400_000).toISOString().slice(0, 10), to };
}

/** Below the figures. */
export const latestPayments = { per_page: "5" };

/** For the first steps, whose link is the newest of them. */
export const openLinks = { status: "Active" } as const;
