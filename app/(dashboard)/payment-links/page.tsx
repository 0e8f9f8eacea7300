import { requireSession } from "@/app/(dashboard)/session";
import { PaymentLinksPage } from "@/components/payment-links/payment-links-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("paymentLinks");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/payment-links", searchParams));
  return <PaymentLinksPage />;
}
