import type { Metadata } from "next";
import { PaymentLinksPage } from "@/components/payment-links/payment-links-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Payment links" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await searchParams)) if (typeof value === "string") query.set(name, value);
  const { role } = await requireSession(`/payment-links${query.size > 0 ? `?${query}` : ""}`);
  return <PaymentLinksPage canWrite={allows(roleScopes[role], "payment_links:write")} />;
}
