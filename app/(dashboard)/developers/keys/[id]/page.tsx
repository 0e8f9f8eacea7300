import { notFound } from "next/navigation";
import { requireSession } from "@/app/(dashboard)/session";
import { KeyPage } from "@/components/api-keys/key-page";
import { addressOf } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("apiKey");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  const { role } = await requireSession(await addressOf(`/developers/keys/${encodeURIComponent(id)}`, searchParams));
  if (!mayCall(role, apiKeyEndpoints.get)) notFound();
  return <KeyPage id={id} />;
}
