import { requireSession } from "@/app/(dashboard)/session";
import { EventsPage } from "@/components/events/events-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("events");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/developers/events", searchParams));
  return <EventsPage />;
}
