import type { Metadata } from "next";
import { EndpointPage } from "@/components/webhooks/endpoint-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../../session";

export const metadata: Metadata = { title: "Webhook endpoint" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requireSession(`/developers/webhooks/${encodeURIComponent(id)}`);
  return <EndpointPage id={id} canWrite={allows(roleScopes[role], "webhook_endpoints:write")} />;
}
