import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { day, optional } from "@/lib/http/fields";
import { flag } from "@/lib/http/list-query";

export const exportKinds = ["journal", "payments", "refunds", "disputes", "fees", "payouts"] as const;
export type ExportKind = (typeof exportKinds)[number];

/** The columns of each file. `date` is in the business's time zone, `time` in UTC, amounts are in currency units. */
export const exportColumns = {
  journal: [
    ...["posting_id", "date", "time", "kind", "debit", "credit", "amount", "currency", "gateway", "payment_id"],
    ...["refund_id", "payment_link_id", "reference", "balance_entry_id", "payout_id"],
  ],
  payments: [
    ...["payment_id", "date", "time", "amount", "currency", "fee", "net", "fee_currency", "refunded", "gateway"],
    ...[
      "gateway_reference",
      "card_brand",
      "card_last4",
      "payment_link_id",
      "title",
      "reference",
      "reference_2",
      "email",
    ],
    "payout_id",
    "kind",
  ],
  refunds: [
    ...[
      "refund_id",
      "date",
      "time",
      "kind",
      "amount",
      "currency",
      "reason",
      "gateway",
      "gateway_reference",
      "payment_id",
    ],
    ...["payment_link_id", "reference", "email"],
  ],
  disputes: [
    ...[
      "dispute_id",
      "date",
      "time",
      "kind",
      "amount",
      "currency",
      "reason",
      "gateway",
      "gateway_reference",
      "payment_id",
    ],
    ...["payment_link_id", "reference", "email"],
  ],
  fees: [
    "posting_id",
    "date",
    "time",
    "kind",
    "amount",
    "currency",
    "gateway",
    "payment_id",
    "balance_entry_id",
    "payout_id",
  ],
  payouts: [
    ...["payout_id", "date", "time", "kind", "amount", "currency", "gateway", "gateway_reference", "status"],
    ...["arrival_date", "balance_entry_id"],
  ],
} as const satisfies Record<ExportKind, readonly string[]>;

const exportQuery = z
  .object({
    what: optional(z.enum(exportKinds).describe("The journal by default: one row for each posting.")),
    from: optional(day.describe("The first day, in the business's time zone; the first of the month by default.")),
    to: optional(day.describe("The last day; it counts whole. Today by default.")),
    bom: optional(flag.describe("true: begins with a byte order mark, by which Excel recognises UTF-8.")),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["to"], error: "The to must not be before from." });
export type ExportQuery = z.output<typeof exportQuery>;

const posting = z.object({
  posting_id: z.string(),
  date: z.string(),
  time: z.string(),
  kind: z.string(),
  debit: z.string(),
  credit: z.string(),
  amount: z.number(),
  currency: z.string(),
  gateway: z.string().nullable(),
  payment_id: z.string().nullable(),
  refund_id: z.string().nullable(),
  payment_link_id: z.string().nullable(),
  reference: z.string().nullable(),
  balance_entry_id: z.string().nullable(),
  payout_id: z.string().nullable(),
});

export const exportEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/reports/export",
    summary: "Export a period for accounting",
    description:
      "The journal, payments, refunds, disputes, fees or payouts of a period as CSV (RFC 4180, UTF-8). A row counts on the day on which " +
      "it was posted: a refund, a returned refund, a reversed mark as paid (a payment of a negative amount) and a failed payout are " +
      "rows of their own day. The gateway reports a payout up to a " +
      "day late, so export a month on the 2nd of the next month or later. A text that a spreadsheet would take for a formula begins with an " +
      "apostrophe.",
    scope: "reports:read",
    query: exportQuery,
    response: posting,
    csv: true,
    example: {
      data: {
        posting_id: "42",
        date: "2026-11-21",
        time: "2026-11-21T09:31:01.000000Z",
        kind: "payment",
        debit: "gateway",
        credit: "sales",
        amount: 10.5,
        currency: "EUR",
        gateway: "sandbox",
        payment_id: "pay_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
        refund_id: null,
        payment_link_id: "pl_01k8m3v9z1b2c3d4e5f6g7h8j9k0m1n2p3q4",
        reference: "1001",
        balance_entry_id: null,
        payout_id: null,
      },
    },
  }),
};
