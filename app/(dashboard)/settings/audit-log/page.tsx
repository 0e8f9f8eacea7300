import { notFound } from "next/navigation";
import { FirstRows } from "@/app/(dashboard)/first-rows";
import { currentTimeZone, requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/audit-log/route";
import { AuditPage } from "@/components/audit-log/audit-page";
import { auditFilters } from "@/components/audit-log/filters";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { daysAsInstants, readFilter } from "@/components/ui/list/filter";
import { mayCall } from "@/lib/auth/scopes";
import { auditEndpoints } from "@/lib/resources/audit-log/contract";
import { auditLogQueryOptions } from "@/lib/resources/audit-log/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("auditLog");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/settings/audit-log", searchParams));
  if (!mayCall(role, auditEndpoints.list)) notFound();
  const filter = readFilter(auditFilters, await queryOf(searchParams));
  const rows = auditLogQueryOptions(daysAsInstants(filter, await currentTimeZone()));
  return (
    <FirstRows reads={[[GET, rows]]}>
      <AuditPage />
    </FirstRows>
  );
}
