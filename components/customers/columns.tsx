import { cardExpiry, cardName } from "@/components/tokenizations/words";
import type { Column } from "@/components/ui/list/columns";
import { Moment } from "@/components/ui/moment";
import type { Customer } from "@/lib/resources/customers/contract";

/** The API stops counting there. */
const countLimit = 100;

export const customerColumns: Column<Customer>[] = [
  {
    key: "email",
    label: (t) => t("customers.list.email"),
    cell: ({ email }) => email,
    title: ({ email }) => email,
    href: ({ email }) => `/customers/${encodeURIComponent(email)}`,
    table: "heading",
    card: "heading",
    minWidth: 11,
  },
  {
    key: "card",
    label: (t) => t("customers.list.card"),
    width: 15,
    cell: ({ card }, t) =>
      card ? (
        <>
          {cardName(card, t)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(card)}</span>
        </>
      ) : (
        <span className="text-kumo-subtle">{t("customers.list.noneSaved")}</span>
      ),
    card: "line",
    cardCell: ({ card }, t) => (card ? `${cardName(card, t)} ${cardExpiry(card)}` : t("customers.list.noCardSaved")),
  },
  {
    key: "payment_links",
    label: (t) => t("customers.list.paymentLinks"),
    align: "right",
    width: 8.5,
    cell: ({ payment_link_count }, t) => t("customers.list.count", { count: Math.min(payment_link_count, countLimit) }),
    card: "foot",
    cardCell: ({ payment_link_count, subscription_count }, t) =>
      t("customers.list.counts", {
        links: Math.min(payment_link_count, countLimit),
        subscriptions: Math.min(subscription_count, countLimit),
      }),
  },
  {
    key: "subscriptions",
    label: (t) => t("customers.list.subscriptions"),
    align: "right",
    width: 8.5,
    cell: ({ subscription_count }, t) => t("customers.list.count", { count: Math.min(subscription_count, countLimit) }),
  },
  {
    key: "activity",
    label: (t) => t("customers.list.newestActivity"),
    width: 10,
    look: "text-kumo-subtle",
    cell: ({ last_activity_at }) => <Moment at={last_activity_at} />,
    card: "end",
  },
];
