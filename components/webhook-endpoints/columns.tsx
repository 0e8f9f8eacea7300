import type { Column, Texts } from "@/components/ui/list/columns";
import { When } from "@/components/ui/when";
import type { WebhookDelivery, WebhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";
import { EndpointMenu } from "./endpoint-actions";
import { attemptWords, DeliveryBadge, EndpointBadge, eventsWords } from "./words";

export const endpointColumns: Column<WebhookEndpoint>[] = [
  {
    key: "url",
    label: (t) => t("webhooks.page.address"),
    cell: ({ url }) => url,
    title: ({ url }) => url,
    href: ({ _id }) => `/developers/webhooks/${_id}`,
    table: "heading",
    card: "heading",
    minWidth: 16,
  },
  {
    key: "description",
    label: (t) => t("webhooks.form.description"),
    cell: ({ description }) => description,
    title: ({ description }) => description,
    table: "below",
    card: "line",
  },
  {
    key: "status",
    label: (t) => t("webhooks.page.status"),
    width: 9,
    cell: (row) => <EndpointBadge {...row} />,
    card: "foot",
  },
  {
    key: "events",
    label: (t) => t("webhooks.page.events"),
    width: 13,
    cell: (row, t) => eventsWords(t, row),
    title: ({ events }) => events.join(", "),
    card: "foot",
  },
  {
    key: "created_at",
    label: (t) => t("webhooks.page.created"),
    width: 8,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
  },
  {
    key: "actions",
    label: (t) => t("shell.list.actions"),
    width: 3.25,
    cell: (endpoint) => <EndpointMenu endpoint={endpoint} />,
  },
];

const lastAttempt = ({ last_attempt }: WebhookDelivery, t: Texts): string | null =>
  last_attempt && attemptWords(t, last_attempt);

const nextAttempt = ({ next_attempt_at }: WebhookDelivery, t: Texts) =>
  next_attempt_at && (
    <span className="block truncate text-sm">
      {t.rich("webhooks.deliveries.nextAttempt", { when: () => <When at={next_attempt_at} /> })}
    </span>
  );

export const deliveryColumns: Column<WebhookDelivery>[] = [
  {
    key: "type",
    label: (t) => t("webhooks.deliveries.event"),
    width: 17,
    look: "font-mono text-sm",
    cell: ({ type, sample }, t) => (
      <>
        {type}
        {sample && <span className="font-sans font-normal text-kumo-subtle"> {t("webhooks.deliveries.sample")}</span>}
      </>
    ),
    table: "heading",
    card: "heading",
  },
  {
    key: "status",
    label: (t) => t("webhooks.deliveries.status"),
    width: 8,
    cell: (delivery) => <DeliveryBadge {...delivery} />,
    card: "side",
  },
  {
    key: "last_attempt",
    label: (t) => t("webhooks.deliveries.lastAttempt"),
    look: "text-kumo-subtle",
    cell: (row, t) => (
      <>
        <span className="block truncate">{lastAttempt(row, t) ?? t("webhooks.deliveries.noneYet")}</span>
        {nextAttempt(row, t)}
      </>
    ),
    title: lastAttempt,
    card: "line",
    cardCell: (row, t) =>
      (row.last_attempt || row.next_attempt_at) && (
        <>
          {row.last_attempt && <span className="block truncate">{lastAttempt(row, t)}</span>}
          {nextAttempt(row, t)}
        </>
      ),
  },
  {
    key: "attempts",
    label: (t) => t("webhooks.deliveries.attempts"),
    align: "right",
    width: 6,
    cell: ({ attempt_count }) => attempt_count,
  },
  {
    key: "created_at",
    label: (t) => t("webhooks.deliveries.created"),
    width: 9,
    look: "text-kumo-subtle",
    cell: ({ created_at }) => <When at={created_at} />,
    card: "meta",
  },
];
