import { PayerName } from "@/components/customers/payer-name";
import { RefundBadge } from "@/components/payments/words";
import { amountColumn, type Column, type Texts } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { RefundOfLink } from "@/lib/resources/refunds/contract";

/** Why it failed, else why it was made. */
const reasonOf = ({ status, failure_reason, reason }: RefundOfLink, t: Texts): string | null =>
  status === "failed" && failure_reason ? t(`payments.refunds.failure.${failure_reason}`) : reason;

export const refundColumns: Column<RefundOfLink>[] = [
  {
    key: "title",
    label: (t) => t("refunds.list.payment"),
    cell: ({ title }) => <bdi>{title}</bdi>,
    title: ({ title }) => title,
    href: ({ payment_id }) => `/payments/${payment_id}`,
    table: "heading",
    card: "heading",
    minWidth: 11,
  },
  {
    key: "email",
    label: (t) => t("refunds.list.payer"),
    cell: ({ email }) => <PayerName email={email} />,
    table: "below",
    card: "line",
  },
  amountColumn((t) => t("refunds.list.amount")),
  {
    key: "status",
    label: (t) => t("refunds.list.status"),
    width: 9,
    cell: ({ status }) => <RefundBadge status={status} />,
    card: "foot",
  },
  {
    key: "reason",
    label: (t) => t("refunds.list.reason"),
    minWidth: 12,
    cell: (refund, t) => reasonOf(refund, t) ?? "–",
    title: reasonOf,
    card: "meta",
    cardCell: reasonOf,
  },
  {
    key: "when",
    label: (t) => t("refunds.list.when"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "end",
    sorts: "created_at",
  },
];
