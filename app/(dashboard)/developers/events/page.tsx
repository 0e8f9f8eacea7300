import { listPage } from "@/app/(dashboard)/list-page";
import { EventsPage } from "@/components/events/events-page";
import { eventFilters } from "@/components/events/filters";
import { eventsQueryOptions } from "@/lib/resources/events/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("events");

export default listPage("/developers/events", EventsPage, {
  filters: eventFilters,
  query: eventsQueryOptions,
});
