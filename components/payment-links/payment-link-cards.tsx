import { Card, Cards } from "@/components/shell/list/table";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

/** The list on phones and small tablets. */
export function PaymentLinkCards({ rows, canWrite }: { rows: PaymentLink[]; canWrite: boolean }) {
  return (
    <Cards label="Payment links, newest first">
      {rows.map((link) => (
        <Card key={link._id}>
          <div className="flex items-baseline justify-between gap-4">
            <h2 className="min-w-0 text-base font-medium wrap-anywhere text-kumo-strong">{link.title}</h2>
            <span className="shrink-0 text-base font-semibold text-kumo-strong tabular-nums">
              {formatMoney(link.amount_cents, link.currency)}
            </span>
          </div>
          <p className="truncate text-base text-kumo-subtle">{link.email}</p>
          <p className="flex min-w-0 items-baseline gap-2 text-sm text-kumo-subtle">
            <When at={link.created_at} />
            {link.reference && (
              <>
                <span aria-hidden>·</span>
                <span className="truncate font-mono text-xs">
                  <span className="sr-only">Reference </span>
                  {link.reference}
                </span>
              </>
            )}
          </p>
          <div className="-mr-2 flex items-center justify-between">
            <StatusBadge status={link.status} />
            <RowActions link={link} canWrite={canWrite} />
          </div>
        </Card>
      ))}
    </Cards>
  );
}
