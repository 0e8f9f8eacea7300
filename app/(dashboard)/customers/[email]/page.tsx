import { openPage } from "@/app/(dashboard)/dashboard-page";
import { CustomerPage } from "@/components/customers/customer-page";
import type { SearchParams } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("customer");

interface PageProps {
  params: Promise<{ email: string }>;
  searchParams: SearchParams;
}

export default async function Page({ params, searchParams }: PageProps) {
  const email = decoded((await params).email);
  await openPage(`/customers/${encodeURIComponent(email)}`, searchParams);
  return <CustomerPage email={email} />;
}

/** The framework does not decode path parameters. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
