import { ActionsHead, cell, Head, Row, Table } from "@/components/shell/list/table";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

/** The list from 1024 px on. The reference stands below the title: a column of its own would leave none for e-mails. */
export function PaymentLinkTable({ rows, canWrite }: { rows: PaymentLink[]; canWrite: boolean }) {
  return (
    <Table
      caption="Payment links, newest first"
      head={
        <>
          <Head className="w-[24%]">Title</Head>
          <Head className="w-32 !text-right">Amount</Head>
          <Head className="w-28">Status</Head>
          <Head>Payer</Head>
          <Head className="w-28">Created</Head>
          <ActionsHead className="w-32" />
        </>
      }
    >
      {rows.map((link) => (
        <Row key={link._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <span className="block truncate leading-snug" title={link.title}>
              {link.title}
            </span>
            {link.reference && (
              <span className="block truncate font-mono text-xs font-normal text-kumo-subtle">
                <span className="sr-only">Reference </span>
                {link.reference}
              </span>
            )}
          </th>
          <td className={`${cell} text-right font-medium tabular-nums`}>
            {formatMoney(link.amount_cents, link.currency)}
          </td>
          <td className={cell}>
            <StatusBadge status={link.status} />
          </td>
          <td title={link.email} className={cell}>
            {link.email}
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={link.created_at} />
          </td>
          <td className="px-2">
            <RowActions link={link} canWrite={canWrite} />
          </td>
        </Row>
      ))}
    </Table>
  );
}
