import { cardExpiry, cardName } from "@/components/tokenizations/words";
import type { Column, Texts } from "@/components/ui/list/columns";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import type { Customer } from "@/lib/resources/customers/contract";
import { mostPaidFirst } from "@/lib/resources/customers/totals";

const paidIn = ({ totals }: Customer) => mostPaidFirst(totals).filter(({ paid_count }) => paid_count > 0);

/** A line for each currency in which the customer has paid. */
function Lifetime({ customer, t }: { customer: Customer; t: Texts }) {
  const paid = paidIn(customer);
  if (paid.length === 0) return <span className="text-kumo-subtle">–</span>;
  return paid.map(({ currency, lifetime_cents }) => {
    const amount = formatMoney(lifetime_cents, currency);
    return (
      <span key={currency} className="block tabular-nums">
        {customer.totals_are_lower_bound ? t("customers.list.orMore", { amount }) : amount}
      </span>
    );
  });
}

/** The API stops counting there. */
const countLimit = 100;

export const customerColumns: Column<Customer>[] = [
  {
    key: "customer",
    label: (t) => t("customers.list.customer"),
    cell: ({ name, email }) => (name ? <bdi>{name}</bdi> : email),
    title: ({ name, email }) => name ?? email,
    href: ({ email }) => `/customers/${encodeURIComponent(email)}`,
    table: "heading",
    card: "heading",
    minWidth: 14,
  },
  {
    key: "email",
    label: (t) => t("customers.list.email"),
    cell: ({ name, email }) => (name ? email : null),
    table: "below",
    card: "line",
  },
  {
    key: "lifetime",
    label: (t) => t("customers.list.lifetime"),
    align: "right",
    width: 8,
    look: "font-medium",
    cell: (customer, t) => <Lifetime customer={customer} t={t} />,
    card: "side",
    cardCell: (customer, t) => paidIn(customer).length > 0 && <Lifetime customer={customer} t={t} />,
  },
  {
    key: "card",
    label: (t) => t("customers.list.card"),
    width: 16,
    cell: ({ card }, t) =>
      card ? (
        <>
          {cardName(card, t)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(card)}</span>
        </>
      ) : (
        <span className="text-kumo-subtle">{t("customers.list.noneSaved")}</span>
      ),
    card: "meta",
    cardCell: ({ card }, t) => (card ? `${cardName(card, t)} ${cardExpiry(card)}` : t("customers.list.noCardSaved")),
  },
  {
    key: "payment_links",
    label: (t) => t("customers.list.paymentLinks"),
    align: "right",
    width: 7,
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
    width: 7.5,
    cell: ({ subscription_count }, t) => t("customers.list.count", { count: Math.min(subscription_count, countLimit) }),
  },
  {
    key: "activity",
    label: (t) => t("customers.list.newestActivity"),
    width: 8.5,
    look: "text-kumo-subtle",
    cell: ({ last_activity_at }) => <Moment at={last_activity_at} />,
    card: "end",
  },
];
