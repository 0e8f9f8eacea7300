import { eventWords } from "@/lib/resources/timeline/entries";

export interface NotificationWords {
  text: string;
  detail: string | null;
}

/**
 * What a notification says about an event.
 * @param data the event's
 */
export function notificationWords(type: string, data: Record<string, unknown>): NotificationWords {
  const { text, detail } = eventWords(type, data);
  // In a timeline, the page names the resource.
  const named = type.startsWith("subscription.")
    ? `Subscription ${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text;
  const email = typeof data.email === "string" ? data.email : null;
  return { text: named, detail: [email, detail].filter((part) => part !== null).join(" · ") || null };
}

/** Of the endpoint's URL it shows the host alone: the rest can hold a secret. */
export function failingEndpointWords(url: string, disabled: boolean): NotificationWords {
  const host = URL.canParse(url) ? new URL(url).host : "";
  return disabled
    ? { text: `Webhook endpoint disabled: ${host}`, detail: "Nothing was delivered for five days." }
    : { text: `Webhook endpoint is failing: ${host}`, detail: "Deliveries are retried." };
}
