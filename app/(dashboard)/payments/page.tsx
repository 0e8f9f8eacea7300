import { requireSession } from "@/app/(dashboard)/session";
import { PaymentsPage } from "@/components/payments/payments-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("payments");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/payments", searchParams));
  return <PaymentsPage />;
}
