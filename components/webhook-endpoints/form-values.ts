import { contractResolver } from "@/components/ui/contract-form";
import type { FieldErrors } from "@/lib/core/errors";
import { eventTypeNames } from "@/lib/resources/events/types";
import { type WebhookEndpoint, webhookEndpointInput } from "@/lib/resources/webhook-endpoints/contract";
import type { EndpointBody } from "@/lib/resources/webhook-endpoints/queries";

export const endpointFields = ["url", "description", "events"] as const;

export interface EndpointValues {
  url: string;
  description: string;
  which: "all" | "some";
  events: string[];
}

export const valuesOf = (endpoint: WebhookEndpoint | null): EndpointValues => ({
  url: endpoint?.url ?? "",
  description: endpoint?.description ?? "",
  which: !endpoint || endpoint.events.includes("*") ? "all" : "some",
  events: endpoint?.events.filter((type) => type !== "*") ?? [],
});

export function toBody({ url, description, which, events }: EndpointValues): EndpointBody {
  return {
    url: url.trim(),
    description: description.trim() || null,
    events: which === "all" ? ["*"] : eventTypeNames.filter((type) => events.includes(type)),
  };
}

/** Replaces API messages. @param chooseType the message if no type is selected */
export const reword =
  (chooseType: string) =>
  ({ events, ...rest }: FieldErrors): FieldErrors =>
    events ? { ...rest, events: [chooseType] } : rest;

export const resolverOf = (chooseType: string) =>
  contractResolver<EndpointValues>(webhookEndpointInput, toBody, reword(chooseType));
