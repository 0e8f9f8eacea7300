"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import Link from "next/link";
import type { ReactNode } from "react";
import { BackLink } from "@/components/shell/back-link";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { Notice } from "@/components/ui/notice";
import { When } from "@/components/ui/when";
import { ApiFailure } from "@/lib/api/client";
import type { WebhookEndpoint } from "@/lib/webhooks/contract";
import { useWebhookEndpoint } from "@/lib/webhooks/queries";
import { Deliveries } from "./deliveries";
import { EndpointActions } from "./endpoint-actions";
import { disabledWords, EndpointBadge } from "./words";

/** One endpoint: how it is, what was delivered to it, and what can be done about it. */
export function EndpointPage({ id, canWrite }: { id: string; canWrite: boolean }) {
  const endpoint = useWebhookEndpoint(id);
  const gone = endpoint.error instanceof ApiFailure && endpoint.error.status === 404;
  return (
    <>
      <BackLink href="/developers/webhooks">Webhooks</BackLink>
      {endpoint.isPending ? (
        <Skeleton what="the endpoint" />
      ) : gone ? (
        <Notice
          title="This endpoint does not exist"
          action={
            <Link href="/developers/webhooks" className={buttonVariants({ variant: "secondary" })}>
              Go to the webhooks
            </Link>
          }
        >
          It was deleted, or the address is not complete.
        </Notice>
      ) : endpoint.data ? (
        <Loaded endpoint={endpoint.data} canWrite={canWrite} />
      ) : (
        <LoadFailure what="endpoint" query={endpoint} />
      )}
    </>
  );
}

function Loaded({ endpoint, canWrite }: { endpoint: WebhookEndpoint; canWrite: boolean }) {
  const { url, description, disabled_reason, failing_since } = endpoint;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere text-kumo-strong">{url}</h1>
            <EndpointBadge {...endpoint} />
          </div>
          {description && <p className="mt-1 text-base wrap-anywhere text-kumo-subtle">{description}</p>}
        </div>
        {canWrite && <EndpointActions endpoint={endpoint} />}
      </div>
      <section className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line" aria-label="How it is">
        {(disabled_reason || failing_since) && (
          <p className="border-b border-kumo-hairline px-4 py-3 text-base text-kumo-default">
            {disabled_reason ? (
              disabledWords[disabled_reason]
            ) : (
              <>
                Nothing has been delivered since {failing_since && <When at={failing_since} />}. Paydesk goes on trying;
                an endpoint that fails for five days is disabled.
              </>
            )}
          </p>
        )}
        <Facts endpoint={endpoint} />
      </section>
      <Deliveries endpoint={endpoint} canWrite={canWrite} />
    </div>
  );
}

function Facts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { events, previous_secret_expires_at: until, created_at } = endpoint;
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-4 px-4 py-4 sm:grid-cols-2 xl:grid-cols-3">
      <Fact term="Events">
        {events.includes("*") ? (
          "All, also types that are still to come"
        ) : (
          <span className="font-mono text-sm">{events.join(", ")}</span>
        )}
      </Fact>
      <Fact term="Secret">
        {until ? (
          <>
            Rotated; the old one signs too until <When at={until} />
          </>
        ) : (
          "Shown when it was made"
        )}
      </Fact>
      <Fact term="Created">
        <When at={created_at} />
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-0.5 min-w-0 text-base wrap-anywhere text-kumo-default">{children}</dd>
    </div>
  );
}
