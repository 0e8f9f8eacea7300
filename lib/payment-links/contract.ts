import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { amount, currency, email, instant, optional, phone, redirectUrl, text, wholeUnits } from "@/lib/api/fields";
import { flag, listQuery } from "@/lib/api/list-query";

export const paymentLinkStatuses = ["Active", "Inactive", "Processing", "Paid", "Expired"] as const;

/** What a payment link is in an answer; documented fields first, in the specification's order. */
export const paymentLink = z.object({
  _id: z.string(),
  email: z.string(),
  phone_no: z.string().nullable(),
  currency: z.string(),
  amount: z.number(),
  title: z.string(),
  description: z.string().nullable(),
  redirect_url: z.string().nullable(),
  reference: z.string().nullable(),
  reference_2: z.string().nullable(),
  status: z.enum(paymentLinkStatuses),
  payment_url: z.string(),
  business_id: z.int(),
  paid: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  amount_cents: z.int(),
  livemode: z.boolean(),
  expires_at: z.string().nullable(),
  paid_at: z.string().nullable(),
  refunded_amount: z.number(),
  subscription_id: z.string().nullable(),
  period_start: z.string().nullable(),
  period_end: z.string().nullable(),
});
export type PaymentLink = z.infer<typeof paymentLink>;

/** The body of create and update. The required fields stand in the order in which the specification reports them. */
export const paymentLinkInput = wholeUnits(
  z.object({
    currency,
    email,
    amount,
    title: text(50),
    phone_no: optional(phone),
    description: optional(text(2000)),
    redirect_url: optional(redirectUrl),
    reference: optional(text(50)),
    reference_2: optional(text(50)),
    send_email: optional(z.boolean()),
    expires_at: optional(instant),
  }),
);
export type PaymentLinkInput = z.output<typeof paymentLinkInput>;

export const paymentLinkListQuery = listQuery({
  status: optional(z.enum(paymentLinkStatuses)),
  paid: optional(flag),
  email: optional(z.string()),
  currency: optional(currency),
  reference: optional(z.string()),
  reference_2: optional(z.string()),
  subscription_id: optional(z.string()),
  q: optional(text(200)),
});
export type PaymentLinkListQuery = z.output<typeof paymentLinkListQuery>;

const one = "/payment-links/{payment_link_id}";

export const paymentLinkEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/payment-links",
    summary: "Create a payment link",
    description: "The payer opens `payment_url`, pays, and is sent to `redirect_url` or the thank-you page.",
    scope: "payment_links:write",
    body: paymentLinkInput,
    response: paymentLink,
  }),
  list: endpoint({
    method: "GET",
    path: "/payment-links",
    summary: "List payment links",
    scope: "payment_links:read",
    query: paymentLinkListQuery,
    response: paymentLink,
    list: true,
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a payment link",
    scope: "payment_links:read",
    response: paymentLink,
  }),
  update: endpoint({
    method: "PUT",
    path: one,
    summary: "Update a payment link",
    description: "Replaces every writable field: an optional one that is left out becomes null.",
    scope: "payment_links:write",
    body: paymentLinkInput,
    response: paymentLink,
    conflicts: "The link is paid or a payment is in progress.",
  }),
  remove: endpoint({
    method: "DELETE",
    path: one,
    summary: "Delete a payment link",
    description: "Answers with the link's last state. Its payer then sees that it is gone.",
    scope: "payment_links:write",
    response: paymentLink.extend({ deleted: z.literal(true) }),
    conflicts: "The link is paid or a payment is in progress.",
  }),
  deactivate: endpoint({
    method: "POST",
    path: `${one}/deactivate`,
    summary: "Deactivate a payment link",
    description: "Active becomes Inactive: the link stays but cannot be paid.",
    scope: "payment_links:write",
    response: paymentLink,
    conflicts: "The link is paid, expired, or a payment is in progress.",
  }),
  activate: endpoint({
    method: "POST",
    path: `${one}/activate`,
    summary: "Activate a payment link",
    description: "Inactive becomes Active: the link can be paid again.",
    scope: "payment_links:write",
    response: paymentLink,
    conflicts: "The link is paid, expired, or a payment is in progress.",
  }),
};
