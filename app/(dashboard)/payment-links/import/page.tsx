import { redirect } from "next/navigation";
import { requireSession } from "@/app/(dashboard)/session";
import { ImportPage } from "@/components/payment-links/import-page";
import { addressOf } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("importPaymentLinks");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  const { role } = await requireSession(await addressOf("/payment-links/import", searchParams));
  if (!mayCall(role, paymentLinkEndpoints.create)) redirect("/payment-links");
  return <ImportPage />;
}
