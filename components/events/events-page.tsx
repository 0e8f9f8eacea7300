"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useListAddress } from "@/components/shell/use-list-address";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { eventEndpoints } from "@/lib/resources/events/contract";
import { eventsQueryOptions } from "@/lib/resources/events/queries";
import { eventColumns } from "./columns";
import { eventFilters } from "./filters";

const EventPage = onDemand(() => import("./event-page").then(({ EventPage }) => EventPage));

export function EventsPage() {
  const t = useTranslations("events.page");
  const address = useListAddress(eventFilters);
  return (
    <ListPage
      of="events"
      title={t("title")}
      query={useQuery(eventsQueryOptions(address.query))}
      address={address}
      filters={eventFilters}
      peek={(id) => <EventPage id={id} />}
      columns={eventColumns}
      caption={t("list")}
      empty={{ title: t("empty"), text: t("emptyText") }}
    >
      <SavedViews list="events" address={address} />
      <ExportButton endpoint={eventEndpoints.export} query={address.query} />
    </ListPage>
  );
}
