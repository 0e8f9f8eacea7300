import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { emailStatuses } from "@/lib/resources/emails/contract";
import { paymentLinkExample } from "./contract";

/** Mails, hours with visits, and attempts of which a funnel counts at most so many each. */
export const maxCounted = 1_000;

const step = z.object({
  count: z.int(),
  count_is_lower_bound: z.boolean().describe(`Whether there are more: ${maxCounted} rows are counted at most.`),
  last_at: z.string().nullable().describe("The last time; null if never."),
});

/** The newest mail with a link. */
export const linkMail = z.object({
  status: z.enum(emailStatuses).describe("As in `GET /emails`."),
  at: z.string().describe("When it was sent, else when it was written."),
});
export type LinkMail = z.infer<typeof linkMail>;

export const paymentLinkFunnel = z.object({
  _id: z.string().describe("The payment link's."),
  sent: step
    .extend({
      status: z
        .enum(emailStatuses)
        .nullable()
        .describe("Of the newest mail with the link, as in `GET /emails`; null without one."),
    })
    .describe("Mails with the link that were sent, or kept (`outbox`)."),
  opened: step.describe("Visits to its page. Those within a minute count as one."),
  tried: step.describe("Attempts to pay it by card, by the payer or with a saved card."),
  paid_at: z.string().nullable(),
  created_at: z.string(),
});
export type PaymentLinkFunnel = z.infer<typeof paymentLinkFunnel>;

const example: PaymentLinkFunnel = {
  _id: paymentLinkExample._id,
  sent: { count: 1, count_is_lower_bound: false, last_at: "2026-11-21T09:30:01.250000Z", status: "sent" },
  opened: { count: 3, count_is_lower_bound: false, last_at: "2026-11-21T09:58:10.000000Z" },
  tried: { count: 2, count_is_lower_bound: false, last_at: "2026-11-21T09:59:00.123456Z" },
  paid_at: "2026-11-21T09:59:01.000000Z",
  created_at: paymentLinkExample.created_at,
};

export const paymentLinkFunnelEndpoints = {
  funnel: endpoint({
    method: "GET",
    path: "/payment-links/{payment_link_id}/funnel",
    summary: "Funnel of a payment link",
    description: "How far the payer has come: whether the link was sent, opened, tried and paid, and when last.",
    scope: "payment_links:read",
    response: paymentLinkFunnel,
    example: { data: example },
  }),
};
