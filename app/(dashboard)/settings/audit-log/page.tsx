import { notFound } from "next/navigation";
import { AuditPage } from "@/components/audit/audit-page";
import { addressOf } from "@/components/shell/next-path";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("auditLog");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/settings/audit-log", searchParams));
  if (!allows(roleScopes[role], "audit_log:read")) notFound();
  return <AuditPage />;
}
