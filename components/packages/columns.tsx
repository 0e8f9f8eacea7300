import type { Column } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { PackageWithCounts } from "@/lib/resources/packages/contract";
import { PackageActions } from "./package-actions";
import { SubscriberCount } from "./subscriber-count";
import { PackageBadge, Price } from "./words";

export const packageColumns = (onEdit: (pkg: PackageWithCounts) => void): Column<PackageWithCounts>[] => [
  {
    key: "name",
    label: (t) => t("packages.columns.name"),
    cell: ({ name }) => name,
    title: ({ name }) => name,
    href: ({ _id }) => `/packages/${_id}`,
    table: "heading",
    card: "heading",
  },
  {
    key: "description",
    label: (t) => t("packages.form.description"),
    cell: ({ description }) => description,
    title: ({ description }) => description,
    table: "below",
    card: "line",
  },
  {
    key: "amount",
    label: (t) => t("packages.columns.amount"),
    align: "right",
    width: 11,
    cell: (pkg) => <Price pkg={pkg} sumClass="font-medium" />,
    card: "side",
    cardCell: (pkg) => (
      <span className="font-normal">
        <Price pkg={pkg} sumClass="font-semibold" />
      </span>
    ),
  },
  {
    key: "subscribers",
    label: (t) => t("packages.columns.subscribers"),
    align: "right",
    width: 7,
    cell: (pkg) => <SubscriberCount pkg={pkg} />,
  },
  {
    key: "status",
    label: (t) => t("packages.columns.status"),
    width: 9,
    cell: ({ status }) => <PackageBadge status={status} />,
    card: "foot",
  },
  {
    key: "subscriber_words",
    label: (t) => t("packages.columns.subscribers"),
    cell: (pkg) => <SubscriberCount pkg={pkg} words />,
    table: "none",
    card: "foot",
  },
  {
    key: "created_at",
    label: (t) => t("packages.columns.created"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
  },
  {
    key: "actions",
    label: (t) => t("shell.list.actions"),
    width: 6,
    cell: (pkg) => <PackageActions pkg={pkg} onEdit={() => onEdit(pkg)} />,
  },
];
