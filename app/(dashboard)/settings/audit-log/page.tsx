import { notFound } from "next/navigation";
import { requireSession } from "@/app/(dashboard)/session";
import { AuditPage } from "@/components/audit-log/audit-page";
import { addressOf } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { auditEndpoints } from "@/lib/resources/audit-log/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("auditLog");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/settings/audit-log", searchParams));
  if (!mayCall(role, auditEndpoints.list)) notFound();
  return <AuditPage />;
}
