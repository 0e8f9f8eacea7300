import { notFound } from "next/navigation";
import { RequestsPage } from "@/components/requests/requests-page";
import { addressOf } from "@/components/shell/next-path";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("requests");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/developers/requests", searchParams));
  if (!allows(roleScopes[role], "requests:read")) notFound();
  return <RequestsPage />;
}
