import { requireSession } from "@/app/(dashboard)/session";
import { addressOf } from "@/components/shell/next-path";
import { TokenizationsPage } from "@/components/tokenizations/tokenizations-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("tokenizations");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/tokenizations", searchParams));
  return <TokenizationsPage />;
}
