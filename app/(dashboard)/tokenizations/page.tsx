import type { Metadata } from "next";
import { addressOf } from "@/components/shell/next-path";
import { TokenizationsPage } from "@/components/tokenizations/tokenizations-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Tokenizations" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/tokenizations", searchParams));
  return <TokenizationsPage canWrite={allows(roleScopes[role], "tokenizations:write")} />;
}
