import { PayerName } from "@/components/customers/payer-name";
import { cardExpiry, cardName, knownExpiry } from "@/components/tokenizations/words";
import { amountColumn, type Column, type Texts } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { PaymentMenu } from "./payment-menu";
import { amountAndRefunds } from "./refunded";
import { PaidCardExpiry, PaymentBadge } from "./words";

const reasonOf = ({ reason }: PaymentOfLink, t: Texts): string | null =>
  reason ? t(`payments.reason.${reason}`) : null;

const raisedRisk = ({ risk }: PaymentOfLink, t: Texts): string | null =>
  risk === null || risk === "normal" ? null : t(`payments.risk.mark.${risk}`);

/** Why the payment failed, or that its risk is raised. */
const remark = (payment: PaymentOfLink, t: Texts): string | null => reasonOf(payment, t) ?? raisedRisk(payment, t);

const paidWith = ({ card, manual }: PaymentOfLink, t: Texts): string | null =>
  manual ? t(`payments.method.${manual.method}`) : card && cardName(card, t);

/** "Visa ending in 4242 12/40", or a manual payment's method; null if the card is not known. */
function paidWithLine(payment: PaymentOfLink, t: Texts): string | null {
  const { card, manual } = payment;
  const expiry = !manual && card && knownExpiry(card);
  return expiry ? `${paidWith(payment, t)} ${cardExpiry(expiry)}` : paidWith(payment, t);
}

export const paymentColumns: Column<PaymentOfLink>[] = [
  {
    key: "title",
    label: (t) => t("payments.list.paymentLink"),
    cell: ({ title }) => <bdi>{title}</bdi>,
    title: ({ title }) => title,
    href: ({ _id }) => `/payments/${_id}`,
    table: "heading",
    card: "heading",
    minWidth: 11,
  },
  {
    key: "email",
    label: (t) => t("payments.filters.email"),
    cell: ({ email }) => <PayerName email={email} />,
    table: "below",
    card: "line",
  },
  amountColumn<PaymentOfLink>((t) => t("payments.list.amount"), {
    sorts: "amount",
    width: 9,
    cell: amountAndRefunds,
  }),
  {
    key: "status",
    label: (t) => t("payments.list.status"),
    width: 13,
    cell: (payment) => <PaymentBadge payment={payment} />,
    card: "foot",
  },
  {
    key: "card",
    label: (t) => t("payments.list.card"),
    minWidth: 11,
    cell: (row, t) => (
      <>
        <span className="block leading-snug whitespace-normal">
          {paidWith(row, t) ?? "–"} <PaidCardExpiry card={row.card} />
        </span>
        {row.manual?.marked_by && (
          <span className="block truncate text-sm text-kumo-subtle">
            {t("payments.list.markedBy", { name: row.manual.marked_by })}
          </span>
        )}
        {remark(row, t) && <span className="block truncate text-sm text-kumo-subtle">{remark(row, t)}</span>}
      </>
    ),
    title: remark,
    card: "meta",
    cardCell: (row, t) => [remark(row, t), paidWithLine(row, t)].filter(Boolean).join(" · "),
  },
  {
    key: "when",
    label: (t) => t("payments.list.when"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "end",
    sorts: "created_at",
  },
  {
    key: "actions",
    label: (t) => t("shell.list.actions"),
    width: 3.25,
    cell: (payment) => <PaymentMenu payment={payment} />,
  },
];
