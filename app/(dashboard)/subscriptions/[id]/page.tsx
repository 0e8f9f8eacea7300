import { requireSession } from "@/app/(dashboard)/session";
import { addressOf } from "@/components/shell/next-path";
import { SubscriptionPage } from "@/components/subscriptions/subscription-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("subscription");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/subscriptions/${encodeURIComponent(id)}`, searchParams));
  return <SubscriptionPage id={id} />;
}
