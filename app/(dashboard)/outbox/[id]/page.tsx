import type { Metadata } from "next";
import { EmailPage } from "@/components/emails/email-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "E-mail" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requireSession(`/outbox/${encodeURIComponent(id)}`);
  return <EmailPage id={id} canWrite={allows(roleScopes[role], "emails:write")} />;
}
