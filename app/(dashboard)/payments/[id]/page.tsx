import type { Metadata } from "next";
import { PaymentPage } from "@/components/payments/payment-page";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Payment" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requireSession(`/payments/${encodeURIComponent(id)}`);
  return <PaymentPage id={id} canWrite={allows(roleScopes[role], "refunds:write")} />;
}
