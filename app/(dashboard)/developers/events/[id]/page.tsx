import { EventPage } from "@/components/events/event-page";
import { addressOf } from "@/components/shell/next-path";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../../session";

export const generateMetadata = titled("event");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  const { role } = await requireSession(await addressOf(`/developers/events/${encodeURIComponent(id)}`, searchParams));
  return <EventPage id={id} canWrite={allows(roleScopes[role], "webhook_endpoints:write")} />;
}
