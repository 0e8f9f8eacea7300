"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { DetailFrame } from "@/components/shell/detail-frame";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { DetailHeading, Fact, linkClass, MomentFact } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { EventDeliveries } from "@/components/webhook-endpoints/event-deliveries";
import type { Event } from "@/lib/resources/events/contract";
import { eventQueryOptions } from "@/lib/resources/events/queries";
import { subjectOf, subjectPage } from "./words";

export function EventPage({ id }: { id: string }) {
  const event = useQuery(eventQueryOptions(id));
  return (
    <DetailFrame list="/developers/events" id={id} of="event" query={event} about={(data) => [subjectOf(data)]}>
      {(data) => <Loaded event={data} />}
    </DetailFrame>
  );
}

function Loaded({ event }: { event: Event }) {
  const t = useTranslations("events.detail");
  const actors = useTranslations("events.actor");
  const page = subjectPage(event);
  const json = JSON.stringify(event, null, 2);
  return (
    <div className="grid grid-cols-1 gap-6">
      <DetailHeading className="font-mono text-lg font-semibold">{event.type}</DetailHeading>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-xl bg-kumo-base px-4 py-4 ring ring-kumo-line sm:grid-cols-2 xl:grid-cols-4">
        <MomentFact term={t("when")} at={event.created_at} seconds />
        <Fact term={t("by")}>{actors(event.actor.type)}</Fact>
        <Fact term={t("about")}>
          {page ? (
            <Link href={page} className={`font-mono text-sm ${linkClass}`}>
              {event.resource_id}
            </Link>
          ) : (
            <span className="font-mono text-sm">{event.resource_id}</span>
          )}
          <Link
            href={`/developers/events?resource_id=${event.resource_id}`}
            className={`mt-1 block w-fit text-sm text-kumo-subtle ${linkClass}`}
          >
            {t("allItsEvents")}
          </Link>
        </Fact>
        <Fact term={t("event")}>
          <span className="font-mono text-sm">{event._id}</span>
        </Fact>
      </dl>
      <EventDeliveries eventId={event._id} />
      <section className="grid grid-cols-1 gap-2" aria-labelledby="json">
        <div className="flex items-center justify-between gap-3">
          <h2 id="json" className="text-[15px] font-semibold text-kumo-strong">
            {t("json")}
          </h2>
          <CopyButton text={json} label={t("copyJson")} variant="secondary">
            {t("copy")}
          </CopyButton>
        </div>
        <CodeBlock
          label={t("asJson")}
          className="max-h-[60vh] rounded-xl bg-kumo-base p-4 leading-relaxed ring ring-kumo-line"
        >
          {json}
        </CodeBlock>
      </section>
    </div>
  );
}
