import type { Column } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { AuditEntry } from "@/lib/resources/audit-log/contract";
import { aboutWords, actorWords } from "./words";

export const auditColumns: Column<AuditEntry>[] = [
  {
    key: "action",
    label: (t) => t("audit.list.what"),
    minWidth: 16,
    cell: ({ action }, t) => t(`audit.action.${action}`),
    table: "heading",
    card: "heading",
  },
  {
    key: "about",
    label: (t) => t("audit.list.about"),
    cell: (row, t) => aboutWords(t, row),
    title: (row, t) => aboutWords(t, row),
    card: "line",
  },
  {
    key: "created_at",
    label: (t) => t("audit.list.when"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "meta",
  },
  {
    key: "actor",
    label: (t) => t("audit.list.who"),
    cell: (row, t) => actorWords(t, row),
    title: (row, t) => actorWords(t, row),
    card: "meta",
  },
  {
    key: "address",
    label: (t) => t("audit.list.from"),
    width: 7.5,
    look: "text-kumo-subtle",
    cell: ({ address }) => address,
    title: ({ address }) => address,
    card: "meta",
  },
];
