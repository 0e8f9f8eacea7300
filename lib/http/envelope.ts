import { clock } from "@/lib/core/clock";

export interface PageMeta {
  per_page: number;
  next_cursor: string | null;
  prev_cursor: string | null;
  total?: number;
  total_is_lower_bound?: boolean;
  sums?: Sum[];
}

/** Of a list's counted rows, in one currency. */
export interface Sum {
  currency: string;
  amount_cents: number;
  count: number;
}

export function envelope(data: unknown, page?: PageMeta): string {
  const timestamp = `${clock.now().toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return JSON.stringify({ success: true, data, errors: null, meta: { timestamp, timezone: "UTC", ...page } });
}
