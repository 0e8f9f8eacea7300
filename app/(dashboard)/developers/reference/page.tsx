import { requireSession } from "@/app/(dashboard)/session";
import { TryPage } from "@/components/reference/try-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("reference");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ searchParams }: { searchParams: Query }) {
  await requireSession(await addressOf("/developers/reference", searchParams));
  return <TryPage />;
}
