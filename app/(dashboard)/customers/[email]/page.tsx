import { requireSession } from "@/app/(dashboard)/session";
import { CustomerPage } from "@/components/customers/customer-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("customer");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ email: string }>;
  searchParams: Query;
}) {
  const email = decoded((await params).email);
  await requireSession(await addressOf(`/customers/${encodeURIComponent(email)}`, searchParams));
  return <CustomerPage email={email} />;
}

/** The framework gives a page's parameter as it stands in the address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
