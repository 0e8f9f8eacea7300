import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { listQuery } from "@/lib/http/list-query";

export const timelineKinds = ["event", "attempt", "mail", "visit", "webhook", "next"] as const;

export const timelineEntry = z.object({
  _id: z.string(),
  kind: z
    .enum(timelineKinds)
    .describe(
      "event: a change; attempt: a payment under way; mail: an e-mail; visit: the payer opened the page " +
        "(one entry an hour); webhook: a delivery to an endpoint; next: what will happen, at `created_at`.",
    ),
  type: z.string().describe("The event's type, the mail's template, or the state of an attempt or a delivery."),
  text: z.string().describe("In plain words."),
  detail: z.string().nullable().describe("Why, or what to do about it."),
  actor: z.object({
    type: z.enum(["api_key", "user", "payer", "system"]),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  about_id: z
    .string()
    .nullable()
    .describe("The id of what the event is about, or of the payment under way, the e-mail or the delivery."),
  title: z
    .string()
    .nullable()
    .describe("Of an event, what its payment link, tokenization or subscribed package was called at that time."),
  payment_id: z.string().nullable().describe("The payment of an event about a refund or a dispute."),
  webhook_endpoint_id: z.string().nullable().describe("The endpoint of a delivery, unless it was deleted."),
  payment_link_id: z.string().nullable(),
  created_at: z.string(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

const example: TimelineEntry = {
  _id: "evt_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6",
  kind: "event",
  type: "payment.failed",
  text: "Payment of €10.50 failed",
  detail: "Insufficient funds.",
  actor: { type: "payer", id: null, name: null },
  about_id: "pay_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
  title: "Order 1001",
  payment_id: null,
  webhook_endpoint_id: null,
  payment_link_id: "pl_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  created_at: "2026-11-21T09:31:01.000000Z",
};

export const timelineQuery = listQuery({});
export type TimelineQuery = z.output<typeof timelineQuery>;

/** How many of a customer's newest rows their timeline includes. It reads a page of each. */
export const customerSubjects = { links: 100, subscriptions: 20, tokenizations: 20 } as const;

const shared = {
  method: "GET",
  query: timelineQuery,
  response: timelineEntry,
  list: true,
} as const;

const exampleOf = (path: string) => ({ path: `${path}/timeline`, data: example });

export const timelineEndpoints = {
  ofPaymentLink: endpoint({
    ...shared,
    path: "/payment-links/{payment_link_id}/timeline",
    summary: "Timeline of a payment link",
    description:
      "In one list: what happened to it, attempts to pay, mails, visits, webhook deliveries, and on the first page what happens next.",
    scope: "payment_links:read",
    example: exampleOf(`/payment-links/${example.payment_link_id}`),
  }),
  ofSubscription: endpoint({
    ...shared,
    path: "/subscriptions/{subscription_id}/timeline",
    summary: "Timeline of a subscription",
    description: "The same for a subscription and the links of its periods.",
    scope: "subscriptions:read",
    example: exampleOf("/subscriptions/sub_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8"),
  }),
  ofCustomer: endpoint({
    ...shared,
    path: "/customers/{email}/timeline",
    summary: "Timeline of a customer",
    description:
      `What happened to the customer's newest ${customerSubjects.links} payment links, ${customerSubjects.subscriptions} subscriptions and ` +
      `${customerSubjects.tokenizations} tokenizations: changes, payments, refunds, disputes and mails. Visits and webhook deliveries are in the ` +
      "timelines of the link and the subscription, and so are older ones.",
    scope: "customers:read",
    example: exampleOf("/customers/ada@example.com"),
  }),
  ofPackage: endpoint({
    ...shared,
    path: "/packages/{package_id}/timeline",
    summary: "Timeline of a package",
    description: "What happened to it, and webhook deliveries of that. Its subscriptions have timelines of their own.",
    scope: "packages:read",
    example: exampleOf("/packages/pkg_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8"),
  }),
  ofTokenization: endpoint({
    ...shared,
    path: "/tokenizations/{tokenization_id}/timeline",
    summary: "Timeline of a tokenization",
    description: "What happened to it, webhook deliveries of that, and until when its payer can save a card.",
    scope: "tokenizations:read",
    example: exampleOf("/tokenizations/tkn_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8"),
  }),
};
