import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { linkClass } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import { type WebhookDeliveryWithAttempts, webhookDeliveryEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { deliveryQueryOptions, useRedeliver } from "@/lib/resources/webhook-endpoints/queries";
import { DeliveryRequest } from "./delivery-request";
import { useFollowRedelivery } from "./use-follow-redelivery";
import { attemptWords, DeliveryBadge } from "./words";

interface DeliveryDetailProps {
  id: string;
  leadsTo: "event" | "endpoint";
  /** Whether its endpoint is enabled. A disabled one gets no deliveries. */
  enabled: boolean;
}

export function DeliveryDetail({ id, ...how }: DeliveryDetailProps) {
  const delivery = useQuery(deliveryQueryOptions(id));
  if (delivery.isPending)
    return (
      <div className="p-5">
        <Skeleton of="single.delivery" />
      </div>
    );
  if (!delivery.data)
    return (
      <div className="p-5">
        <LoadFailure of="single.delivery" query={delivery} />
      </div>
    );
  return <Loaded delivery={delivery.data} {...how} />;
}

interface LoadedProps extends Omit<DeliveryDetailProps, "id"> {
  delivery: WebhookDeliveryWithAttempts;
}

function Loaded({ delivery, leadsTo, enabled }: LoadedProps) {
  const t = useTranslations("webhooks.delivery");
  const { _id, webhook_endpoint_id, event_id, type, status, attempts, next_attempt_at } = delivery;
  const texts = useTranslations();
  const may = useMay();
  const redeliver = useRedeliver();
  const follow = useFollowRedelivery();
  const toasts = useToasts();

  const again = () =>
    redeliver.mutate(_id, {
      onSuccess: () => {
        toasts.add({ title: t("dueAgain") });
        void follow([_id]);
      },
      onError: (error) => toasts.failed(t("failed"), error),
    });

  return (
    <>
      <div className="grid min-h-0 flex-1 grid-cols-1 content-start gap-5 overflow-y-auto p-5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="min-w-0 font-mono text-base font-medium wrap-anywhere text-kumo-strong">{type}</h3>
          <DeliveryBadge {...delivery} />
        </div>
        <p className="text-base text-kumo-subtle">
          {leadsTo === "endpoint" ? (
            <Link href={`/developers/webhooks/${webhook_endpoint_id}`} className={`text-kumo-default ${linkClass}`}>
              {t("seeEndpoint")}
            </Link>
          ) : event_id ? (
            <Link href={`/developers/events/${event_id}`} className={`text-kumo-default ${linkClass}`}>
              {t("seeEvent")}
            </Link>
          ) : (
            t("sample")
          )}
          {status === "pending" && next_attempt_at && (
            <> · {t.rich("nextTry", { when: () => <When at={next_attempt_at} /> })}</>
          )}
        </p>
        <section className="grid grid-cols-1 gap-2" aria-labelledby="attempts">
          <h4 id="attempts" className="text-[15px] font-semibold text-kumo-strong">
            {t("attempts")}
          </h4>
          {attempts.length === 0 && <p className="text-base text-kumo-subtle">{t("noneYet")}</p>}
          <ol className="grid grid-cols-1 gap-2">
            {attempts.map((attempt, index) => (
              <li key={attempt._id} className="grid grid-cols-1 gap-2 rounded-lg px-3 py-2.5 ring ring-kumo-line">
                <div className="flex items-baseline justify-between gap-3 text-base">
                  <span className="min-w-0 text-kumo-default wrap-anywhere">{attemptWords(texts, attempt)}</span>
                  <span className="text-sm text-kumo-subtle">
                    <Moment at={attempt.created_at} time="seconds" />
                  </span>
                </div>
                {attempt.response && (
                  <CodeBlock
                    label={t("answer", { nth: index + 1, count: attempts.length })}
                    className="max-h-48 rounded bg-kumo-recessed px-2.5 py-2"
                  >
                    {attempt.response}
                  </CodeBlock>
                )}
              </li>
            ))}
          </ol>
        </section>
        <DeliveryRequest delivery={delivery} />
      </div>
      {enabled && may(webhookDeliveryEndpoints.redeliver) && (
        <div className="flex shrink-0 justify-end border-t border-kumo-hairline px-5 py-3.5">
          <Button
            variant="secondary"
            loading={redeliver.isPending}
            onClick={again}
            className="max-sm:w-full max-sm:justify-center"
          >
            {t("redeliver")}
          </Button>
        </div>
      )}
    </>
  );
}
