import { z } from "zod";
import { entryTypes, payoutStatuses } from "@/lib/gateways/balance";
import { endpoint } from "@/lib/http/endpoint";
import { currency, optional } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";

export const allEntryTypes = [...entryTypes, "opening"] as const;

export const payout = z.object({
  _id: z.string(),
  business_id: z.int(),
  gateway: z.string(),
  gateway_account_id: z.string().nullable().describe("Null for the sandbox."),
  gateway_reference: z.string(),
  amount: z.number(),
  amount_cents: z.int(),
  currency: z.string(),
  status: z.enum(payoutStatuses).describe("A payout that the bank has returned is failed."),
  arrival_date: z.string(),
  livemode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  external_id: z.string().nullable().describe("The gateway's own id of the account. Null for the sandbox."),
  bank_reference: z
    .string()
    .nullable()
    .describe(
      "The reference by which the bank finds the transfer. Some gateways know it days after the payout, or never.",
    ),
  totals: z
    .array(
      z.object({
        type: z.enum(allEntryTypes),
        count: z.int(),
        amount_cents: z.int(),
        fee_cents: z.int(),
        net_cents: z.int(),
      }),
    )
    .describe("The sums of its entries, by type. Empty while its entries are not known."),
});
export type Payout = z.infer<typeof payout>;

export const payoutExample: Payout = {
  _id: "po_01k8p2c3d4e5f6g7h8j9k0m1n2p3q4r5s6t7",
  business_id: 1,
  gateway: "stripe",
  gateway_account_id: "gwa_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
  gateway_reference: "po_1Pgc79B7WZ01zgkWu1KToYf4",
  amount: 1234.5,
  amount_cents: 123_450,
  currency: "EUR",
  status: "paid",
  arrival_date: "2026-11-23",
  livemode: true,
  created_at: "2026-11-21T02:00:00.000000Z",
  updated_at: "2026-11-23T04:00:00.123456Z",
  external_id: "acct_1032D82eZvKYlo2C",
  bank_reference: "2026112300417",
  totals: [
    { type: "charge", count: 12, amount_cents: 129_800, fee_cents: 2_850, net_cents: 126_950 },
    { type: "refund", count: 1, amount_cents: -3_500, fee_cents: 0, net_cents: -3_500 },
  ],
};

const payoutListQuery = listQuery({
  status: optional(z.enum(payoutStatuses)),
  currency: optional(currency),
});
export type PayoutListQuery = z.output<typeof payoutListQuery>;

const difference = z.object({
  kind: z
    .enum(["without_entry", "unrecorded_entry", "unbooked_payment"])
    .describe(
      "without_entry: the balance changed, and the gateway lists no entry for it. unrecorded_entry: the gateway has an entry that the " +
        "journal does not have. unbooked_payment: the journal has a payment that has no entry at the gateway.",
    ),
  amount_cents: z.int().describe("The balance less the journal. Negative if the journal has more."),
  currency: z.string(),
  balance_entry_id: z.string().nullable(),
  type: z.enum(allEntryTypes).nullable().describe("The type of the entry."),
  gateway_reference: z.string().nullable().describe("The gateway's id of the entry or of the payment."),
  payment_id: z.string().nullable(),
  created_at: z.string().nullable(),
});
export type Difference = z.infer<typeof difference>;

const balance = z.object({
  _id: z.string(),
  created_at: z.string(),
  refreshing: z.boolean().describe("Whether an import is due or running."),
  accounts: z.array(
    z.object({
      gateway: z.string(),
      gateway_account_id: z.string().nullable().describe("Null for the sandbox."),
      refreshed_at: z.string().nullable(),
      problem: z
        .enum(["forbidden", "unreachable"])
        .nullable()
        .describe("forbidden: the gateway account's key may not read balances and payouts."),
      unrecorded_entries: z
        .int()
        .describe("Entries that wait for the outcome of their payment or refund. At most 1000 are counted."),
      currencies: z.array(
        z.object({
          currency: z.string(),
          amount: z.number().describe("What the gateway holds, available or not."),
          amount_cents: z.int(),
          difference_cents: z
            .int()
            .describe("`amount_cents` less the sum of the entries. 0 when every change of the balance has an entry."),
          on_its_way_cents: z
            .int()
            .describe("Paid out, but not at the bank yet: payouts that are pending or in transit."),
        }),
      ),
      external_id: z.string().nullable().describe("The gateway's own id of the account. Null for the sandbox."),
      equals_books: z
        .boolean()
        .nullable()
        .describe(
          "Whether the balance equals the journal, but for what happened in the last hours. Null while this is not known: before " +
            "the first import, or because money moved during the last one.",
        ),
      differences: z
        .array(difference)
        .describe("What makes the balance differ from the journal. At most 20 of each kind."),
    }),
  ),
});
export type Balance = z.infer<typeof balance>;

const balanceExample: Balance = {
  _id: "balance",
  created_at: "2026-11-21T09:30:00.123456Z",
  refreshing: false,
  accounts: [
    {
      gateway: "stripe",
      gateway_account_id: payoutExample.gateway_account_id,
      refreshed_at: "2026-11-21T02:10:00.123456Z",
      problem: null,
      unrecorded_entries: 0,
      currencies: [
        { currency: "EUR", amount: 412.8, amount_cents: 41_280, difference_cents: 0, on_its_way_cents: 123_450 },
      ],
      external_id: payoutExample.external_id,
      equals_books: true,
      differences: [],
    },
  ],
};

/** Columns of the exported file. */
export const payoutColumns: readonly string[] = [
  "_id",
  "created_at",
  "arrival_date",
  "status",
  "amount",
  "amount_cents",
  "currency",
  "gateway",
  "gateway_account_id",
  "external_id",
  "gateway_reference",
  "bank_reference",
  "totals",
];

export const payoutEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/payouts/export",
    summary: "Export payouts as CSV",
    description: "Every payout that the filters find, as a file (RFC 4180, UTF-8). `totals` is JSON.",
    scope: "payouts:read",
    query: exportQuery(payoutListQuery),
    response: payout,
    csv: true,
    example: { data: payoutExample },
  }),
  list: endpoint({
    method: "GET",
    path: "/payouts",
    summary: "List payouts",
    description:
      "What the gateways have transferred to the business's bank. Imported once a day, and by `POST /payouts/refresh`.",
    scope: "payouts:read",
    query: payoutListQuery,
    response: payout,
    list: true,
    example: { data: payoutExample },
  }),
  get: endpoint({
    method: "GET",
    path: "/payouts/{payout_id}",
    summary: "Get a payout",
    description: "Its entries are listed by `GET /payouts/entries?payout_id=`.",
    scope: "payouts:read",
    response: payout,
    example: { data: payoutExample },
  }),
  balance: endpoint({
    method: "GET",
    path: "/payouts/balance",
    summary: "Get the balance",
    description: "What the gateways hold for the business, as of the last import.",
    scope: "payouts:read",
    response: balance,
    example: { data: balanceExample },
  }),
  refresh: endpoint({
    method: "POST",
    path: "/payouts/refresh",
    summary: "Import balance and payouts",
    description:
      "Starts the import of balance entries and payouts now. `refreshing` of the balance says when it has ended.",
    scope: "payouts:write",
    response: balance,
    example: { data: { ...balanceExample, refreshing: true } },
  }),
};
