import { z } from "zod";
import type { Scope } from "@/lib/auth/scopes";
import type { FieldErrors } from "@/lib/core/errors";
import { payerLanguages } from "@/lib/core/payer-languages";
import { endpoint } from "@/lib/http/endpoint";
import {
  amount,
  currency,
  email,
  instant,
  optional,
  phone,
  redirectErrors,
  redirectUrl,
  taxPercent,
  text,
  wholeUnits,
} from "@/lib/http/fields";
import { amountRange, flag, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationEndpoint, annotationFields, annotations, noAnnotations } from "@/lib/resources/annotations/contract";

export const paymentLinkStatuses = ["Active", "Inactive", "Processing", "Paid", "Expired"] as const;

/** A payment link in a response. Documented fields come first, in the specification's order. */
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
  tax_percent: z.number().nullable().describe("The rate of the tax that the amount includes; null without a tax."),
  tax_amount: z.number().nullable().describe("The tax that the amount includes, rounded half up."),
  subscription_id: z.string().nullable(),
  period_start: z.string().nullable(),
  period_end: z.string().nullable(),
  attempt_count: z.int().describe("Of a subscription's period: charges of the saved card so far."),
  next_attempt_at: z.string().nullable().describe("Of a subscription's period: when the saved card is charged next."),
  internal_note: z.string().nullable().describe("Your own. The payer never sees it."),
  language: z
    .enum(payerLanguages)
    .nullable()
    .describe(
      "The language of the payer's pages, receipt and e-mails. null: the browser's language on pages, English in e-mails.",
    ),
  awaiting_transfer_since: z
    .string()
    .nullable()
    .describe("Since when you wait for a bank transfer (`POST .../await-transfer`); null if you do not."),
  ...annotations,
});
export type PaymentLink = z.infer<typeof paymentLink>;

export const paymentLinkExample: PaymentLink = {
  _id: "pl_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  email: "ada@example.com",
  phone_no: null,
  currency: "EUR",
  amount: 10.5,
  title: "Order 1001",
  description: "Two books",
  redirect_url: "https://shop.example/thanks",
  reference: "1001",
  reference_2: null,
  status: "Active",
  payment_url: "https://pay.shop.example/pay?id=pl_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  business_id: 1,
  paid: false,
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
  amount_cents: 1050,
  livemode: false,
  expires_at: null,
  paid_at: null,
  refunded_amount: 0,
  tax_percent: null,
  tax_amount: null,
  subscription_id: null,
  period_start: null,
  period_end: null,
  attempt_count: 0,
  next_attempt_at: null,
  internal_note: null,
  language: null,
  awaiting_transfer_since: null,
  ...noAnnotations,
};

/** The body of create and update. The required fields are in the order in which the specification reports them. */
export const paymentLinkInput = wholeUnits(
  z.object({
    currency,
    email,
    amount,
    title: text(50).describe("What is paid for; the payer sees it."),
    phone_no: optional(phone),
    description: optional(text(2000).describe("Shown to the payer below the title.")),
    redirect_url: optional(redirectUrl),
    reference: optional(text(50).describe("Your own reference, for example an order number.")),
    reference_2: optional(text(50).describe("A second one.")),
    send_email: optional(z.boolean().describe("false: sends the payer no e-mail with the new link.")),
    expires_at: optional(instant.describe("ISO 8601 with offset. From then on the link cannot be paid.")),
    tax_percent: optional(taxPercent),
    internal_note: optional(text(500).describe("Your own. The payer never sees it.")),
    language: optional(
      z
        .enum(payerLanguages)
        .describe(
          "The language of the payer's pages, receipt and e-mails about the link. Without it, pages are in the browser's language, and e-mails in English.",
        ),
    ),
    ...annotationFields,
  }),
);
export type PaymentLinkInput = z.output<typeof paymentLinkInput>;

export const paymentLinkListQuery = listQuery(
  {
    status: optional(z.enum(paymentLinkStatuses)),
    paid: optional(flag),
    email: optional(z.string()),
    currency: optional(currency),
    reference: optional(z.string()),
    reference_2: optional(z.string()),
    subscription_id: optional(z.string()),
    subscription: optional(z.enum(["none"]).describe("none: without the periods of subscriptions.")),
    awaiting_transfer: optional(flag.describe("true: links for which you wait for a bank transfer.")),
    ...amountRange,
    q: optional(
      text(200).describe(
        "Words that title, e-mail, references, description, currency, metadata values or notes begin with, or an amount, 12.50; or the payment reference " +
          "of a bank transfer, PL01-K8M3-V7Q2-R5T9.",
      ),
    ),
    ...metadataFilter,
  },
  ["amount", "email", "expires_at"],
);
export type PaymentLinkListQuery = z.output<typeof paymentLinkListQuery>;

/** A new link must be payable; an update may close one at once. */
function pastErrors({ expires_at }: Record<string, unknown>, now: Date): FieldErrors {
  const given = instant.safeParse(expires_at);
  return given.success && given.data <= now ? { expires_at: ["The expires_at must be a date in the future."] } : {};
}

const body = {
  email: "ada@example.com",
  currency: "EUR",
  amount: "1050",
  title: "Order 1001",
  description: "Two books",
  redirect_url: "https://shop.example/thanks",
  reference: "1001",
};

const one = "/payment-links/{payment_link_id}";

/** The scope that changing, waiving or reopening a subscription's period also requires, because a saved card pays it. */
export const periodScope: Scope = "subscriptions:write";
const alsoRequires = `also requires \`${periodScope}\``;

export const paymentLinkEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/payment-links",
    summary: "Create a payment link",
    description: "The payer opens `payment_url`, pays, and is sent to `redirect_url` or the thank-you page.",
    scope: "payment_links:write",
    body: paymentLinkInput,
    check: (input, { livemode, now }) => ({ ...redirectErrors(input, livemode), ...pastErrors(input, now) }),
    response: paymentLink,
    example: { body, data: paymentLinkExample },
  }),
  list: endpoint({
    method: "GET",
    path: "/payment-links",
    summary: "List payment links",
    scope: "payment_links:read",
    query: paymentLinkListQuery,
    response: paymentLink,
    list: true,
    example: { data: paymentLinkExample },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a payment link",
    scope: "payment_links:read",
    response: paymentLink,
    example: { data: paymentLinkExample },
  }),
  update: endpoint({
    method: "PUT",
    path: one,
    summary: "Update a payment link",
    description:
      "Replaces every writable field: an optional one that is left out becomes null, except `metadata` and `notes`, which stay. With `If-Match` and the `updated_at` " +
      `that was read, a change made since is not overwritten: 412. To change a subscription's period ${alsoRequires}.`,
    ifMatch: true,
    scope: "payment_links:write",
    body: paymentLinkInput,
    check: (input, { livemode }) => redirectErrors(input, livemode),
    response: paymentLink,
    conflicts:
      "The link is paid or a payment is in progress. Or a subscription's period would get another e-mail or currency, or expire.",
    example: { body, data: paymentLinkExample },
  }),
  annotate: annotationEndpoint({
    path: one,
    noun: "a payment link",
    readScope: "payment_links:read",
    response: paymentLink,
    data: paymentLinkExample,
  }),
  remove: endpoint({
    method: "DELETE",
    path: one,
    summary: "Delete a payment link",
    description:
      "Returns the link's last state. The payer's page then says that it is no longer available. This waives a subscription's period, which " +
      `${alsoRequires}.`,
    scope: "payment_links:write",
    response: paymentLink.extend({ deleted: z.literal(true) }),
    conflicts: "The link is paid or a payment is in progress.",
    example: { data: { ...paymentLinkExample, deleted: true } },
  }),
  deactivate: endpoint({
    method: "POST",
    path: `${one}/deactivate`,
    summary: "Deactivate a payment link",
    description: `Active becomes Inactive: the link stays but cannot be paid. A subscription's period is waived by it, which ${alsoRequires}.`,
    scope: "payment_links:write",
    response: paymentLink,
    conflicts: "The link is paid, expired, or a payment is in progress.",
    example: { data: { ...paymentLinkExample, status: "Inactive" } },
  }),
  activate: endpoint({
    method: "POST",
    path: `${one}/activate`,
    summary: "Activate a payment link",
    description: `Inactive becomes Active: the link can be paid again. A subscription's period is charged to a saved card at once, which ${alsoRequires}.`,
    scope: "payment_links:write",
    response: paymentLink,
    conflicts: "The link is paid, expired, or a payment is in progress.",
    example: { data: paymentLinkExample },
  }),
  awaitTransfer: endpoint({
    method: "POST",
    path: `${one}/await-transfer`,
    summary: "Wait for a bank transfer",
    description:
      "Records that the payer has announced a bank transfer. The link stays payable by card; its page says that you wait. A subscription's " +
      `period is not charged and its payer not reminded meanwhile, which ${alsoRequires}. Waiting ends when the link is paid, marked as paid or ` +
      "deactivated.",
    scope: "payment_links:write",
    response: paymentLink,
    conflicts: "The link cannot be paid: it is inactive, paid or expired, or a payment is in progress.",
    example: { data: { ...paymentLinkExample, awaiting_transfer_since: "2026-11-22T10:00:00.000000Z" } },
  }),
  stopAwaitingTransfer: endpoint({
    method: "DELETE",
    path: `${one}/await-transfer`,
    summary: "Stop waiting for a bank transfer",
    description: `Dunning of a subscription's period begins anew, with its first dunning day, which ${alsoRequires}.`,
    scope: "payment_links:write",
    response: paymentLink,
    conflicts: "The link cannot be paid: it is inactive, paid or expired, or a payment is in progress.",
    example: { data: paymentLinkExample },
  }),
  send: endpoint({
    method: "POST",
    path: `${one}/send`,
    summary: "Send a payment link by e-mail",
    description:
      "Queues the mail with the link to its payer once more; at most once a minute, and ten times a day. What has been sent is " +
      "listed by `GET /emails?payment_link_id=`.",
    scope: "payment_links:write",
    response: paymentLink,
    conflicts: "The link cannot be paid: it is inactive, paid or expired, or a payment is in progress.",
    example: { data: paymentLinkExample },
  }),
};
