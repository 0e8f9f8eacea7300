import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AuditPage } from "@/components/audit/audit-page";
import { addressOf } from "@/components/shell/next-path";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Audit log" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/settings/audit-log", searchParams));
  if (!allows(roleScopes[role], "audit_log:read")) notFound();
  return <AuditPage />;
}
