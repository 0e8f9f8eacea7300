import { requireSession } from "@/app/(dashboard)/session";
import { PaymentLinkPage } from "@/components/payment-links/payment-link-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("paymentLink");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/payment-links/${encodeURIComponent(id)}`, searchParams));
  return <PaymentLinkPage id={id} />;
}
