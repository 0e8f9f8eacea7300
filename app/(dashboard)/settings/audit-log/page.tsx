import { notFound } from "next/navigation";
import { AuditPage } from "@/components/audit/audit-page";
import { addressOf } from "@/components/shell/next-path";
import { auditEndpoints } from "@/lib/audit/contract";
import { mayCall } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("auditLog");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/settings/audit-log", searchParams));
  if (!mayCall(role, auditEndpoints.list)) notFound();
  return <AuditPage />;
}
