"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { eventsQueryOptions } from "@/lib/resources/events/queries";
import { eventColumns } from "./columns";
import { eventFilters } from "./filters";

/** What has happened, newest first. */
export function EventsPage() {
  const t = useTranslations("events.page");
  const address = useListAddress(eventFilters);
  return (
    <>
      <ListHead title={t("title")} />
      <List
        of="events"
        query={useQuery(eventsQueryOptions(address.filter))}
        address={address}
        filters={eventFilters}
        columns={eventColumns}
        caption={t("list")}
        empty={{ title: t("empty"), text: t("emptyText") }}
      />
    </>
  );
}
