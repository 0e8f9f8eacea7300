import { notFound } from "next/navigation";
import { KeysPage } from "@/components/api-keys/keys-page";
import { addressOf } from "@/components/shell/next-path";
import { apiKeyEndpoints } from "@/lib/api-keys/contract";
import { mayCall } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../session";

export const generateMetadata = titled("apiKeys");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { role } = await requireSession(await addressOf("/developers/keys", searchParams));
  if (!mayCall(role, apiKeyEndpoints.list)) notFound();
  return <KeysPage />;
}
