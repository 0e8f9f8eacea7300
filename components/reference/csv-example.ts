import Papa from "papaparse";
import { cellAt, headingOf } from "@/lib/core/csv-text";
import type { Endpoint } from "@/lib/http/endpoint";
import { auditColumns } from "@/lib/resources/audit-log/contract";
import { type Customer, customerColumns } from "@/lib/resources/customers/contract";
import { exported } from "@/lib/resources/customers/totals";
import { disputeColumns } from "@/lib/resources/disputes/contract";
import { emailColumns } from "@/lib/resources/emails/contract";
import { eventColumns } from "@/lib/resources/events/contract";
import { packageColumns } from "@/lib/resources/packages/contract";
import { csvColumns } from "@/lib/resources/payment-links/csv-contract";
import { paymentColumns } from "@/lib/resources/payments/contract";
import { payoutColumns } from "@/lib/resources/payouts/contract";
import { refundColumns } from "@/lib/resources/refunds/contract";
import { exportColumns } from "@/lib/resources/reports/export-contract";
import { requestColumns } from "@/lib/resources/requests/contract";
import { subscriptionColumns } from "@/lib/resources/subscriptions/contract";
import { tokenizationColumns } from "@/lib/resources/tokenizations/contract";

/** The columns of each exported file. */
const columns: Record<string, readonly string[]> = {
  "/tokenizations/export": tokenizationColumns,
  "/payment-links/export": csvColumns,
  "/packages/export": packageColumns,
  "/emails/export": emailColumns,
  "/disputes/export": disputeColumns,
  "/customers/export": customerColumns,
  "/events/export": eventColumns,
  "/refunds/export": refundColumns,
  "/audit-log/export": auditColumns,
  "/requests/export": requestColumns,
  "/payments/export": paymentColumns,
  "/payouts/export": payoutColumns,
  "/subscriptions/export": subscriptionColumns,
  "/reports/export": exportColumns.journal,
};

/** The file of an export with the example as its only row. */
export function csvExample({ path, example }: Endpoint): string {
  const names = columns[path] ?? [];
  const row = path === "/customers/export" ? exported(example.data as Customer) : example.data;
  return `${headingOf(names)}\n${Papa.unparse([names.map((name) => cellAt(row, name))])}`;
}
