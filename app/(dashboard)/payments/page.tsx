import type { Metadata } from "next";
import { PaymentsPage } from "@/components/payments/payments-page";
import { addressOf } from "@/components/shell/next-path";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Payments" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/payments", searchParams));
  return <PaymentsPage />;
}
