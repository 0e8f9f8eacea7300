import { requireSession } from "@/app/(dashboard)/session";
import { CustomersPage } from "@/components/customers/customers-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("customers");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/customers", searchParams));
  return <CustomersPage />;
}
