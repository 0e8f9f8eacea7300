import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

const head = "h-10 px-3 text-left text-sm font-medium text-kumo-subtle first:pl-4";
const cell = "h-13 max-w-0 truncate px-3 text-base first:pl-4";

/** The list from 1024 px on. The reference stands below the title: a column of its own would leave none for e-mails. */
export function PaymentLinkTable({ rows, canWrite }: { rows: PaymentLink[]; canWrite: boolean }) {
  return (
    <div className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">Payment links, newest first</caption>
        <thead>
          <tr className="border-b border-kumo-hairline">
            <th scope="col" className={`${head} w-[24%]`}>
              Title
            </th>
            <th scope="col" className={`${head} w-32 !text-right`}>
              Amount
            </th>
            <th scope="col" className={`${head} w-28`}>
              Status
            </th>
            <th scope="col" className={head}>
              Payer
            </th>
            <th scope="col" className={`${head} w-28`}>
              Created
            </th>
            <th scope="col" className={`${head} w-32`}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((link) => (
            <tr key={link._id} className="border-b border-kumo-hairline last:border-0 hover:bg-kumo-elevated">
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
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
