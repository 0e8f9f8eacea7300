import { notFound } from "next/navigation";
import { requireSession } from "@/app/(dashboard)/session";
import { KeysPage } from "@/components/api-keys/keys-page";
import { addressOf } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("apiKeys");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/developers/keys", searchParams));
  if (!mayCall(role, apiKeyEndpoints.list)) notFound();
  return <KeysPage />;
}
