import { addressOf } from "@/components/shell/next-path";
import { TokenizationsPage } from "@/components/tokenizations/tokenizations-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../session";

export const generateMetadata = titled("tokenizations");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/tokenizations", searchParams));
  return <TokenizationsPage canWrite={allows(roleScopes[role], "tokenizations:write")} />;
}
