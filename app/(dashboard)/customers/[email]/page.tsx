import { CustomerPage } from "@/components/customers/customer-page";
import { addressOf } from "@/components/shell/next-path";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("customer");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ email: string }>;
  searchParams: Query;
}) {
  const email = decoded((await params).email);
  const { role } = await requireSession(await addressOf(`/customers/${encodeURIComponent(email)}`, searchParams));
  const can = (scope: "payment_links:write" | "tokenizations:write") => allows(roleScopes[role], scope);
  return <CustomerPage email={email} can={{ links: can("payment_links:write"), cards: can("tokenizations:write") }} />;
}

/** The framework gives a page's parameter as it stands in the address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
