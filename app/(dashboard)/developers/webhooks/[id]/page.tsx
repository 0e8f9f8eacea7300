import { requireSession } from "@/app/(dashboard)/session";
import { addressOf } from "@/components/shell/next-path";
import { EndpointPage } from "@/components/webhook-endpoints/endpoint-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("webhookEndpoint");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/developers/webhooks/${encodeURIComponent(id)}`, searchParams));
  return <EndpointPage id={id} />;
}
