import { notFound } from "next/navigation";
import { RequestsPage } from "@/components/requests/requests-page";
import { addressOf } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { requestEndpoints } from "@/lib/requests/contract";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("requests");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/developers/requests", searchParams));
  if (!mayCall(role, requestEndpoints.list)) notFound();
  return <RequestsPage />;
}
