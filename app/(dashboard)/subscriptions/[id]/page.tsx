import { addressOf } from "@/components/shell/next-path";
import { SubscriptionPage } from "@/components/subscriptions/subscription-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("subscription");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  const { role } = await requireSession(await addressOf(`/subscriptions/${encodeURIComponent(id)}`, searchParams));
  return <SubscriptionPage id={id} canWrite={allows(roleScopes[role], "subscriptions:write")} />;
}
