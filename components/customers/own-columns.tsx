/** The columns of a customer's own tables: without the address, which the page's heading has. */
import { emailColumns } from "@/components/emails/columns";
import { paymentLinkColumns } from "@/components/payment-links/columns";
import { paymentColumns } from "@/components/payments/columns";
import { subscriptionColumns } from "@/components/subscriptions/columns";
import { tokenizationColumns } from "@/components/tokenizations/columns";
import type { Column } from "@/components/ui/list/columns";

export function without<Row>(columns: readonly Column<Row>[], address: string): Column<Row>[] {
  return columns.filter(({ key }) => key !== address);
}

/** Removes the address. The column `heading` names and opens the row instead. */
function named<Row>(columns: readonly Column<Row>[], address: string, heading: string): Column<Row>[] {
  const { href } = columns.find(({ key }) => key === address) ?? {};
  return without(columns, address).map((column) =>
    column.key === heading ? { ...column, href, table: "heading", card: "heading" } : column,
  );
}

export const paymentLinks = without(paymentLinkColumns, "email");
export const payments = without(paymentColumns, "email");
export const emails = without(emailColumns, "to");
export const subscriptions = named(subscriptionColumns, "email", "package");
export const tokenizations = named(tokenizationColumns, "email", "title");
