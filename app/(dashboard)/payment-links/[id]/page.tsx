import type { Metadata } from "next";
import { PaymentLinkPage } from "@/components/payment-links/payment-link-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Payment link" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requireSession(`/payment-links/${encodeURIComponent(id)}`);
  return <PaymentLinkPage id={id} canWrite={allows(roleScopes[role], "payment_links:write")} />;
}
