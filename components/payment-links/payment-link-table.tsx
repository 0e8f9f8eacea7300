import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { type Order, SortHead } from "@/components/ui/list/sort-head";
import { ActionsHead, cell, Head, Row, Table } from "@/components/ui/list/table";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Column } from "./filter";
import { RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

export interface PaymentLinkRowsProps {
  rows: PaymentLink[];
  columns: readonly Column[];
  order: Order;
  /** Without it the order cannot be turned round. */
  onOrder?: (order: Order) => void;
}

const widths: Partial<Record<Column, string>> = {
  status: "w-32",
  reference: "w-36",
  reference_2: "w-36",
  refunded_amount: "w-32 !text-right",
  expires_at: "w-44",
  paid_at: "w-44",
  subscription_id: "w-32",
  created_at: "w-40",
};

/** The columns' widths in rem: as above, and for the one without a width what it needs at least. */
const room: Record<Column, number> = {
  status: 8,
  email: 13,
  reference: 9,
  reference_2: 9,
  refunded_amount: 8,
  expires_at: 11,
  paid_at: 11,
  subscription_id: 8,
  created_at: 10,
};

/** Below it the table scrolls: amount and actions take 16 rem, the title 22 of a hundred parts. */
const minWidth = (columns: readonly Column[]): string =>
  `${(columns.reduce((sum, column) => sum + room[column], 16) / 0.78).toFixed(2)}rem`;

/** The actions, also where the columns need more room than there is: what scrolls fades below them. */
const inView =
  "sticky right-0 before:pointer-events-none before:absolute before:inset-y-0 before:-left-3 before:w-3 before:bg-inherit before:[mask-image:linear-gradient(to_right,transparent,#000)]";

/** The list from 1024 px on. Without a column of its own the reference stands below the title. */
export function PaymentLinkTable({ rows, columns, order, onOrder }: PaymentLinkRowsProps) {
  const t = useTranslations("paymentLinks");
  return (
    <Table
      caption={t(`list.caption.${order}`)}
      minWidth={minWidth(columns)}
      head={
        <>
          <Head className="w-[22%]">{t("columns.title")}</Head>
          <Head className="w-32 !text-right">{t("columns.amount")}</Head>
          {columns.map((column) =>
            column === "created_at" && onOrder ? (
              <SortHead
                key={column}
                label={t("columns.created_at")}
                order={order}
                onOrder={onOrder}
                className={widths[column]}
              />
            ) : (
              <Head key={column} className={widths[column]}>
                {t(`columns.${column}`)}
              </Head>
            ),
          )}
          <ActionsHead className={`${inView} w-32 bg-kumo-base`} />
        </>
      }
    >
      {rows.map((link) => (
        <Row key={link._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link
              href={`/payment-links/${link._id}`}
              title={link.title}
              className="block truncate leading-snug row-link"
            >
              <bdi>{link.title}</bdi>
            </Link>
            {link.reference && !columns.includes("reference") && (
              <span className="block truncate font-mono text-xs font-normal text-kumo-subtle">
                <span className="sr-only">{t("list.reference")} </span>
                {link.reference}
              </span>
            )}
          </th>
          <td className={`${cell} text-right font-medium tabular-nums`}>
            {formatMoney(link.amount_cents, link.currency)}
          </td>
          {columns.map((column) => (
            <Cell key={column} link={link} column={column} />
          ))}
          <td className={`${inView} bg-inherit px-2`}>
            <RowActions link={link} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

function Cell({ link, column }: { link: PaymentLink; column: Column }) {
  const t = useTranslations("paymentLinks.list");
  switch (column) {
    case "status":
      return (
        <td className={cell}>
          <StatusBadge status={link.status} />
        </td>
      );
    case "email":
      return (
        <td className={cell} title={link.email}>
          {link.email}
        </td>
      );
    case "reference":
    case "reference_2":
      return (
        <td className={`${cell} font-mono text-xs`} title={link[column] ?? undefined}>
          {link[column]}
        </td>
      );
    case "refunded_amount":
      return (
        <td className={`${cell} text-right tabular-nums ${link.refunded_amount === 0 ? "text-kumo-subtle" : ""}`}>
          {formatMoney(Math.round(link.refunded_amount * 100), link.currency)}
        </td>
      );
    case "subscription_id":
      return (
        <td className={cell}>
          {link.subscription_id && (
            <Link href={`/subscriptions/${link.subscription_id}`} className="row-link">
              {t("openSubscription")}
            </Link>
          )}
        </td>
      );
    default:
      return (
        <td className={`${cell} text-kumo-subtle`}>
          {link[column] ? (
            <Moment at={link[column]} time />
          ) : (
            <>
              <span aria-hidden>–</span>
              <span className="sr-only">{t("none")}</span>
            </>
          )}
        </td>
      );
  }
}
