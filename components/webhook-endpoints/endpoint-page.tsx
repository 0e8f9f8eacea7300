"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { DetailHeading, Fact, MomentFact } from "@/components/ui/detail";
import { When } from "@/components/ui/when";
import { type WebhookEndpoint, webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { webhookEndpointQueryOptions } from "@/lib/resources/webhook-endpoints/queries";
import { Deliveries } from "./deliveries";
import { EndpointActions } from "./endpoint-actions";
import { EndpointBadge } from "./words";

export function EndpointPage({ id }: { id: string }) {
  const endpoint = useQuery(webhookEndpointQueryOptions(id));
  return (
    <DetailFrame list="/developers/webhooks" id={id} of="endpoint" query={endpoint}>
      {(data) => <Loaded endpoint={data} />}
    </DetailFrame>
  );
}

function Loaded({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.detail");
  const words = useTranslations("webhooks.words");
  const may = useMay();
  const { url, description, disabled_reason, failing_since } = endpoint;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <DetailHeading>{url}</DetailHeading>
            <EndpointBadge {...endpoint} />
          </div>
          {description && <p className="mt-1 text-base wrap-anywhere text-kumo-subtle">{description}</p>}
        </div>
        {may(webhookEndpointEndpoints.update) && <EndpointActions endpoint={endpoint} />}
      </div>
      <section className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line" aria-label={t("state")}>
        {(disabled_reason || failing_since) && (
          <p className="border-b border-kumo-hairline px-4 py-3 text-base text-kumo-default">
            {disabled_reason
              ? words(`disabled.${disabled_reason}`)
              : t.rich("failing", { when: () => failing_since && <When at={failing_since} /> })}
          </p>
        )}
        <Facts endpoint={endpoint} />
      </section>
      <Deliveries endpoint={endpoint} />
    </div>
  );
}

function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useTranslations("webhooks.detail");
  const { events, previous_secret_expires_at: until, created_at } = endpoint;
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-4 px-4 py-4 sm:grid-cols-2 xl:grid-cols-3">
      <Fact term={t("events")}>
        {events.includes("*") ? t("all") : <span className="font-mono text-sm">{events.join(", ")}</span>}
      </Fact>
      <Fact term={t("secret")}>{until ? t.rich("rotated", { when: () => <When at={until} /> }) : t("shownOnce")}</Fact>
      <MomentFact term={t("created")} at={created_at} />
    </dl>
  );
}
