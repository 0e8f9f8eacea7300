import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { Card, Cards } from "@/components/ui/list/table";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLinkRowsProps } from "./payment-link-table";
import { RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

/** The list on phones and small tablets. */
export function PaymentLinkCards({ rows, order }: PaymentLinkRowsProps) {
  const t = useTranslations("paymentLinks.list");
  return (
    <Cards label={t(`caption.${order}`)}>
      {rows.map((link) => (
        <Card key={link._id}>
          <div className="flex items-baseline justify-between gap-4">
            <h2 className="min-w-0 text-base font-medium wrap-anywhere text-kumo-strong">
              <Link href={`/payment-links/${link._id}`} className="block py-0.5 row-link">
                <bdi>{link.title}</bdi>
              </Link>
            </h2>
            <span className="shrink-0 text-base font-semibold text-kumo-strong tabular-nums">
              {formatMoney(link.amount_cents, link.currency)}
            </span>
          </div>
          <p className="truncate text-base text-kumo-subtle">{link.email}</p>
          <p className="flex min-w-0 items-baseline gap-2 text-sm text-kumo-subtle">
            <Moment at={link.created_at} time />
            {link.reference && (
              <>
                <span aria-hidden>·</span>
                <span className="truncate font-mono text-xs">
                  <span className="sr-only">{t("reference")} </span>
                  {link.reference}
                </span>
              </>
            )}
          </p>
          <div className="-mr-2 flex items-center justify-between">
            <StatusBadge status={link.status} />
            <RowActions link={link} />
          </div>
        </Card>
      ))}
    </Cards>
  );
}
