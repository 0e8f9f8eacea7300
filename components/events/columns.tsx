import type { Column } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { Event } from "@/lib/resources/events/contract";
import { subjectOf } from "./words";

export const eventColumns: Column<Event>[] = [
  {
    key: "type",
    label: (t) => t("events.page.type"),
    width: 17,
    look: "font-mono text-sm",
    cell: ({ type }) => type,
    href: ({ _id }) => `/developers/events/${_id}`,
    table: "heading",
    card: "heading",
  },
  {
    key: "about",
    label: (t) => t("events.page.about"),
    cell: subjectOf,
    title: subjectOf,
    card: "line",
  },
  {
    key: "created_at",
    label: (t) => t("events.page.when"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "meta",
  },
  {
    key: "actor",
    label: (t) => t("events.page.by"),
    width: 13,
    look: "text-kumo-subtle",
    cell: ({ actor }, t) => t(`events.actor.${actor.type}`),
    card: "meta",
  },
];
