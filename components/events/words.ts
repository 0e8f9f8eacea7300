import { pageOf } from "@/components/shell/pages";
import { formatMoney } from "@/lib/core/money";
import type { Event } from "@/lib/resources/events/contract";
import { type EventType, eventTypeNames } from "@/lib/resources/events/types";

/** The page of the event's resource; of a refund, its payment's. */
export function subjectPage({ resource_id, data }: Event): string | null {
  const ofRefund = typeof data.payment_id === "string" && resource_id.startsWith("ref_");
  return pageOf(ofRefund ? String(data.payment_id) : resource_id);
}

/** What the event's resource is called. Without a name, as for a payout: its amount, otherwise its id. */
export function subjectOf({ data, resource_id }: Event): string {
  const words = [data.title, data.name, data.email].find((word) => typeof word === "string" && word !== "");
  if (typeof words === "string") return words;
  const { amount_cents: cents, currency } = data;
  return typeof cents === "number" && typeof currency === "string" ? formatMoney(cents, currency) : resource_id;
}

export const readType = (value: string | null): EventType | undefined => eventTypeNames.find((name) => name === value);
