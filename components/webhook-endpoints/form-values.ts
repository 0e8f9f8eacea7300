import { contractResolver } from "@/components/ui/contract-form";
import type { FieldErrors } from "@/lib/core/errors";
import { eventTypeNames } from "@/lib/resources/events/types";
import { type WebhookEndpoint, webhookEndpointInput } from "@/lib/resources/webhook-endpoints/contract";
import type { EndpointBody } from "@/lib/resources/webhook-endpoints/queries";

/** The form's fields, in the order in which they stand on the screen. */
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

/** The form's values as the API's body. */
export function toBody({ url, description, which, events }: EndpointValues): EndpointBody {
  return {
    url: url.trim(),
    description: description.trim() || null,
    events: which === "all" ? ["*"] : eventTypeNames.filter((type) => events.includes(type)),
  };
}

/** The API's texts as the form says them. @param chooseType said where no type is chosen */
export const reword =
  (chooseType: string) =>
  ({ events, ...rest }: FieldErrors): FieldErrors =>
    events ? { ...rest, events: [chooseType] } : rest;

export const resolverOf = (chooseType: string) =>
  contractResolver<EndpointValues>(webhookEndpointInput, toBody, reword(chooseType));
