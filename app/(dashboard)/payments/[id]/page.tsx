import { requireSession } from "@/app/(dashboard)/session";
import { PaymentPage } from "@/components/payments/payment-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("payment");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/payments/${encodeURIComponent(id)}`, searchParams));
  return <PaymentPage id={id} />;
}
