import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional, text } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list-query";

const statuses = ["undecided", "open", "adopted", "acknowledged", "void"] as const;

/** Why an open charge has no payment. The first two problems end without staff. */
const problems = [
  "period_not_open",
  "link_processing",
  "link_unknown",
  "link_deleted",
  "link_paid",
  "amount_differs",
] as const;

const unknownCharge = z.object({
  _id: z.string(),
  gateway_account_id: z.string(),
  gateway_ref: z.string().describe("The gateway's id of the charge."),
  payment_id: z.string().describe("The id that the lost payment had, and that an adopted one has."),
  payment_link_id: z.string().nullable().describe("By the gateway's records. The link may be lost, too."),
  subscription_id: z.string().nullable(),
  period_index: z.int().nullable(),
  amount: z.number(),
  currency: z.string(),
  status: z
    .enum(statuses)
    .describe(
      "undecided: the gateway may still take the money; open: it has, and staff have to decide; adopted: it is a payment now; " +
        "acknowledged: by staff; void: it took nothing.",
    ),
  problem: z.enum(problems).nullable().describe("Why an open charge is not a payment."),
  note: z.string().nullable().describe("What staff wrote."),
  business_id: z.int(),
  livemode: z.boolean(),
  charged_at: z.string(),
  resolved_at: z.string().nullable(),
  created_at: z.string(),
  amount_cents: z.int(),
});
export type UnknownCharge = z.infer<typeof unknownCharge>;

const example: UnknownCharge = {
  _id: "uch_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  gateway_account_id: "gwa_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  gateway_ref: "pi_3MtwBwLkdIwHu7ix28a3tqPa",
  payment_id: "pay_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  payment_link_id: "pl_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  subscription_id: null,
  period_index: null,
  amount: 10.5,
  currency: "EUR",
  status: "open",
  problem: "link_unknown",
  note: null,
  business_id: 1,
  livemode: false,
  charged_at: "2026-11-21T09:20:00.000000Z",
  resolved_at: null,
  created_at: "2026-11-21T09:30:00.123456Z",
  amount_cents: 1050,
};

const unknownChargeListQuery = listQuery({ status: optional(z.enum(statuses)) });
export type UnknownChargeListQuery = z.output<typeof unknownChargeListQuery>;

const acknowledgeInput = z.object({ note: text(255).describe("What was found out or done, for the audit log.") });
export type AcknowledgeInput = z.output<typeof acknowledgeInput>;

export const unknownChargeEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/unknown-charges",
    summary: "List unknown charges",
    description:
      "Charges that the gateway has and Paydesk lacked, because they were made after the backup from which its database was restored.",
    scope: "payments:read",
    query: unknownChargeListQuery,
    response: unknownCharge,
    list: true,
    example: { data: example },
  }),
  acknowledge: endpoint({
    method: "POST",
    path: "/unknown-charges/{unknown_charge_id}/acknowledge",
    summary: "Acknowledge an unknown charge",
    description:
      "For a charge that you refunded at the gateway, or booked elsewhere. Afterwards its link and its period can be charged again.",
    scope: "payments:write",
    body: acknowledgeInput,
    response: unknownCharge,
    conflicts: "The charge is not open.",
    example: {
      body: { note: "Entered in the accounts by hand." },
      data: { ...example, status: "acknowledged", note: "Entered in the accounts by hand." },
    },
  }),
};
