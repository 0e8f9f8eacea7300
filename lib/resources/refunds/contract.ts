import { z } from "zod";
import { isBlank } from "@/lib/core/blank";
import type { FieldErrors } from "@/lib/core/errors";
import { refundFailures } from "@/lib/gateways/reasons";
import { endpoint } from "@/lib/http/endpoint";
import { amountFrom, currency, dayOrInstant, optional, text } from "@/lib/http/fields";
import { amountRange, exportQuery, flag, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationEndpoint, annotationFields, annotations, noAnnotations } from "@/lib/resources/annotations/contract";
import { customerNameColumn, customerNameNote } from "@/lib/resources/customers/csv-contract";
import { paymentLinkExample } from "@/lib/resources/payment-links/contract";

export const refundStatuses = ["pending", "succeeded", "failed"] as const;

const failures = Object.keys(refundFailures) as (keyof typeof refundFailures)[];

export const refund = z.object({
  _id: z.string(),
  payment_id: z.string(),
  payment_link_id: z.string(),
  business_id: z.int(),
  amount: z.number(),
  amount_cents: z.int(),
  currency: z.string(),
  status: z
    .enum(refundStatuses)
    .describe("pending until the gateway has decided. A bank can still send a succeeded one back: then failed."),
  reason: z.string().nullable(),
  failure_reason: z.enum(failures).nullable(),
  gateway_reference: z.string().nullable(),
  livemode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  settled_at: z.string().nullable(),
  returned_at: z.string().nullable().describe("When the bank returned a refund that had succeeded."),
  ...annotations,
});
export type Refund = z.infer<typeof refund>;

const example: Refund = {
  _id: "ref_01k8m4b5c6d7e8f9g0h1j2k3m4n5p6q7r8s9",
  payment_id: "pay_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
  payment_link_id: paymentLinkExample._id,
  business_id: 1,
  amount: 2.5,
  amount_cents: 250,
  currency: "EUR",
  status: "succeeded",
  reason: "One book was damaged",
  failure_reason: null,
  gateway_reference: "sbx_re_5b1d0c9a7e3f2468ac0e1b3d5f7a9c2e4f6b8d01",
  livemode: false,
  created_at: "2026-11-22T14:05:10.654321Z",
  updated_at: "2026-11-22T14:05:10.754321Z",
  settled_at: "2026-11-22T14:05:10.750000Z",
  returned_at: null,
  ...noAnnotations,
};

/** A refund in lists, with the title of its payment link and its payer. */
const refundOfLink = refund.extend({ title: z.string(), email: z.string() });
export type RefundOfLink = z.infer<typeof refundOfLink>;

const exampleOfLink: RefundOfLink = { ...example, title: paymentLinkExample.title, email: paymentLinkExample.email };

const refundInput = z.object({
  amount: optional(amountFrom(1)).describe(
    "In cents, at most the unrefunded amount, which is the default. A blank text is refused.",
  ),
  reason: optional(text(500).describe("For your own records.")),
  ...annotationFields,
});
/** Elsewhere a blank text counts as missing. Here that would return all of the payment. */
const blankErrors = ({ amount }: Record<string, unknown>): FieldErrors =>
  typeof amount === "string" && isBlank(amount) ? { amount: ["The amount must be an integer."] } : {};

export type RefundInput = z.output<typeof refundInput>;

export const refundListQuery = listQuery({
  status: optional(z.enum(refundStatuses)),
  payment_id: optional(z.string()),
  payment_link_id: optional(z.string()),
  unresolved: optional(
    flag.describe("true: refunds that failed in the last 30 days, if the payment was not refunded again since."),
  ),
  currency: optional(currency),
  ...amountRange,
  settled_from: optional(
    dayOrInstant.describe("A day (UTC) or an instant: refunds that succeeded or failed from then on."),
  ),
  settled_to: optional(dayOrInstant.describe("A day (UTC, inclusive) or an instant, ISO 8601.")),
  ...metadataFilter,
});
export type RefundListQuery = z.output<typeof refundListQuery>;

/** The columns of the exported file. */
export const refundColumns: readonly string[] = [
  "_id",
  "created_at",
  "settled_at",
  "returned_at",
  "status",
  "failure_reason",
  "amount",
  "amount_cents",
  "currency",
  "reason",
  "gateway_reference",
  "payment_id",
  "payment_link_id",
  "title",
  "email",
  "metadata",
  "notes",
  customerNameColumn,
];

export const refundEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/refunds/export",
    summary: "Export refunds as CSV",
    description: `Every refund that the filters find, as a file (RFC 4180, UTF-8). ${customerNameNote}`,
    scope: "refunds:read",
    query: exportQuery(refundListQuery),
    response: refundOfLink,
    csv: true,
    example: { data: exampleOfLink },
  }),
  create: endpoint({
    method: "POST",
    path: "/payment-links/{payment_link_id}/refunds",
    summary: "Refund a payment link",
    description:
      "Returns all or a part of what was paid. Together the refunds of a link never exceed the payment, however many are " +
      "requested at once. Read `status`: a refund can be pending for days at some banks, and it can fail. For a payment that was " +
      "marked as paid by hand the refund only records that you have returned the money: Paydesk moves none.",
    scope: "refunds:write",
    body: refundInput,
    check: blankErrors,
    response: refund,
    callsGateway: true,
    conflicts:
      "The link is not paid, everything has been refunded, a dispute holds the money, or the account's key lacks a permission.",
    example: {
      path: `/payment-links/${example.payment_link_id}/refunds`,
      body: { amount: "250", reason: "One book was damaged" },
      data: example,
    },
  }),
  list: endpoint({
    method: "GET",
    path: "/refunds",
    summary: "List refunds",
    scope: "refunds:read",
    query: refundListQuery,
    response: refundOfLink,
    list: true,
    example: { data: exampleOfLink },
  }),
  get: endpoint({
    method: "GET",
    path: "/refunds/{refund_id}",
    summary: "Get a refund",
    scope: "refunds:read",
    response: refund,
    example: { data: example },
  }),
  annotate: annotationEndpoint({
    path: "/refunds/{refund_id}",
    noun: "a refund",
    readScope: "refunds:read",
    response: refund,
    data: example,
  }),
};
