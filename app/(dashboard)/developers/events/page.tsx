import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/events/route";
import { EventsPage } from "@/components/events/events-page";
import { eventFilters } from "@/components/events/filters";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { readFilter } from "@/components/ui/list/filter";
import { eventsQueryOptions } from "@/lib/resources/events/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("events");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/developers/events", searchParams));
  const filter = readFilter(eventFilters, await queryOf(searchParams));
  const rows = eventsQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <EventsPage />
    </FirstRows>
  );
}
