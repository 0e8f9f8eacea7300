import { requireSession } from "@/app/(dashboard)/session";
import { EventPage } from "@/components/events/event-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("event");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/developers/events/${encodeURIComponent(id)}`, searchParams));
  return <EventPage id={id} />;
}
