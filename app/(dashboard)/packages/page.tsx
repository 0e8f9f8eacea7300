import { requireSession } from "@/app/(dashboard)/session";
import { PackagesPage } from "@/components/packages/packages-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("packages");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/packages", searchParams));
  return <PackagesPage />;
}
