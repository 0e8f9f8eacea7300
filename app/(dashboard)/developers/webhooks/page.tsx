import { requireSession } from "@/app/(dashboard)/session";
import { addressOf } from "@/components/shell/next-path";
import { WebhooksPage } from "@/components/webhook-endpoints/webhooks-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("webhooks");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/developers/webhooks", searchParams));
  return <WebhooksPage />;
}
