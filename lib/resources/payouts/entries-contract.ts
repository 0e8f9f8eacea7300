import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list-query";
import { allEntryTypes } from "./contract";

const balanceEntry = z.object({
  _id: z.string(),
  business_id: z.int(),
  type: z.enum(allEntryTypes).describe("opening: what the account held before its first entry here."),
  amount: z.number().describe("Before the fee. Negative where money leaves the balance."),
  amount_cents: z.int(),
  fee_cents: z.int(),
  net_cents: z.int(),
  currency: z.string(),
  payment_id: z.string().nullable(),
  refund_id: z.string().nullable(),
  payout_id: z.string().nullable().describe("The payout that has paid it out."),
  gateway_account_id: z.string().nullable(),
  gateway_reference: z.string(),
  recorded: z
    .boolean()
    .describe("Whether the journal has it. Otherwise it waits for the outcome of its payment or refund."),
  livemode: z.boolean(),
  created_at: z.string(),
  title: z.string().nullable().describe("Of the payment link, if the entry is about a payment."),
});
export type BalanceEntry = z.infer<typeof balanceEntry>;

const example: BalanceEntry = {
  _id: "bal_01k8p2c3d4e5f6g7h8j9k0m1n2p3q4r5s6t7",
  business_id: 1,
  type: "charge",
  amount: 10.5,
  amount_cents: 1050,
  fee_cents: 40,
  net_cents: 1010,
  currency: "EUR",
  payment_id: "pay_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
  refund_id: null,
  payout_id: "po_01k8p2c3d4e5f6g7h8j9k0m1n2p3q4r5s6t7",
  gateway_account_id: null,
  gateway_reference: "sbx_txn_sbx_ch_0f9d2c7b1e8a4d6353c1a2b7e9f00d41c6a8b2e4",
  recorded: true,
  livemode: false,
  created_at: "2026-11-21T09:31:00.123456Z",
  title: "Order 1001",
};

const balanceEntryListQuery = listQuery({
  payout_id: optional(z.string()),
  payment_id: optional(z.string()),
});
export type BalanceEntryListQuery = z.output<typeof balanceEntryListQuery>;

export const balanceEntryEndpoints = {
  entries: endpoint({
    method: "GET",
    path: "/payouts/entries",
    summary: "List balance entries",
    description: "Every change of the balance at a gateway: charges, refunds, fees, payouts and adjustments.",
    scope: "payouts:read",
    query: balanceEntryListQuery,
    response: balanceEntry,
    list: true,
    example: { data: example },
  }),
};
