import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { type Event, eventEndpoints } from "@/lib/resources/events/contract";
import { headersOf, messageOf } from "@/lib/resources/events/payload-contract";
import { eventQueryOptions } from "@/lib/resources/events/queries";
import type { WebhookDelivery } from "@/lib/resources/webhook-endpoints/contract";

/** The headers and the payload that a delivery sends. */
export function DeliveryRequest({ delivery }: { delivery: WebhookDelivery }) {
  const may = useMay();
  const { event_id } = delivery;
  const maySee = may(eventEndpoints.get);
  const event = useQuery({ ...eventQueryOptions(event_id ?? ""), enabled: event_id !== null && maySee });
  if (event_id === null) return <Shown delivery={delivery} event={null} />;
  if (!maySee || event.isPending) return null;
  if (!event.data) return <LoadFailure of="single.event" query={event} />;
  return <Shown delivery={delivery} event={event.data} />;
}

function Shown({ delivery, event }: { delivery: WebhookDelivery; event: Event | null }) {
  const t = useTranslations("webhooks.delivery");
  const { id, body } = messageOf({ ...delivery, id: delivery._id, event });
  const headers = Object.entries(headersOf(id)).map(([name, value]) => `${name}: ${value}`);
  const block = "rounded bg-kumo-recessed px-2.5 py-2";
  return (
    <section className="grid grid-cols-1 gap-2" aria-labelledby="request">
      <div className="flex items-center justify-between gap-3">
        <h4 id="request" className="text-[15px] font-semibold text-kumo-strong">
          {t("request")}
        </h4>
        <CopyButton text={body} label={t("copyPayload")} />
      </div>
      <CodeBlock label={t("headers")} className={block}>
        {headers.join("\n")}
      </CodeBlock>
      <p className="text-sm text-kumo-subtle">{t("eachAttempt")}</p>
      <CodeBlock label={t("payload")} className={`max-h-80 ${block}`}>
        {JSON.stringify(JSON.parse(body), null, 2)}
      </CodeBlock>
    </section>
  );
}
