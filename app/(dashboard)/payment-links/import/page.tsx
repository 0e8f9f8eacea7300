import { redirect } from "next/navigation";
import { openPage } from "@/app/(dashboard)/dashboard-page";
import { ImportPage } from "@/components/payment-links/import-page";
import type { SearchParams } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("importPaymentLinks");

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { role } = await openPage("/payment-links/import", searchParams);
  if (!mayCall(role, paymentLinkEndpoints.create)) redirect("/payment-links");
  return <ImportPage />;
}
