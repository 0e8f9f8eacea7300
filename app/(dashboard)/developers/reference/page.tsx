import type { Metadata } from "next";
import { TryPage } from "@/components/reference/try-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "API reference" };

export default async function Page() {
  const { role } = await requireSession("/developers/reference");
  return <TryPage canMakeKey={allows(roleScopes[role], "api_keys:write")} />;
}
