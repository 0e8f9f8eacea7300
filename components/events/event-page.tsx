"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import Link from "next/link";
import type { ReactNode } from "react";
import { BackLink } from "@/components/shell/back-link";
import { CodeBlock } from "@/components/shell/code-block";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { When } from "@/components/ui/when";
import { ApiFailure } from "@/lib/api/client";
import type { Event } from "@/lib/events/contract";
import { useEvent } from "@/lib/events/queries";
import { actorWords } from "./words";

/** One event: what it is about, who made it happen, and the JSON that systems read. */
export function EventPage({ id }: { id: string }) {
  const event = useEvent(id);
  const gone = event.error instanceof ApiFailure && event.error.status === 404;
  return (
    <>
      <BackLink href="/developers/events">Events</BackLink>
      {event.isPending ? (
        <Skeleton what="the event" />
      ) : gone ? (
        <Notice
          title="This event does not exist"
          action={
            <Link href="/developers/events" className={buttonVariants({ variant: "secondary" })}>
              Go to the events
            </Link>
          }
        >
          The address is not complete, or it is another business’s.
        </Notice>
      ) : event.data ? (
        <Loaded event={event.data} />
      ) : (
        <LoadFailure what="event" query={event} />
      )}
    </>
  );
}

function Loaded({ event }: { event: Event }) {
  const json = JSON.stringify(event, null, 2);
  return (
    <div className="grid grid-cols-1 gap-6">
      <h1 className="min-w-0 font-mono text-lg font-semibold wrap-anywhere text-kumo-strong">{event.type}</h1>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-xl bg-kumo-base px-4 py-4 ring ring-kumo-line sm:grid-cols-2 xl:grid-cols-4">
        <Fact term="When">
          <When at={event.created_at} />
        </Fact>
        <Fact term="By">{actorWords(event)}</Fact>
        <Fact term="About">
          <Link
            href={`/developers/events?resource_id=${event.resource_id}`}
            title="All its events"
            className="font-mono text-sm underline decoration-kumo-line underline-offset-4 hover:decoration-current"
          >
            {event.resource_id}
          </Link>
        </Fact>
        <Fact term="Event">
          <span className="font-mono text-sm">{event._id}</span>
        </Fact>
      </dl>
      <section className="grid grid-cols-1 gap-2" aria-labelledby="json">
        <div className="flex items-center justify-between gap-3">
          <h2 id="json" className="text-[15px] font-semibold text-kumo-strong">
            As your system reads it
          </h2>
          <CopyButton text={json} what="JSON" variant="secondary">
            Copy
          </CopyButton>
        </div>
        <CodeBlock
          label="The event as JSON"
          className="max-h-[60vh] rounded-xl bg-kumo-base p-4 leading-relaxed ring ring-kumo-line"
        >
          {json}
        </CodeBlock>
      </section>
    </div>
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
