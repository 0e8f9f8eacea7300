import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional, text } from "@/lib/http/fields";
import { exportQuery } from "@/lib/http/list-query";
import { customerNameColumn, customerNameNote } from "@/lib/resources/customers/csv-contract";
import { type PaymentLink, paymentLink, paymentLinkExample, paymentLinkInput, paymentLinkListQuery } from "./contract";

/** Whether an exported file has a field, in the file's order. */
const exported = {
  _id: true,
  created_at: true,
  status: true,
  paid: true,
  email: true,
  phone_no: true,
  currency: true,
  amount: true,
  amount_cents: true,
  refunded_amount: true,
  title: true,
  description: true,
  reference: true,
  reference_2: true,
  redirect_url: true,
  expires_at: true,
  paid_at: true,
  subscription_id: true,
  payment_url: true,
  internal_note: true,
  language: true,
  awaiting_transfer_since: true,
  metadata: true,
  notes: true,
  tax_percent: true,
  tax_amount: true,
  business_id: false,
  livemode: false,
  updated_at: false,
  period_start: false,
  period_end: false,
  attempt_count: false,
  next_attempt_at: false,
} satisfies Record<keyof PaymentLink, boolean>;

/** `amount` in currency units, `amount_cents` in cents; instants in UTC. */
export const csvColumns = [
  ...(Object.keys(exported) as (keyof PaymentLink)[]).filter((name) => exported[name]),
  customerNameColumn,
] as const;

export const maxRows = 100;

/** The columns of a file that can be imported. */
export const importColumns: readonly string[] = [
  ...Object.keys(paymentLinkInput.shape).filter((name) => name !== "send_email"),
  "amount_cents",
];

/** Checked row by row (import.ts), so that one bad row does not refuse the file. */
const importRow = z.looseObject(
  Object.fromEntries(
    ["row", ...Object.keys(paymentLinkInput.shape), "amount_cents"].map((name) => [name, z.unknown().optional()]),
  ),
  { error: ({ path }) => `The rows must be objects: item ${Number(path?.[1]) + 1} is not.` },
);

const importInput = z.object({
  file: text(128).describe("Your name for the file, such as a hash of its content. A row of it creates one link."),
  dry_run: optional(z.boolean().describe("true: checks the rows and creates nothing.")),
  rows: z
    .array(importRow)
    .min(1, "The rows must have at least 1 item.")
    .max(maxRows, `The rows must not have more than ${maxRows} items.`)
    .describe(
      "Each the body of a payment link, and `row`: its number in the file, from 1. A row may have `amount_cents` beside " +
        "`amount`, both in cents: then they must be the same.",
    ),
});
export type ImportInput = z.output<typeof importInput>;

const importedRow = z.object({
  row: z.int().nullable(),
  status: z
    .enum(["valid", "created", "already_created", "invalid"])
    .describe("valid: a dry run found no error; already_created: an earlier import of the file created it."),
  payment_link_id: z.string().nullable(),
  errors: z.record(z.string(), z.array(z.string())).nullable().describe("As in a 422 for the row alone."),
});
export type ImportedRow = z.infer<typeof importedRow>;

const importResult = z.object({
  _id: z.string().describe("The file's name."),
  created_at: z.string(),
  dry_run: z.boolean(),
  counts: z.object({ valid: z.int(), created: z.int(), already_created: z.int(), invalid: z.int() }),
  rows: z.array(importedRow),
});
export type ImportResult = z.infer<typeof importResult>;

const row = { row: 2, email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };

export const paymentLinkCsvEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/payment-links/export",
    summary: "Export payment links as CSV",
    description:
      "Every link that the filters find, as a file (RFC 4180, UTF-8), not only a page of them. A text that a spreadsheet " +
      `would take for a formula begins with an apostrophe, also behind a semicolon, a tab or a line end within it. ${customerNameNote}`,
    scope: "payment_links:read",
    query: exportQuery(paymentLinkListQuery),
    response: paymentLink,
    csv: true,
    example: { data: paymentLinkExample },
  }),
  import: endpoint({
    method: "POST",
    path: "/payment-links/import",
    summary: "Import payment links",
    description:
      `Up to ${maxRows} rows of a file at once; the response has a result for each. Valid rows are created, ` +
      "even if others are invalid. A row of a file creates one link, so an interrupted import can be sent again.",
    scope: "payment_links:write",
    body: importInput,
    response: importResult,
    example: {
      body: { file: "invoices-november.csv", dry_run: false, rows: [row] },
      data: {
        _id: "invoices-november.csv",
        created_at: "2026-11-21T09:30:00.123456Z",
        dry_run: false,
        counts: { valid: 0, created: 1, already_created: 0, invalid: 0 },
        rows: [{ row: 2, status: "created", payment_link_id: paymentLinkExample._id, errors: null }],
      },
    },
  }),
};
