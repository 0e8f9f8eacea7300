import type { Column } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { RequestSummary } from "@/lib/resources/requests/contract";
import { addressOf, duration, madeBy, StatusPill } from "./words";

export const requestColumns: Column<RequestSummary>[] = [
  {
    key: "status",
    label: (t) => t("requests.page.status"),
    width: 6,
    cell: ({ status }) => <StatusPill status={status} />,
    card: "side",
  },
  {
    key: "method",
    label: (t) => t("requests.page.method"),
    width: 5.5,
    look: "font-mono text-sm",
    cell: ({ method }) => method,
  },
  {
    key: "path",
    label: (t) => t("requests.page.path"),
    look: "font-mono text-sm",
    cell: addressOf,
    title: addressOf,
    href: ({ _id }) => `/developers/requests/${_id}`,
    table: "heading",
    card: "heading",
    cardCell: (row) => `${row.method} ${addressOf(row)}`,
    minWidth: 12,
  },
  {
    key: "created_at",
    label: (t) => t("requests.page.when"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "meta",
  },
  {
    key: "by",
    label: (t) => t("requests.page.by"),
    width: 9.5,
    look: "text-kumo-subtle",
    cell: madeBy,
    title: madeBy,
    card: "meta",
  },
  {
    key: "took",
    label: (t) => t("requests.page.took"),
    align: "right",
    width: 6,
    look: "text-kumo-subtle",
    cell: duration,
    card: "meta",
  },
];
