import { z } from "zod";
import { type DisputeReason, type DisputeStatus, disputeReasons, disputeStatuses } from "@/lib/gateways/reasons";
import { endpoint } from "@/lib/http/endpoint";
import { currency, optional } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationEndpoint, annotations, noAnnotations } from "@/lib/resources/annotations/contract";
import { customerNameColumn, customerNameNote } from "@/lib/resources/customers/csv-contract";
import { paymentLinkExample } from "@/lib/resources/payment-links/contract";

export const disputeStatusNames = Object.keys(disputeStatuses) as [DisputeStatus, ...DisputeStatus[]];
const reasonNames = Object.keys(disputeReasons) as [DisputeReason, ...DisputeReason[]];

const booked = z.object({ amount_cents: z.int(), currency: z.string() }).nullable();

export const dispute = z.object({
  _id: z.string(),
  payment_id: z.string(),
  payment_link_id: z.string(),
  business_id: z.int(),
  amount: z.number().describe("What the payer disputes: usually the whole payment."),
  amount_cents: z.int(),
  currency: z.string(),
  status: z
    .enum(disputeStatusNames)
    .describe(
      "inquiry_...: the bank asks and has taken nothing. needs_response: the bank has taken the money; answer at the gateway until " +
        "`respond_by`. under_review: the bank decides. Then won, lost, prevented or inquiry_closed.",
    ),
  reason: z.enum(reasonNames),
  respond_by: z.string().nullable().describe("The deadline to answer at the gateway; null when no answer is possible."),
  withdrawn: booked.describe("What the gateway took for the payer's bank, in the currency in which it booked it."),
  returned: booked.describe("What the gateway gave back."),
  fee: booked.describe("What the gateway took for the dispute itself, less what it gave back."),
  gateway: z.string(),
  gateway_reference: z.string(),
  gateway_url: z.string().nullable().describe("Where to answer: the payment in the gateway's dashboard."),
  livemode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  opened_at: z.string().describe("By the gateway's clock."),
  closed_at: z.string().nullable(),
  title: z.string().describe("The payment link's."),
  email: z.string().describe("The payer's."),
  ...annotations,
});
export type Dispute = z.infer<typeof dispute>;

const example: Dispute = {
  _id: "dsp_01k8m5c6d7e8f9g0h1j2k3m4n5p6q7r8s9t0",
  payment_id: "pay_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
  payment_link_id: paymentLinkExample._id,
  business_id: 1,
  amount: 10.5,
  amount_cents: 1050,
  currency: "EUR",
  status: "needs_response",
  reason: "not_received",
  respond_by: "2026-12-03T09:31:00.000000Z",
  withdrawn: { amount_cents: 1050, currency: "EUR" },
  returned: null,
  fee: { amount_cents: 1500, currency: "EUR" },
  gateway: "sandbox",
  gateway_reference: "sbx_dp_7c1d0c9a7e3f2468ac0e1b3d5f7a9c2e4f6b8d01",
  gateway_url: null,
  livemode: false,
  created_at: "2026-11-26T09:31:02.654321Z",
  updated_at: "2026-11-26T09:31:02.754321Z",
  opened_at: "2026-11-26T09:31:00.000000Z",
  closed_at: null,
  title: paymentLinkExample.title,
  email: paymentLinkExample.email,
  ...noAnnotations,
};

const disputeListQuery = listQuery({
  status: optional(z.enum(disputeStatusNames)),
  payment_id: optional(z.string()),
  payment_link_id: optional(z.string()),
  email: optional(z.string().describe("The payer's, ignoring case.")),
  currency: optional(currency),
  ...metadataFilter,
});
export type DisputeListQuery = z.output<typeof disputeListQuery>;

/** Columns of the exported file. */
export const disputeColumns: readonly string[] = [
  "_id",
  "opened_at",
  "closed_at",
  "status",
  "reason",
  "respond_by",
  "amount",
  "amount_cents",
  "currency",
  "withdrawn.amount_cents",
  "withdrawn.currency",
  "returned.amount_cents",
  "returned.currency",
  "fee.amount_cents",
  "fee.currency",
  "gateway",
  "gateway_reference",
  "payment_id",
  "payment_link_id",
  "title",
  "email",
  "metadata",
  "notes",
  customerNameColumn,
];

export const disputeEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/disputes/export",
    summary: "Export disputes as CSV",
    description: `Every dispute that the filters find, as a file (RFC 4180, UTF-8). The column of a nested field has both names: \`card_last4\`. ${customerNameNote}`,
    scope: "disputes:read",
    query: exportQuery(disputeListQuery),
    response: dispute,
    csv: true,
    example: { data: example },
  }),
  list: endpoint({
    method: "GET",
    path: "/disputes",
    summary: "List disputes",
    description:
      "A dispute is a payer's request to their bank to take a payment back. Paydesk follows it at the gateway.",
    scope: "disputes:read",
    query: disputeListQuery,
    response: dispute,
    list: true,
    example: { data: example },
  }),
  get: endpoint({
    method: "GET",
    path: "/disputes/{dispute_id}",
    summary: "Get a dispute",
    scope: "disputes:read",
    response: dispute,
    example: { data: example },
  }),
  annotate: annotationEndpoint({
    path: "/disputes/{dispute_id}",
    noun: "a dispute",
    readScope: "disputes:read",
    response: dispute,
    data: example,
  }),
};
