import type { Event } from "./contract";
import { exampleOf } from "./examples";
import type { EventType } from "./types";

interface Delivered {
  /** The delivery's id. */
  id: string;
  type: EventType;
  created_at: string;
  business_id: number;
  livemode: boolean;
  /** Null for a sample. */
  event: Event | null;
}

/** The message of a delivery: the event as the API shows it, with `timestamp` as in Standard Webhooks. The same for every attempt. */
export function messageOf({ id, type, created_at, business_id, livemode, event }: Delivered) {
  if (event) return { id: event._id, body: JSON.stringify({ ...event, timestamp: event.created_at }) };
  const own = { _id: id, created_at, business_id, livemode, actor: { type: "system", id: null }, request_id: null };
  return { id, body: JSON.stringify({ ...exampleOf(type), ...own, timestamp: created_at, sample: true }) };
}

/** The headers that all attempts of a message share. Each attempt adds its own `webhook-timestamp` and `webhook-signature`. */
export const headersOf = (messageId: string): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "Paydesk-Webhooks/1",
  "webhook-id": messageId,
});
