import { notFound } from "next/navigation";
import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/api-keys/route";
import { apiKeyFilters } from "@/components/api-keys/filters";
import { KeysPage } from "@/components/api-keys/keys-page";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { readFilter } from "@/components/ui/list/filter";
import { mayCall } from "@/lib/auth/scopes";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { apiKeysQueryOptions } from "@/lib/resources/api-keys/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("apiKeys");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/developers/keys", searchParams));
  if (!mayCall(role, apiKeyEndpoints.list)) notFound();
  const filter = readFilter(apiKeyFilters, await queryOf(searchParams));
  const rows = apiKeysQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <KeysPage />
    </FirstRows>
  );
}
