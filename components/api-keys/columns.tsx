import type { Column } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { ApiKey } from "@/lib/resources/api-keys/contract";
import { KeyMenu } from "./key-menu";
import { KeyBadge, permissionWords } from "./words";

export const apiKeyColumns: Column<ApiKey>[] = [
  {
    key: "name",
    label: (t) => t("apiKeys.form.name"),
    cell: ({ name }) => name,
    title: ({ name }) => name,
    href: ({ _id }) => `/developers/keys/${_id}`,
    table: "heading",
    card: "heading",
    minWidth: 11,
  },
  {
    key: "hint",
    label: (t) => t("apiKeys.detail.hint"),
    look: "font-mono",
    cell: ({ hint }) => hint,
    table: "below",
    card: "meta",
  },
  {
    key: "status",
    label: (t) => t("shell.list.status"),
    width: 7,
    cell: (apiKey) => <KeyBadge apiKey={apiKey} />,
    card: "foot",
  },
  {
    key: "scopes",
    label: (t) => t("apiKeys.form.may"),
    cell: permissionWords,
    title: permissionWords,
    card: "line",
  },
  {
    key: "last_used_at",
    label: (t) => t("apiKeys.detail.lastUsed"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ last_used_at }, t) => (last_used_at ? <When at={last_used_at} /> : t("apiKeys.detail.never")),
    card: "end",
    cardCell: ({ last_used_at }, t) =>
      last_used_at
        ? t.rich("apiKeys.row.lastUsed", { when: () => <When at={last_used_at} /> })
        : t("apiKeys.row.neverUsed"),
  },
  {
    key: "expires_at",
    label: (t) => t("apiKeys.detail.expires"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ expires_at }) => (expires_at ? <When at={expires_at} /> : "–"),
    card: "meta",
    cardCell: ({ status, expires_at }, t) =>
      status === "active" && expires_at && t.rich("apiKeys.row.until", { when: () => <When at={expires_at} /> }),
  },
  {
    key: "created_by_name",
    label: (t) => t("apiKeys.detail.createdBy"),
    width: 9,
    cell: ({ created_by_name }) => created_by_name ?? "–",
    title: ({ created_by_name }) => created_by_name,
    card: "meta",
    cardCell: ({ created_by_name }, t) => created_by_name && t("apiKeys.row.createdBy", { name: created_by_name }),
  },
  {
    key: "actions",
    label: (t) => t("shell.list.actions"),
    width: 4,
    cell: (apiKey) => <KeyMenu apiKey={apiKey} />,
  },
];
