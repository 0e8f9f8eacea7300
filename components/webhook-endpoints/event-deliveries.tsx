import { useTranslations } from "use-intl";
import { Panel } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { onDemand } from "@/components/ui/on-demand";
import { When } from "@/components/ui/when";
import type { WebhookDelivery, WebhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";
import { useEventDeliveries } from "@/lib/resources/webhook-endpoints/queries";
import { attemptWords, DeliveryBadge } from "./words";

const DeliveryDetail = onDemand(() => import("./delivery-detail").then(({ DeliveryDetail }) => DeliveryDetail));

interface Delivered {
  endpoint: WebhookEndpoint;
  delivery: WebhookDelivery;
}

export function EventDeliveries({ eventId }: { eventId: string }) {
  const t = useTranslations("webhooks.ofEvent");
  const deliveries = useEventDeliveries(eventId);
  const { openSheet } = useDialogs();
  const open = ({ delivery, endpoint }: Delivered) =>
    openSheet({
      title: t("delivery"),
      isForm: false,
      content: () => <DeliveryDetail id={delivery._id} leadsTo="endpoint" enabled={endpoint.status === "enabled"} />,
    });
  if (deliveries.isPending) return <Skeleton of="lists.deliveries" />;
  if (deliveries.isError) return <LoadFailure of="lists.deliveries" query={deliveries} />;
  return (
    <Panel title={t("title")}>
      {deliveries.data.length === 0 ? (
        <p className="px-4 py-4 text-base text-kumo-subtle">{t("none")}</p>
      ) : (
        <ul className="divide-y divide-kumo-hairline">
          {deliveries.data.map((row) => (
            <DeliveryRow key={row.delivery._id} row={row} onOpen={() => open(row)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function DeliveryRow({ row: { endpoint, delivery }, onOpen }: { row: Delivered; onOpen: () => void }) {
  const t = useTranslations("webhooks.ofEvent");
  const texts = useTranslations();
  const { last_attempt: attempt } = delivery;
  return (
    <li className="flex items-start justify-between gap-3 px-4 py-3">
      <div className="min-w-0">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpen}
          className="text-left text-base font-medium wrap-anywhere text-kumo-strong row-link"
        >
          {endpoint.url}
        </button>
        <p className="mt-0.5 text-sm wrap-anywhere text-kumo-subtle">
          {attempt ? (
            <>
              <When at={attempt.created_at} /> · {attemptWords(texts, attempt)}
            </>
          ) : (
            t("noneYet")
          )}
        </p>
      </div>
      <DeliveryBadge {...delivery} />
    </li>
  );
}
