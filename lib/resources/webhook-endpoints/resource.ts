import { Prisma } from "@/lib/core/db";
import { iso, shownIso } from "@/lib/http/list";
import { facet, few } from "@/lib/http/list-filters";
import type { Facet } from "@/lib/http/list-streams";
import { column, defineResource, instant, systemInstant } from "@/lib/resources/define";
import {
  type DeliveryListQuery,
  deliveryStatuses,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEndpointListQuery,
} from "./contract";

/** SQL: whether an endpoint needs attention. An endpoint that staff disabled needs none. Never NULL, so that it can be negated. */
export const failing = Prisma.sql`
  (coalesce(disabled_reason, '') IN ('failing', 'gone') OR (status = 'enabled' AND failing_since IS NOT NULL))`;

export const webhookEndpoints = defineResource<WebhookEndpoint, WebhookEndpointListQuery>({
  name: "Webhook endpoint",
  table: "webhook_endpoint",
  idPrefix: "whe",
  keepsDeleted: true,
  fields: {
    _id: Prisma.sql`id`,
    url: column,
    description: column,
    events: column,
    status: column,
    disabled_reason: column,
    failing_since: systemInstant,
    previous_secret_expires_at: Prisma.sql`
      CASE WHEN previous_expires_at > clock_timestamp() THEN ${shownIso("previous_expires_at")} END`,
    business_id: column,
    livemode: column,
    created_at: instant,
    updated_at: instant,
  },
  filters: { status: column, failing: (wanted) => (wanted ? failing : Prisma.sql`NOT ${failing}`) },
});

const type: Facet = { sql: "type", type: "text" };
const status: Facet = { sql: "status", type: "text", values: deliveryStatuses };

export const webhookDeliveries = defineResource<WebhookDelivery, DeliveryListQuery>({
  name: "Webhook delivery",
  table: "webhook_delivery",
  idPrefix: "whd",
  fields: {
    _id: Prisma.sql`id`,
    webhook_endpoint_id: Prisma.sql`endpoint_id`,
    event_id: column,
    type: column,
    sample: Prisma.sql`event_id IS NULL`,
    status: column,
    attempt_count: column,
    next_attempt_at: Prisma.sql`CASE WHEN claim IS NULL THEN ${shownIso("next_attempt_at")} END`,
    succeeded_at: instant,
    last_attempt: Prisma.sql`
      (SELECT json_build_object('status', a.status, 'error', a.error, 'latency_ms', a.latency_ms, 'created_at', ${iso("a.created_at")})
         FROM webhook_attempt a WHERE a.delivery_id = webhook_delivery.id ORDER BY a.created_at DESC LIMIT 1)`,
    business_id: column,
    livemode: column,
    created_at: instant,
    updated_at: instant,
  },
  filters: { status: facet(status), type: facet(type), event_id: few("webhook_delivery", "event_id") },
  facets: [[type, status]],
});
