import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";
import { paymentLinkExample } from "@/lib/resources/payment-links/contract";
import { type EventType, eventTypeNames } from "./types";

export const event = z.object({
  _id: z.string(),
  type: z.enum(eventTypeNames as [EventType, ...EventType[]]),
  created_at: z.string(),
  business_id: z.int(),
  livemode: z.boolean(),
  resource_id: z.string(),
  sequence: z.int().describe("Counts the events of one resource from 1, in the order in which they happened."),
  data: z.record(z.string(), z.unknown()).describe("The resource as the API showed it at that moment."),
  actor: z.object({
    type: z.enum(["api_key", "user", "payer", "system"]),
    id: z.string().nullable(),
  }),
  request_id: z.string().nullable(),
});
export type Event = z.infer<typeof event>;

export const eventExample: Event = {
  _id: "evt_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6",
  type: "payment_link.paid",
  created_at: "2026-11-21T09:31:01.000000Z",
  business_id: 1,
  livemode: false,
  resource_id: paymentLinkExample._id,
  sequence: 2,
  data: { ...paymentLinkExample, status: "Paid", paid: true, paid_at: "2026-11-21T09:31:01.000000Z" },
  actor: { type: "payer", id: null },
  request_id: "0f6c1f0e-58a1-4b5e-9d2e-0b2f6a8c7d11",
};

export const eventListQuery = listQuery({
  type: optional(z.enum(eventTypeNames as [EventType, ...EventType[]])),
  resource_id: optional(z.string().describe("What the events are about.")),
  payment_link_id: optional(z.string().describe("The link, its payments and refunds.")),
  subscription_id: optional(z.string().describe("The subscription and the links of its periods.")),
});
export type EventListQuery = z.output<typeof eventListQuery>;

/** Columns of the exported file. */
export const eventColumns: readonly string[] = [
  "_id",
  "created_at",
  "type",
  "resource_id",
  "sequence",
  "actor.type",
  "actor.id",
  "request_id",
];

export const eventEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/events/export",
    summary: "Export events as CSV",
    description:
      "Every event that the filters find, as a file (RFC 4180, UTF-8). The column of a nested field has both names: `actor_type`. `data` is left out, because it can contain the URLs of payment links.",
    scope: "events:read",
    query: exportQuery(eventListQuery),
    response: event,
    csv: true,
    example: { data: eventExample },
  }),
  list: endpoint({
    method: "GET",
    path: "/events",
    summary: "List events",
    description: "What has happened, newest first. Webhooks carry the same objects.",
    scope: "events:read",
    query: eventListQuery,
    response: event,
    list: true,
    example: { data: eventExample },
  }),
  get: endpoint({
    method: "GET",
    path: "/events/{event_id}",
    summary: "Get an event",
    scope: "events:read",
    response: event,
    example: { data: eventExample },
  }),
};
