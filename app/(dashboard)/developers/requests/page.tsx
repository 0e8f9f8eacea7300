import { notFound } from "next/navigation";
import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/requests/route";
import { requestFilters, requestsAsked } from "@/components/requests/filters";
import { RequestsPage } from "@/components/requests/requests-page";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { readFilter } from "@/components/ui/list/filter";
import { mayCall } from "@/lib/auth/scopes";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { requestsQueryOptions } from "@/lib/resources/requests/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("requests");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/developers/requests", searchParams));
  if (!mayCall(role, requestEndpoints.list)) notFound();
  const filter = readFilter(requestFilters, await queryOf(searchParams));
  const rows = requestsQueryOptions(requestsAsked(filter));
  return (
    <FirstRows reads={[[GET, rows]]}>
      <RequestsPage />
    </FirstRows>
  );
}
