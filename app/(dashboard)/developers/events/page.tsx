import type { Metadata } from "next";
import { EventsPage } from "@/components/events/events-page";
import { addressOf } from "@/components/shell/next-path";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Events" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/developers/events", searchParams));
  return <EventsPage />;
}
