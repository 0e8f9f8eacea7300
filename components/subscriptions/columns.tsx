import { PayerHeading } from "@/components/customers/payer-name";
import { Price } from "@/components/packages/words";
import type { Column } from "@/components/ui/list/columns";
import type { Package } from "@/lib/resources/packages/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { hasNextCharge, NextChargeShort } from "./next-charge";
import { SubscriptionMenu } from "./subscription-actions";
import { SubscriptionBadge } from "./words";

/** The package with the price that this subscription pays, which can differ from the one for new subscriptions. */
const priced = ({ package: pkg, amount, amount_cents }: Subscription): Package => ({ ...pkg, amount, amount_cents });

export const subscriptionColumns: Column<Subscription>[] = [
  {
    key: "email",
    label: (t) => t("subscriptions.columns.email"),
    cell: ({ email }) => <PayerHeading email={email} />,
    title: ({ email }) => email,
    href: ({ _id }) => `/subscriptions/${_id}`,
    table: "heading",
    card: "heading",
    minWidth: 12,
  },
  {
    key: "package",
    label: (t) => t("subscriptions.columns.package"),
    cell: (row) => row.package.name,
    title: (row) => row.package.name,
    width: 10.5,
    card: "line",
  },
  {
    key: "status",
    label: (t) => t("subscriptions.columns.status"),
    width: 10.5,
    cell: (row) => <SubscriptionBadge subscription={row} />,
    card: "foot",
  },
  {
    key: "next_charge",
    sorts: "next_charge_at",
    label: (t) => t("subscriptions.columns.nextCharge"),
    width: 12.5,
    look: "text-kumo-subtle",
    cell: (row) => <NextChargeShort subscription={row} />,
    card: "end",
    cardCell: (row, t) =>
      hasNextCharge(row) &&
      t.rich("subscriptions.list.nextCharge", {
        label: (chunks) => <span className="sr-only">{chunks}</span>,
        charge: () => <NextChargeShort subscription={row} />,
      }),
  },
  {
    key: "amount",
    label: (t) => t("subscriptions.columns.amount"),
    align: "right",
    width: 10.25,
    cell: (row) => <Price pkg={priced(row)} sumClass="font-medium" />,
    card: "side",
    cardCell: (row) => (
      <span className="font-normal">
        <Price pkg={priced(row)} sumClass="font-semibold" />
      </span>
    ),
  },
  {
    key: "actions",
    label: (t) => t("shell.list.actions"),
    width: 3.25,
    cell: (row) => <SubscriptionMenu subscription={row} />,
  },
];
