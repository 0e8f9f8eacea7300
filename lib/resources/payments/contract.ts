import { z } from "zod";
import { fieldMessages } from "@/lib/core/field-messages";
import { type ManualMethod, methodNames } from "@/lib/core/payment-methods";
import { declineReasons, type Risk, riskLevels } from "@/lib/gateways/reasons";
import { endpoint } from "@/lib/http/endpoint";
import { amountFrom, currency, day, dayOrInstant, optional, sensitive, text } from "@/lib/http/fields";
import { amountRange, exportQuery, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationEndpoint, annotations, noAnnotations } from "@/lib/resources/annotations/contract";
import { customerNameColumn, customerNameNote } from "@/lib/resources/customers/csv-contract";
import { disputeStatusNames } from "@/lib/resources/disputes/contract";
import { paymentLink, paymentLinkExample } from "@/lib/resources/payment-links/contract";

export const paymentStatuses = ["sending", "requires_action", "unknown", "succeeded", "failed", "reversed"] as const;

export const manualMethods = Object.keys(methodNames) as ManualMethod[];

const manual = z.object({
  method: z.enum(manualMethods),
  paid_on: z.string().describe("The day on which you received the money."),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  marked_by: z.string().nullable().describe("Who marked the link as paid: a person's or an API key's name."),
  reversed_at: z.string().nullable(),
  reversal_reason: z.string().nullable(),
  reversed_by: z.string().nullable(),
});

const reasons = Object.keys(declineReasons) as (keyof typeof declineReasons)[];

export const payment = z.object({
  _id: z.string(),
  payment_link_id: z.string(),
  business_id: z.int(),
  status: z
    .enum(paymentStatuses)
    .describe(
      "sending: the charge is at the gateway; requires_action: the payer is at the bank's or the gateway's page; " +
        "unknown: the gateway's response is missing and being requested; then finally succeeded or failed. reversed: staff had " +
        "marked the link as paid and took that back.",
    ),
  amount: z.number(),
  amount_cents: z.int(),
  currency: z.string(),
  gateway: z.string().describe("Where it was charged; `manual`: staff marked the link as paid."),
  gateway_reference: z.string().nullable(),
  reason: z.enum(reasons).nullable().describe("Why it failed."),
  card: z
    .object({
      ...{ brand: z.string(), last4: z.string() },
      exp_month: z.int().nullable().describe("As it was at the time of the payment; null if it is not known."),
      exp_year: z.int().nullable(),
    })
    .nullable(),
  tokenization_id: z.string().nullable().describe("The saved card that was charged; null when the payer paid."),
  refunded_amount: z.number(),
  refund_pending_amount: z.number(),
  fee: z.object({ amount_cents: z.int(), currency: z.string() }).nullable().describe("What the gateway keeps."),
  receipt_url: sensitive(z.string().nullable()).describe("For the payer: a page that shows this payment."),
  livemode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  settled_at: z.string().nullable(),
  disputed_amount: z.number().describe("What open and lost disputes have taken. It cannot be refunded."),
  dispute_status: z
    .enum(disputeStatusNames)
    .nullable()
    .describe("The status of its open dispute, else of its newest; null without disputes. `GET /disputes` lists them."),
  settled_by: z.string().nullable().describe("The person or key that settled it by hand."),
  settled_reason: z.string().nullable().describe("Why it was settled by hand."),
  mismatch_at: z
    .string()
    .nullable()
    .describe("When the gateway turned out to have taken a payment that was settled by hand as failed."),
  mismatch_resolved_at: z
    .string()
    .nullable()
    .describe(
      "When staff resolved the mismatch without counting it as the link's payment. Until then the link is not charged.",
    ),
  mismatch_note: z.string().nullable().describe("What staff did to resolve the mismatch."),
  manual: manual.nullable().describe("How the payer paid, if the link was marked as paid; null for a card."),
  gateway_code: z.string().nullable().describe("The gateway's own code for the reason, if it gave one."),
  net_amount: z
    .number()
    .nullable()
    .describe(
      "What the gateway added to the balance: the amount less the fee, in the fee's currency. Null while the fee is not known.",
    ),
  payout_id: z
    .string()
    .nullable()
    .describe(
      "The payout with which it was transferred to the bank. Null before that, or if the gateway does not say.",
    ),
  risk: z
    .enum(riskLevels)
    .nullable()
    .describe(
      "How likely the payment is fraudulent, as the gateway assesses it. Null if it did not assess the payment.",
    ),
  ...annotations,
});
export type Payment = z.infer<typeof payment>;

const example: Payment = {
  _id: "pay_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
  payment_link_id: paymentLinkExample._id,
  business_id: 1,
  status: "succeeded",
  amount: 10.5,
  amount_cents: 1050,
  currency: "EUR",
  gateway: "sandbox",
  gateway_reference: "sbx_ch_0f9d2c7b1e8a4d6353c1a2b7e9f00d41c6a8b2e4",
  reason: null,
  card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 },
  tokenization_id: null,
  refunded_amount: 0,
  refund_pending_amount: 0,
  fee: { amount_cents: 40, currency: "EUR" },
  receipt_url: "https://pay.shop.example/receipt/q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Z0x1C",
  livemode: false,
  created_at: "2026-11-21T09:31:00.123456Z",
  updated_at: "2026-11-21T09:31:01.000321Z",
  settled_at: "2026-11-21T09:31:01.000000Z",
  disputed_amount: 0,
  dispute_status: null,
  settled_by: null,
  settled_reason: null,
  mismatch_at: null,
  mismatch_resolved_at: null,
  mismatch_note: null,
  manual: null,
  gateway_code: null,
  net_amount: 10.1,
  payout_id: "po_01k8p2c3d4e5f6g7h8j9k0m1n2p3q4r5s6t7",
  risk: "normal",
  ...noAnnotations,
};

export const paymentOfLink = payment.extend({
  title: z
    .string()
    .describe("The link's, as it is now. The receipt of a reversed payment keeps the title that was paid for."),
  email: z.string(),
  tax_percent: z.number().nullable().describe("The rate of the tax in a payment that succeeded; else null."),
  tax_amount: z
    .number()
    .nullable()
    .describe("The tax in a payment that succeeded, before refunds, rounded half up; else null."),
});
export type PaymentOfLink = z.infer<typeof paymentOfLink>;

const { title, email, tax_percent, tax_amount } = paymentLinkExample;
const exampleOfLink: PaymentOfLink = { ...example, title, email, tax_percent, tax_amount };

/** The example of a transfer that staff reversed. */
export const reversedExample: PaymentOfLink = {
  ...exampleOfLink,
  status: "reversed",
  gateway: "manual",
  gateway_reference: null,
  card: null,
  fee: { amount_cents: 0, currency: "EUR" },
  net_amount: null,
  payout_id: null,
  risk: null,
  manual: {
    method: "cheque",
    paid_on: "2026-11-20",
    reference: "Cheque 400123",
    note: null,
    marked_by: "Anna Berg",
    reversed_at: "2026-11-24T08:12:40.000000Z",
    reversal_reason: "The cheque bounced",
    reversed_by: "Anna Berg",
  },
};

export const refundedParts = ["partly", "fully"] as const;

/** The levels by which payments can be filtered. Most payments have a normal risk; the filter's index leaves them out. */
const raisedRisks = ["elevated", "highest"] as const satisfies readonly Risk[];

export const paymentListQuery = listQuery(
  {
    status: optional(z.enum(paymentStatuses)),
    mismatch: optional(
      z
        .enum(["open"])
        .describe(
          "open: the gateway took the payment although staff had recorded it as failed, and staff have not resolved that.",
        ),
    ),
    email: optional(z.string().describe("The payer's, ignoring case.")),
    payment_link_id: optional(z.string()),
    tokenization_id: optional(z.string()),
    currency: optional(currency),
    gateway: optional(z.string()),
    method: optional(z.enum(manualMethods).describe("Of payments that were marked as paid: how the payer paid.")),
    risk: optional(z.enum(raisedRisks)),
    refunded: optional(
      z.enum(refundedParts).describe("Payments refunded in part or in full. Pending refunds do not count."),
    ),
    ...amountRange,
    q: optional(
      text(200).describe(
        "Words that the link's title, e-mail or references, the card's brand or last four digits, the currency, the gateway's " +
          "reference, metadata values or notes begin with; or an amount, 12.50. The link's words are those at the time of the payment.",
      ),
    ),
    settled_from: optional(
      dayOrInstant.describe("A day (UTC) or an instant: payments that succeeded or failed from then on."),
    ),
    settled_to: optional(dayOrInstant.describe("A day (UTC, inclusive) or an instant, ISO 8601.")),
    ...metadataFilter,
  },
  ["amount"],
);
export type PaymentListQuery = z.output<typeof paymentListQuery>;

const shownAmount = {
  amount: optional(amountFrom(1)).describe(
    "In cents, as you have shown it: 412 if the link has another amount by now.",
  ),
  currency: optional(currency.describe("As you have shown it: 412 if the link has another one by now.")),
};
export type ShownAmount = { amount: number | null; currency: string | null };

const chargeInput = z.object({
  token: sensitive(text(128)).describe("Of an active tokenization with the link's e-mail address."),
  ...shownAmount,
});
export type ChargeInput = z.output<typeof chargeInput>;

const settleInput = z
  .object({
    status: z.enum(["failed", "succeeded"]),
    gateway_ref: optional(
      text(255).describe(
        "The gateway's reference of the charge, at Stripe the PaymentIntent (pi_...). Required for succeeded.",
      ),
    ),
    reason: text(500).describe("How you know. For your own records."),
  })
  .refine(({ status, gateway_ref }) => status === "failed" || gateway_ref !== null, {
    path: ["gateway_ref"],
    error: fieldMessages.required("gateway_ref"),
  });
export type SettleInput = z.output<typeof settleInput>;

const resolveMismatchInput = z.object({
  resolution: z
    .enum(["counted", "acknowledged"])
    .describe("counted: it is the link's payment; acknowledged: you returned the money, or booked it elsewhere."),
  note: text(255).describe("What you found out or did. For your own records."),
});
export type ResolveMismatchInput = z.output<typeof resolveMismatchInput>;

const manualPaymentInput = z.object({
  method: z.enum(manualMethods),
  paid_on: day.describe("The day on which you received the money, in the business's time zone; not in the future."),
  reference: optional(text(140).describe("Such as the transfer's or the cheque's number.")),
  note: optional(text(500).describe("For your team. The payer never sees it.")),
  ...shownAmount,
});
export type ManualPaymentInput = z.output<typeof manualPaymentInput>;

const reversalInput = z.object({
  reason: text(500).describe("For your own records. The payer never sees it."),
});

/** Columns of the exported file. */
export const paymentColumns: readonly string[] = [
  "_id",
  "created_at",
  "settled_at",
  "status",
  "reason",
  "gateway_code",
  "amount",
  "amount_cents",
  "currency",
  "refunded_amount",
  "disputed_amount",
  "dispute_status",
  "fee.amount_cents",
  "fee.currency",
  "net_amount",
  "gateway",
  "gateway_reference",
  "card.brand",
  "card.last4",
  "tokenization_id",
  "payment_link_id",
  "title",
  "email",
  "manual.method",
  "manual.paid_on",
  "manual.reference",
  "payout_id",
  "metadata",
  "notes",
  "card.exp_month",
  "card.exp_year",
  "risk",
  customerNameColumn,
  "tax_percent",
  "tax_amount",
];

export const paymentEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/payments/export",
    summary: "Export payments as CSV",
    description: `Every attempt to pay that the filters find, as a file (RFC 4180, UTF-8). The column of a nested field has both names: \`card_last4\`. ${customerNameNote}`,
    scope: "payments:read",
    query: exportQuery(paymentListQuery),
    response: paymentOfLink,
    csv: true,
    example: { data: exampleOfLink },
  }),
  charge: endpoint({
    method: "POST",
    path: "/payment-links/{payment_link_id}/charge",
    summary: "Charge a saved card",
    description:
      "Pays the link with the card of a tokenization, without its payer. Read `paid`: the status is Paid, or Processing " +
      "while the gateway's response is not known. After a decline the link stays payable, by another charge or by its payer " +
      "at `payment_url`; with the reason `authentication_required` the bank wants the payer there.",
    scope: "payments:write",
    body: chargeInput,
    response: paymentLink,
    precondition: true,
    callsGateway: true,
    declines: "The card was declined; the link can be paid again.",
    conflicts:
      "The link is not active, or is being changed or paid; the gateway cannot take its amount; or the account's key lacks a permission.",
    example: {
      body: { token: "Zk3v9Jx0m2Q8r5T1w7Y4u6I0o3P9a2S5d8F1g4H7j0K", amount: "1050", currency: "EUR" },
      data: { ...paymentLinkExample, status: "Paid", paid: true, paid_at: "2026-11-21T09:31:01.000000Z" },
    },
  }),
  markPaid: endpoint({
    method: "POST",
    path: "/payment-links/{payment_link_id}/mark-paid",
    summary: "Mark a payment link as paid",
    description:
      "Records that the payer paid the whole amount without a gateway: by transfer, in cash or by cheque. The link becomes Paid, " +
      "also if it was inactive or has expired; the payment has the gateway `manual`. `write` does not include this scope: give it to a key by name.",
    scope: "manual_payments:write",
    body: manualPaymentInput,
    response: paymentLink,
    precondition: true,
    conflicts: "The link is paid, or a payment is in progress.",
    example: {
      body: { method: "transfer", paid_on: "2026-11-20", reference: "Statement 47, line 3" },
      data: { ...paymentLinkExample, status: "Paid", paid: true, paid_at: "2026-11-21T09:31:01.000000Z" },
    },
  }),
  reverse: endpoint({
    method: "POST",
    path: "/payments/{payment_id}/reverse",
    summary: "Reverse a manual payment",
    description:
      "For a link that was marked as paid by mistake, or a cheque that bounced. The link can be paid again, or is Inactive again if " +
      "it was when it was marked. The receipt says that the payment was reversed. The period of an active link of a subscription is owed again, from its first dunning day on.",
    scope: "manual_payments:write",
    body: reversalInput,
    response: paymentOfLink,
    conflicts: "The payment came through a gateway, is reversed already, or has refunds.",
    example: { body: { reason: "The cheque bounced" }, data: reversedExample },
  }),
  list: endpoint({
    method: "GET",
    path: "/payments",
    summary: "List payments",
    description: "Every attempt to pay a payment link, including those that failed.",
    scope: "payments:read",
    query: paymentListQuery,
    response: paymentOfLink,
    list: true,
    example: { data: exampleOfLink },
  }),
  get: endpoint({
    method: "GET",
    path: "/payments/{payment_id}",
    summary: "Get a payment",
    scope: "payments:read",
    response: paymentOfLink,
    example: { data: exampleOfLink },
  }),
  annotate: annotationEndpoint({
    path: "/payments/{payment_id}",
    noun: "a payment",
    readScope: "payments:read",
    response: paymentOfLink,
    data: exampleOfLink,
  }),
  reconcile: endpoint({
    method: "POST",
    path: "/payments/{payment_id}/reconcile",
    summary: "Ask the gateway about a payment",
    description: "Looks the payment up at the gateway at once, settles it with the outcome, and returns it.",
    scope: "payments:write",
    response: paymentOfLink,
    callsGateway: true,
    conflicts: "The gateway refuses the account's key.",
    example: { data: exampleOfLink },
  }),
  cancel: endpoint({
    method: "POST",
    path: "/payments/{payment_id}/cancel",
    summary: "Withdraw a payment",
    description:
      "Ends an attempt whose payer has only opened the page at the gateway or the bank (`requires_action`): first " +
      "at the gateway, then here. The link can then be changed and paid again. A repetition changes nothing.",
    scope: "payments:write",
    response: paymentOfLink,
    callsGateway: true,
    conflicts: "The payer has paid meanwhile, the charge is at the gateway, or the gateway refuses the account's key.",
    example: {
      data: {
        ...exampleOfLink,
        ...{
          status: "failed",
          reason: "abandoned",
          card: null,
          fee: null,
          receipt_url: null,
          net_amount: null,
          payout_id: null,
          risk: null,
        },
      },
    },
  }),
  settle: endpoint({
    method: "POST",
    path: "/payments/{payment_id}/settle",
    summary: "Settle a payment by hand",
    description:
      "For an open payment that the gateway cannot decide, at least a minute after it began. Asks the gateway first: its " +
      "answer wins. Look the payment up in the gateway's dashboard first. If it took a payment that you record as failed, " +
      "`payment.mismatch` tells you later.",
    scope: "gateway_accounts:write",
    body: settleInput,
    response: paymentOfLink,
    callsGateway: true,
    conflicts:
      "The payment is settled already, its request may still be in flight, its payer's page is open, or the `gateway_ref` is another payment's.",
    example: {
      body: { status: "succeeded", gateway_ref: "pi_3Pabc", reason: "Seen in Stripe's dashboard" },
      data: {
        ...exampleOfLink,
        gateway_reference: "pi_3Pabc",
        settled_by: "Anna Schmidt",
        settled_reason: "Seen in Stripe's dashboard",
      },
    },
  }),
  resolveMismatch: endpoint({
    method: "POST",
    path: "/payments/{payment_id}/resolve-mismatch",
    summary: "Resolve a mismatch",
    description:
      "For a payment that the gateway took although it was settled by hand as failed. Until you resolve it, its link is not charged " +
      "and cannot be marked as paid. `counted`: Paydesk looks it up at the gateway and settles it like any payment. Before you send " +
      "`acknowledged`, return the money in the gateway's dashboard: afterwards the link can be charged again.",
    scope: "gateway_accounts:write",
    body: resolveMismatchInput,
    response: paymentOfLink,
    callsGateway: true,
    conflicts:
      "The payment is not an open mismatch, or cannot be counted because its link is paid, deleted, in flight or has another amount.",
    example: {
      body: { resolution: "counted", note: "The payer's card statement shows it." },
      data: { ...exampleOfLink, settled_by: "Anna Schmidt", settled_reason: "The payer's card statement shows it." },
    },
  }),
};
