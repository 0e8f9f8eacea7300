import { z } from "zod";
import type { FieldErrors } from "@/lib/core/errors";
import { fieldMessages } from "@/lib/core/field-messages";
import { endpoint } from "@/lib/http/endpoint";
import { instant, optional, redirectUrl, sensitive, text } from "@/lib/http/fields";
import { flag, listQuery } from "@/lib/http/list-query";
import { eventExample } from "@/lib/resources/events/contract";
import { type EventType, eventTypeNames } from "@/lib/resources/events/types";

export const webhookStatuses = ["enabled", "disabled"] as const;
export const disabledReasons = ["by_hand", "gone", "failing"] as const;
export const deliveryStatuses = ["pending", "succeeded", "failed"] as const;
/** In each mode of a business. */
export const maxEndpoints = 16;

/** Maximum of failed, and of waiting, deliveries that one request makes due again. */
export const maxRedelivered = 20_000;

/** Maximum of these whose ids the response has. */
export const maxRedeliveredIds = 100;

/** Without `since`: the maximum age of a redelivered delivery at `failing_since`, in days. */
export const maxDaysBeforeFailing = 30;

const eventType = z.enum(eventTypeNames as [EventType, ...EventType[]]);

export const webhookEndpoint = z.object({
  _id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.string()).describe('Types of events; ["*"] for all, also those to come.'),
  status: z.enum(webhookStatuses),
  disabled_reason: z
    .enum(disabledReasons)
    .nullable()
    .describe("by_hand; gone: it answered 410; failing: nothing was delivered for five days."),
  failing_since: z.string().nullable().describe("The first failed attempt since the last that succeeded."),
  previous_secret_expires_at: z
    .string()
    .nullable()
    .describe("Until then the secret before the last rotation signs too."),
  business_id: z.int(),
  livemode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** Only the two responses that create a secret have it. */
const withSecret = webhookEndpoint.extend({ secret: sensitive(z.string()).describe("Only shown now.") });
export type WebhookEndpointWithSecret = z.infer<typeof withSecret>;

const attemptSummary = z.object({
  status: z.int().nullable().describe("Of the answer; null when there was none."),
  error: z.string().nullable(),
  latency_ms: z.int(),
  created_at: z.string(),
});

const attempt = z.object({
  _id: z.string(),
  ...attemptSummary.shape,
  response: z.string().nullable().describe("The first 4 kB of the answer."),
});

export const webhookDelivery = z.object({
  _id: z.string(),
  webhook_endpoint_id: z.string(),
  event_id: z.string().nullable().describe("null for a sample."),
  type: eventType,
  sample: z.boolean(),
  status: z.enum(deliveryStatuses),
  attempt_count: z.int(),
  next_attempt_at: z.string().nullable().describe("null also while an attempt is under way."),
  succeeded_at: z.string().nullable(),
  last_attempt: attemptSummary.nullable(),
  business_id: z.int(),
  livemode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const withAttempts = webhookDelivery.extend({ attempts: z.array(attempt).describe("Newest first, at most 50.") });
export type WebhookDeliveryWithAttempts = z.infer<typeof withAttempts>;

const example: WebhookEndpoint = {
  _id: "whe_01k8m4f1g2h3j4k5m6n7p8q9r0s1t2v3w4x5",
  url: "https://shop.example.com/webhooks/paydesk",
  description: "The shop's orders",
  events: ["payment_link.paid", "payment.refunded"],
  status: "enabled",
  disabled_reason: null,
  failing_since: null,
  previous_secret_expires_at: null,
  business_id: 1,
  livemode: false,
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
};

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

const deliveryExample: WebhookDelivery = {
  _id: "whd_01k8m4g6h7j8k9m0n1p2q3r4s5t6v7w8x9y0",
  webhook_endpoint_id: example._id,
  event_id: eventExample._id,
  type: "payment_link.paid",
  sample: false,
  status: "succeeded",
  attempt_count: 1,
  next_attempt_at: null,
  succeeded_at: "2026-11-21T09:31:01.400000Z",
  last_attempt: { status: 200, error: null, latency_ms: 48, created_at: "2026-11-21T09:31:01.350000Z" },
  business_id: 1,
  livemode: false,
  created_at: "2026-11-21T09:31:01.000000Z",
  updated_at: "2026-11-21T09:31:01.400000Z",
};

const attemptsExample: WebhookDeliveryWithAttempts = {
  ...deliveryExample,
  attempts: [
    {
      _id: "wha_01k8m4h2j3k4m5n6p7q8r9s0t1v2w3x4y5z6",
      status: 200,
      error: null,
      latency_ms: 48,
      created_at: "2026-11-21T09:31:01.350000Z",
      response: "ok",
    },
  ],
};

const notTypes = 'The events must be a list of event types, or ["*"] for all.';

const events = z
  .array(z.union([z.literal("*"), eventType], { error: "The selected events is invalid." }), notTypes)
  .min(1, notTypes)
  .max(eventTypeNames.length, notTypes)
  .transform((types): string[] => (types.includes("*") ? ["*"] : [...new Set(types)]))
  .describe("Which types to deliver; all unless given.");

const url = redirectUrl.describe(
  "Where to deliver: https, on the public internet. In test mode also http://localhost, where the operator allows it.",
);

export const webhookEndpointInput = z.object({
  url,
  description: optional(text(200)),
  events: events.nullish().transform((types) => types ?? ["*"]),
});
export type WebhookEndpointInput = z.output<typeof webhookEndpointInput>;

/** Absent fields stay unchanged; `description: null` clears the description. */
export const webhookEndpointUpdate = z.object({
  url: url.optional(),
  description: text(200).nullish(),
  events: events.optional(),
});
export type WebhookEndpointUpdate = z.output<typeof webhookEndpointUpdate>;

const rotation = z.object({
  overlap_hours: z
    .int("The overlap_hours must be an integer.")
    .min(0, "The overlap_hours must be at least 0.")
    .max(72, "The overlap_hours must not be greater than 72.")
    .nullish()
    .transform((hours) => hours ?? 24)
    .describe("How long the old secret signs too, 0 to 72; 24 unless given."),
});

const sampleInput = z.object({ type: eventType.describe("Whose example to send.") });
const redeliverInput = z.object({
  since: optional(instant).describe("Failed deliveries created from then on. An instant, ISO 8601."),
});

export const webhookEndpointListQuery = listQuery({
  status: optional(z.enum(webhookStatuses)),
  failing: optional(
    flag.describe("true: enabled ones that fail, and those disabled as gone or failing; false: all others."),
  ),
});
export type WebhookEndpointListQuery = z.output<typeof webhookEndpointListQuery>;

export const deliveryListQuery = listQuery({
  status: optional(z.enum(deliveryStatuses)),
  type: optional(eventType),
  event_id: optional(z.string()),
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

/** Allows plain http only to this machine, and only in test mode. */
function urlErrors({ url }: Record<string, unknown>, livemode: boolean): FieldErrors {
  if (!redirectUrl.safeParse(url).success) return {};
  const { protocol, hostname } = new URL(String(url));
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (local) return livemode ? { url: ["The url must not be on this machine in live mode."] } : {};
  return protocol === "https:" ? {} : { url: [fieldMessages.https("url")] };
}

const check = (input: Record<string, unknown>, { livemode }: { livemode: boolean }) => urlErrors(input, livemode);

const one = "/webhook-endpoints/{webhook_endpoint_id}";
const delivery = "/webhook-deliveries/{webhook_delivery_id}";

export const webhookEndpointEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/webhook-endpoints",
    summary: "Create a webhook endpoint",
    description: "Events are posted to it from now on, signed by the Standard Webhooks specification with `secret`.",
    scope: "webhook_endpoints:write",
    body: webhookEndpointInput,
    check,
    response: withSecret,
    secret: true,
    conflicts: "There are 16 already.",
    example: {
      body: { url: example.url, description: "The shop's orders", events: example.events },
      data: { ...example, secret },
    },
  }),
  list: endpoint({
    method: "GET",
    path: "/webhook-endpoints",
    summary: "List webhook endpoints",
    scope: "webhook_endpoints:read",
    query: webhookEndpointListQuery,
    response: webhookEndpoint,
    list: true,
    example: { data: example },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a webhook endpoint",
    scope: "webhook_endpoints:read",
    response: webhookEndpoint,
    example: { data: example },
  }),
  update: endpoint({
    method: "PUT",
    path: one,
    summary: "Update a webhook endpoint",
    description:
      "Changes only the fields sent. Pending deliveries go to the new address. With `If-Match` and the `updated_at` that was read, 412 if it has changed since.",
    ifMatch: true,
    scope: "webhook_endpoints:write",
    body: webhookEndpointUpdate,
    check,
    response: webhookEndpoint,
    example: { body: { events: ["*"] }, data: { ...example, events: ["*"] } },
  }),
  remove: endpoint({
    method: "DELETE",
    path: one,
    summary: "Delete a webhook endpoint",
    description: "What waits to be delivered to it fails.",
    scope: "webhook_endpoints:write",
    response: webhookEndpoint.extend({ deleted: z.literal(true) }),
    example: { data: { ...example, deleted: true } },
  }),
  enable: endpoint({
    method: "POST",
    path: `${one}/enable`,
    summary: "Enable a webhook endpoint",
    description: "Events from now on are delivered again; what was missed can be redelivered.",
    scope: "webhook_endpoints:write",
    response: webhookEndpoint,
    example: { data: example },
  }),
  disable: endpoint({
    method: "POST",
    path: `${one}/disable`,
    summary: "Disable a webhook endpoint",
    description: "What waits to be delivered fails at once, and events are not kept for it until it is enabled.",
    scope: "webhook_endpoints:write",
    response: webhookEndpoint,
    example: { data: { ...example, status: "disabled", disabled_reason: "by_hand" } },
  }),
  rotateSecret: endpoint({
    method: "POST",
    path: `${one}/rotate-secret`,
    summary: "Rotate a webhook endpoint's secret",
    description: "Until the overlap ends every delivery carries two signatures, by the new and by the old secret.",
    scope: "webhook_endpoints:write",
    body: rotation,
    response: withSecret,
    secret: true,
    example: {
      body: { overlap_hours: 24 },
      data: { ...example, previous_secret_expires_at: "2026-11-22T09:30:00.123456Z", secret },
    },
  }),
  sample: endpoint({
    method: "POST",
    path: `${one}/sample`,
    summary: "Send a test event",
    description: "Posts the example of a type, signed, with `sample: true`. It is tried once, and is no event.",
    scope: "webhook_endpoints:write",
    body: sampleInput,
    response: webhookDelivery,
    conflicts: "The endpoint is disabled.",
    example: {
      path: `/webhook-endpoints/${example._id}/sample`,
      body: { type: "payment_link.paid" },
      data: {
        ...deliveryExample,
        event_id: null,
        sample: true,
        status: "pending",
        attempt_count: 0,
        next_attempt_at: "2026-11-21T09:31:01.000000Z",
        succeeded_at: null,
        last_attempt: null,
      },
    },
  }),
  redeliverFailed: endpoint({
    method: "POST",
    path: `${one}/redeliver`,
    summary: "Redeliver what has failed",
    description:
      "Makes failed deliveries due again, with all their tries. Also makes due every delivery that waits for another attempt. " +
      "With `since`, the failed ones are those created from then on. " +
      `Without it, they are those attempted since \`failing_since\` and created at most ${maxDaysBeforeFailing} days before it, and none while it is null. ` +
      `One request takes at most ${maxRedelivered} failed ones, the oldest first, and as many waiting ones, those due first. ` +
      "While `has_more` is true, repeat it with `since`: the first success sets `failing_since` to null.",
    scope: "webhook_endpoints:write",
    body: redeliverInput,
    response: webhookEndpoint.extend({
      redelivered: z.int().describe("How many."),
      delivery_ids: z.array(z.string()).describe(`Which ones, at most ${maxRedeliveredIds}.`),
      has_more: z.boolean().describe("Whether there may be more."),
    }),
    conflicts: "The endpoint is disabled.",
    example: {
      body: { since: "2026-11-20T00:00:00Z" },
      data: { ...example, redelivered: 1, delivery_ids: [deliveryExample._id], has_more: false },
    },
  }),
  deliveries: endpoint({
    method: "GET",
    path: `${one}/deliveries`,
    summary: "List a webhook endpoint's deliveries",
    scope: "webhook_endpoints:read",
    query: deliveryListQuery,
    response: webhookDelivery,
    list: true,
    example: { path: `/webhook-endpoints/${example._id}/deliveries`, data: deliveryExample },
  }),
};

export const webhookDeliveryEndpoints = {
  getDelivery: endpoint({
    method: "GET",
    path: delivery,
    summary: "Get a webhook delivery",
    description: "With its attempts.",
    scope: "webhook_endpoints:read",
    response: withAttempts,
    example: { data: attemptsExample },
  }),
  redeliver: endpoint({
    method: "POST",
    path: `${delivery}/redeliver`,
    summary: "Redeliver",
    description: "Makes a delivery due now, whatever became of it, with all its tries and the same webhook-id.",
    scope: "webhook_endpoints:write",
    response: webhookDelivery,
    conflicts: "The endpoint is disabled.",
    example: { data: { ...deliveryExample, status: "pending", succeeded_at: null } },
  }),
};
