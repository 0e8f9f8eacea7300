import type { Column } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { EmailSummary } from "@/lib/resources/emails/contract";
import { EmailBadge } from "./words";

export const emailColumns: Column<EmailSummary>[] = [
  {
    key: "subject",
    label: (t) => t("emails.list.subject"),
    // An e-mail has no subject until a worker has rendered it.
    cell: ({ subject, template }, t) => <bdi>{subject ?? t(`emails.template.${template}`)}</bdi>,
    title: ({ subject }) => subject,
    href: ({ _id }) => `/emails/${_id}`,
    table: "heading",
    card: "heading",
    minWidth: 14,
  },
  {
    key: "template",
    label: (t) => t("emails.detail.what"),
    cell: ({ template }, t) => t(`emails.template.${template}`),
    table: "below",
  },
  {
    key: "to",
    label: (t) => t("emails.list.to"),
    minWidth: 12,
    cell: ({ to }) => to,
    title: ({ to }) => to,
    card: "line",
  },
  {
    key: "status",
    label: (t) => t("emails.list.status"),
    width: 8,
    cell: ({ status }) => <EmailBadge status={status} />,
    card: "foot",
  },
  {
    key: "created_at",
    label: (t) => t("emails.list.written"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "end",
  },
];
