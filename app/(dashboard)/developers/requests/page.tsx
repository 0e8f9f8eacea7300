import { RequestsPage } from "@/components/requests/requests-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("requests");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/developers/requests", searchParams));
  return <RequestsPage />;
}
