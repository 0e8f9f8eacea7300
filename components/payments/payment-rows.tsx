import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { type Order, SortHead } from "@/components/ui/list/sort-head";
import { Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { PaymentBadge, reasonWords, useCardOf } from "./words";

interface PaymentRowsProps {
  rows: PaymentOfLink[];
  order?: Order;
  /** Without it the order cannot be turned round. */
  onOrder?: (order: Order) => void;
}

/** Payments from 1024 px on. Why one failed stands below its card. */
export function PaymentTable({ rows, order = "-created_at", onOrder }: PaymentRowsProps) {
  const t = useTranslations("payments");
  const cardOf = useCardOf();
  return (
    <Table
      caption={t(`list.caption.${order}`)}
      head={
        <>
          <Head className="w-[26%]">{t("list.paymentLink")}</Head>
          <Head className="w-36 !text-right">{t("list.amount")}</Head>
          <Head className="w-36">{t("list.status")}</Head>
          <Head>{t("list.card")}</Head>
          {onOrder ? (
            <SortHead label={t("list.when")} order={order} onOrder={onOrder} className="w-44" />
          ) : (
            <Head className="w-44">{t("list.when")}</Head>
          )}
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link href={`/payments/${row._id}`} title={row.title} className="block truncate leading-snug row-link">
              <bdi>{row.title}</bdi>
            </Link>
            <span className="block truncate text-sm font-normal text-kumo-subtle">{row.email}</span>
          </th>
          <td className={`${cell} text-right tabular-nums`}>
            <span className="block font-medium">{formatMoney(row.amount_cents, row.currency)}</span>
            <Refunded payment={row} />
          </td>
          <td className={cell}>
            <PaymentBadge status={row.status} />
          </td>
          <td className={cell} title={reasonWords(t, row) ?? undefined}>
            <span className="block truncate leading-snug">{cardOf(row)}</span>
            {row.reason && <span className="block truncate text-sm text-kumo-subtle">{reasonWords(t, row)}</span>}
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <Moment at={row.settled_at ?? row.created_at} time />
          </td>
        </Row>
      ))}
    </Table>
  );
}

/** Payments on phones and small tablets. */
export function PaymentCards({ rows, order = "-created_at" }: PaymentRowsProps) {
  const t = useTranslations("payments");
  return (
    <Cards label={t(`list.caption.${order}`)}>
      {rows.map((row) => (
        <Card key={row._id}>
          <div className="flex items-baseline justify-between gap-4">
            <h2 className="min-w-0 text-base font-medium text-kumo-strong">
              <Link href={`/payments/${row._id}`} className="block py-0.5 wrap-anywhere row-link">
                <bdi>{row.title}</bdi>
              </Link>
            </h2>
            <span className="shrink-0 text-right text-base font-semibold text-kumo-strong tabular-nums">
              {formatMoney(row.amount_cents, row.currency)}
            </span>
          </div>
          <p className="flex items-baseline justify-between gap-4 text-sm text-kumo-subtle">
            <span className="min-w-0 truncate">{row.email}</span>
            <span className="shrink-0">
              <Refunded payment={row} />
            </span>
          </p>
          {row.reason && <p className="text-sm text-kumo-subtle">{reasonWords(t, row)}</p>}
          <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1 text-sm text-kumo-subtle">
            <PaymentBadge status={row.status} />
            <Moment at={row.settled_at ?? row.created_at} time />
          </p>
        </Card>
      ))}
    </Cards>
  );
}

function Refunded({ payment: { refunded_amount, currency } }: { payment: PaymentOfLink }) {
  const t = useTranslations("payments.list");
  if (refunded_amount === 0) return null;
  return (
    <span className="block text-sm text-kumo-subtle">
      {t("refunded", { amount: formatMoney(Math.round(refunded_amount * 100), currency) })}
    </span>
  );
}
