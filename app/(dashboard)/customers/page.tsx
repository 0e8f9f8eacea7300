import type { Metadata } from "next";
import { CustomersPage } from "@/components/customers/customers-page";
import { addressOf } from "@/components/shell/next-path";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Customers" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/customers", searchParams));
  return <CustomersPage />;
}
