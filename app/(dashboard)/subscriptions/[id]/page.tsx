import type { Metadata } from "next";
import { SubscriptionPage } from "@/components/subscriptions/subscription-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Subscription" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requireSession(`/subscriptions/${encodeURIComponent(id)}`);
  return <SubscriptionPage id={id} canWrite={allows(roleScopes[role], "subscriptions:write")} />;
}
