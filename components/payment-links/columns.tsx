import { PayerHeading, PayerName } from "@/components/customers/payer-name";
import { amountAndRefunds } from "@/components/payments/refunded";
import { Link } from "@/components/ui/link";
import { amountColumn, type Column, type Texts } from "@/components/ui/list/columns";
import { Moment } from "@/components/ui/moment";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { csvColumns } from "@/lib/resources/payment-links/csv-contract";
import { RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

type PaymentLinkColumn = Column<PaymentLink, (typeof csvColumns)[number] | "actions">;

function momentOrNone(at: string | null, t: Texts) {
  if (at) return <Moment at={at} time />;
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">{t("paymentLinks.list.none")}</span>
    </>
  );
}

/** For cards, which have no heading that says "Reference". */
const labelledReference = ({ reference }: PaymentLink, t: Texts) =>
  reference && (
    <span className="font-mono text-xs">
      <span className="sr-only">{t("paymentLinks.list.reference")} </span>
      {reference}
    </span>
  );

export const paymentLinkColumns: PaymentLinkColumn[] = [
  {
    key: "title",
    label: (t) => t("paymentLinks.columns.title"),
    cell: ({ title }) => <bdi>{title}</bdi>,
    title: ({ title }) => title,
    href: ({ _id }) => `/payment-links/${_id}`,
    table: "heading",
    card: "heading",
    minWidth: 12,
  },
  amountColumn((t) => t("paymentLinks.columns.amount"), { sorts: "amount", width: 7.5, cell: amountAndRefunds }),
  {
    key: "status",
    label: (t) => t("paymentLinks.columns.status"),
    width: 9,
    cell: (link) => <StatusBadge link={link} />,
    card: "foot",
    choice: "shown",
  },
  {
    key: "email",
    sorts: "email",
    label: (t) => t("paymentLinks.columns.email"),
    minWidth: 13.25,
    cell: ({ email }) => <PayerHeading email={email} />,
    title: ({ email }) => email,
    card: "line",
    cardCell: ({ email }) => <PayerName email={email} />,
    choice: "shown",
  },
  {
    key: "reference",
    label: (t) => t("paymentLinks.columns.reference"),
    width: 9,
    look: "font-mono !text-xs",
    cell: ({ reference }) => reference,
    title: ({ reference }) => reference,
    table: "below",
    card: "meta",
    cardCell: labelledReference,
    choice: "hidden",
  },
  {
    key: "reference_2",
    label: (t) => t("paymentLinks.columns.reference_2"),
    width: 9,
    look: "font-mono !text-xs",
    cell: ({ reference_2 }) => reference_2,
    title: ({ reference_2 }) => reference_2,
    choice: "hidden",
  },
  {
    key: "refunded_amount",
    label: (t) => t("paymentLinks.columns.refunded_amount"),
    align: "right",
    width: 8,
    cell: ({ refunded_amount, currency }) => (
      <span className={refunded_amount === 0 ? "text-kumo-subtle" : ""}>
        {formatMoney(Math.round(refunded_amount * 100), currency)}
      </span>
    ),
    choice: "hidden",
  },
  {
    key: "expires_at",
    sorts: "expires_at",
    label: (t) => t("paymentLinks.columns.expires_at"),
    width: 11,
    look: "text-kumo-subtle",
    cell: ({ expires_at }, t) => momentOrNone(expires_at, t),
    choice: "hidden",
  },
  {
    key: "paid_at",
    label: (t) => t("paymentLinks.columns.paid_at"),
    width: 11,
    look: "text-kumo-subtle",
    cell: ({ paid_at }, t) => momentOrNone(paid_at, t),
    choice: "hidden",
  },
  {
    key: "subscription_id",
    label: (t) => t("paymentLinks.columns.subscription_id"),
    width: 8,
    cell: ({ subscription_id }, t) =>
      subscription_id && (
        <Link href={`/subscriptions/${subscription_id}`} className="row-link">
          {t("paymentLinks.list.openSubscription")}
        </Link>
      ),
    choice: "hidden",
  },
  {
    key: "created_at",
    label: (t) => t("paymentLinks.columns.created_at"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "meta",
    choice: "shown",
    sorts: "created_at",
  },
  {
    key: "actions",
    label: (t) => t("shell.list.actions"),
    width: 7,
    cell: (link) => <RowActions link={link} />,
  },
];
