import { amountColumn, type Column } from "@/components/ui/list/columns";
import { Moment } from "@/components/ui/moment";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import type { Payout } from "@/lib/resources/payouts/contract";
import type { BalanceEntry } from "@/lib/resources/payouts/entries-contract";
import { AccountName, Day, PayoutBadge } from "./words";

const Code = ({ children }: { children: string }) => <span className="font-mono text-sm">{children}</span>;

export const payoutColumns: Column<Payout>[] = [
  {
    key: "when",
    label: (t) => t("payouts.list.date"),
    minWidth: 9,
    cell: ({ created_at }) => <Moment at={created_at} />,
    href: ({ _id }) => `/payouts/${_id}`,
    table: "heading",
    card: "heading",
    sorts: "created_at",
  },
  {
    key: "status",
    label: (t) => t("payouts.list.status"),
    width: 9,
    cell: ({ status }) => <PayoutBadge status={status} />,
    card: "foot",
  },
  {
    key: "arrival",
    label: (t) => t("payouts.list.arrival"),
    width: 9,
    look: "text-kumo-subtle",
    cell: ({ arrival_date }) => <Day of={arrival_date} />,
    card: "end",
    cardCell: ({ arrival_date }, t) => (
      <>
        {t("payouts.list.arrival")} <Day of={arrival_date} />
      </>
    ),
  },
  {
    key: "account",
    label: (t) => t("payouts.list.account"),
    minWidth: 12,
    cell: (payout) => <AccountName of={payout} />,
    title: ({ external_id }) => external_id,
    card: "line",
  },
  {
    key: "reference",
    label: (t) => t("payouts.list.reference"),
    minWidth: 10,
    cell: ({ bank_reference }) => (bank_reference ? <Code>{bank_reference}</Code> : "–"),
    title: ({ bank_reference }) => bank_reference,
    card: "meta",
    cardCell: ({ bank_reference }) => bank_reference && <Code>{bank_reference}</Code>,
  },
  amountColumn((t) => t("payouts.list.amount"), { width: 9 }),
];

export const entryColumns: Column<BalanceEntry>[] = [
  {
    key: "title",
    label: (t) => t("payouts.entries.entry"),
    minWidth: 12,
    cell: ({ title, type }, t) => <bdi>{title ?? t(`payouts.entry.${type}`)}</bdi>,
    title: ({ title }) => title,
    href: ({ payment_id }) => (payment_id ? `/payments/${payment_id}` : ""),
    table: "heading",
    card: "heading",
  },
  {
    key: "type",
    label: (t) => t("payouts.entries.type"),
    width: 11,
    look: "text-kumo-subtle",
    cell: ({ type }, t) => t(`payouts.entry.${type}`),
    card: "foot",
    cardCell: ({ type, title }, t) => (title ? t(`payouts.entry.${type}`) : null),
  },
  {
    key: "when",
    label: (t) => t("payouts.entries.when"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "end",
    sorts: "created_at",
  },
  {
    key: "amount",
    label: (t) => t("payouts.entries.amount"),
    align: "right",
    width: 8,
    cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency),
    card: "meta",
    cardCell: ({ amount_cents, fee_cents, currency }, t) =>
      fee_cents === 0
        ? null
        : t("payouts.entries.lessFee", {
            amount: formatMoney(amount_cents, currency),
            fee: formatMoney(fee_cents, currency),
          }),
  },
  {
    key: "fee",
    label: (t) => t("payouts.entries.fee"),
    align: "right",
    width: 7,
    look: "text-kumo-subtle",
    cell: ({ fee_cents, currency }) => (fee_cents === 0 ? "–" : formatMoney(-fee_cents, currency)),
  },
  {
    key: "net",
    label: (t) => t("payouts.entries.net"),
    align: "right",
    width: 8,
    look: "font-medium",
    cell: ({ net_cents, currency }) => formatMoney(net_cents, currency),
    card: "side",
  },
];
