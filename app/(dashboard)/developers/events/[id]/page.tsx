import type { Metadata } from "next";
import { EventPage } from "@/components/events/event-page";
import { requireSession } from "../../../session";

export const metadata: Metadata = { title: "Event" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/developers/events/${encodeURIComponent(id)}`);
  return <EventPage id={id} />;
}
