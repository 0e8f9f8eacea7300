import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ImportPage } from "@/components/payment-links/import-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Import payment links" };

export default async function Page() {
  const { role } = await requireSession("/payment-links/import");
  if (!allows(roleScopes[role], "payment_links:write")) redirect("/payment-links");
  return <ImportPage />;
}
