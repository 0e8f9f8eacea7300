"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import Link from "next/link";
import { CodeBlock } from "@/components/shell/code-block";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { explainFailure } from "@/components/ui/explain-failure";
import { When } from "@/components/ui/when";
import type { WebhookDeliveryWithAttempts } from "@/lib/webhooks/contract";
import { useDelivery, useRedeliver } from "@/lib/webhooks/queries";
import { attemptWords, DeliveryBadge } from "./words";

/** One delivery with every attempt, and the way to repeat it. */
export function DeliveryDetail({ id, canRedeliver }: { id: string; canRedeliver: boolean }) {
  const delivery = useDelivery(id);
  if (delivery.isPending)
    return (
      <div className="p-5">
        <Skeleton what="the delivery" />
      </div>
    );
  if (!delivery.data)
    return (
      <div className="p-5">
        <LoadFailure what="delivery" query={delivery} />
      </div>
    );
  return <Loaded delivery={delivery.data} canRedeliver={canRedeliver} />;
}

function Loaded({ delivery, canRedeliver }: { delivery: WebhookDeliveryWithAttempts; canRedeliver: boolean }) {
  const { _id, event_id, type, status, attempts, next_attempt_at } = delivery;
  const redeliver = useRedeliver();
  const toasts = useKumoToastManager();

  const again = () =>
    redeliver.mutate(_id, {
      onSuccess: () => toasts.add({ title: `Due again: ${type}` }),
      onError: (error) =>
        toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
    });

  return (
    <>
      <div className="grid min-h-0 flex-1 grid-cols-1 content-start gap-5 overflow-y-auto p-5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="min-w-0 font-mono text-base font-medium wrap-anywhere text-kumo-strong">{type}</h3>
          <DeliveryBadge status={status} />
        </div>
        <p className="text-base text-kumo-subtle">
          {event_id ? (
            <Link
              href={`/developers/events/${event_id}`}
              className="text-kumo-default underline decoration-kumo-line underline-offset-4 hover:decoration-current"
            >
              See the event
            </Link>
          ) : (
            "A sample: it is no event."
          )}
          {status === "pending" && next_attempt_at && (
            <>
              {" "}
              · next try <When at={next_attempt_at} />
            </>
          )}
        </p>
        <section className="grid grid-cols-1 gap-2" aria-labelledby="attempts">
          <h4 id="attempts" className="text-[15px] font-semibold text-kumo-strong">
            Attempts
          </h4>
          {attempts.length === 0 && <p className="text-base text-kumo-subtle">None yet.</p>}
          <ol className="grid grid-cols-1 gap-2">
            {attempts.map((attempt) => (
              <li key={attempt._id} className="grid grid-cols-1 gap-2 rounded-lg px-3 py-2.5 ring ring-kumo-line">
                <div className="flex items-baseline justify-between gap-3 text-base">
                  <span className="min-w-0 text-kumo-default wrap-anywhere">{attemptWords(attempt)}</span>
                  <span className="text-sm text-kumo-subtle">
                    <When at={attempt.created_at} />
                  </span>
                </div>
                {attempt.response && (
                  <CodeBlock label="The answer" className="max-h-48 rounded bg-kumo-recessed px-2.5 py-2">
                    {attempt.response}
                  </CodeBlock>
                )}
              </li>
            ))}
          </ol>
        </section>
      </div>
      {canRedeliver && (
        <div className="flex shrink-0 justify-end border-t border-kumo-hairline px-5 py-3.5">
          <Button
            variant="secondary"
            loading={redeliver.isPending}
            onClick={again}
            className="max-sm:w-full max-sm:justify-center"
          >
            Redeliver
          </Button>
        </div>
      )}
    </>
  );
}
