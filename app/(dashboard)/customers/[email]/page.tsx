import type { Metadata } from "next";
import { CustomerPage } from "@/components/customers/customer-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Customer" };

export default async function Page({ params }: { params: Promise<{ email: string }> }) {
  const email = decoded((await params).email);
  const { role } = await requireSession(`/customers/${encodeURIComponent(email)}`);
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
