import { notFound } from "next/navigation";
import { requireSession } from "@/app/(dashboard)/session";
import { RequestsPage } from "@/components/requests/requests-page";
import { addressOf } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("requests");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/developers/requests", searchParams));
  if (!mayCall(role, requestEndpoints.list)) notFound();
  return <RequestsPage />;
}
