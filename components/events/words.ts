import { pageOf } from "@/components/shell/pages";
import type { Event } from "@/lib/resources/events/contract";
import { type EventType, eventTypeNames } from "@/lib/resources/events/types";

/** The page of the event's resource; of a refund, its payment's. */
export function subjectPage({ resource_id, data }: Event): string | null {
  const ofRefund = typeof data.payment_id === "string" && resource_id.startsWith("ref_");
  return pageOf(ofRefund ? String(data.payment_id) : resource_id);
}

export function subjectOf({ data }: Event): string {
  const words = [data.title, data.name, data.email].find((word) => typeof word === "string" && word !== "");
  return typeof words === "string" ? words : "";
}

export const readType = (value: string | null): EventType | undefined => eventTypeNames.find((name) => name === value);
