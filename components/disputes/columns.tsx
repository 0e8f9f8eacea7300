import { PayerName } from "@/components/customers/payer-name";
import { amountColumn, type Column } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { Dispute } from "@/lib/resources/disputes/contract";
import { DisputeBadge } from "./words";

export const disputeColumns: Column<Dispute>[] = [
  {
    key: "reason",
    label: (t) => t("disputes.list.reason"),
    cell: ({ reason }, t) => t(`disputes.reason.${reason}`),
    href: ({ _id }) => `/disputes/${_id}`,
    table: "heading",
    card: "heading",
    minWidth: 12,
  },
  {
    key: "email",
    label: (t) => t("disputes.detail.payer"),
    cell: ({ email }) => <PayerName email={email} />,
    table: "below",
    card: "line",
  },
  {
    key: "payment",
    label: (t) => t("disputes.list.payment"),
    minWidth: 11,
    cell: ({ title }) => title,
    title: ({ title }) => title,
    card: "meta",
  },
  amountColumn((t) => t("disputes.list.amount")),
  {
    key: "status",
    label: (t) => t("disputes.list.status"),
    width: 13,
    cell: ({ status }) => <DisputeBadge status={status} />,
    card: "foot",
  },
  {
    key: "respond_by",
    label: (t) => t("disputes.list.respondBy"),
    width: 8.5,
    look: "text-kumo-subtle",
    cell: ({ respond_by, closed_at }) => (respond_by && closed_at === null ? <When at={respond_by} /> : "–"),
    card: "meta",
    cardCell: ({ respond_by, closed_at }, t) =>
      respond_by && closed_at === null ? (
        <>
          {t("disputes.list.respondBy")} <When at={respond_by} />
        </>
      ) : null,
  },
  {
    key: "opened",
    label: (t) => t("disputes.list.opened"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "end",
    sorts: "created_at",
  },
];
