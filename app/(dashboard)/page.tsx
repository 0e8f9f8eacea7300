import { OverviewPage } from "@/components/overview/overview-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";
import { requireSession } from "./session";

export const generateMetadata = titled("overview");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/", searchParams));
  return <OverviewPage />;
}
