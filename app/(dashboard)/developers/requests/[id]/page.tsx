import { notFound } from "next/navigation";
import { RequestPage } from "@/components/requests/request-page";
import { addressOf } from "@/components/shell/next-path";
import { allows, roleScopes } from "@/lib/auth/scopes";
import { titled } from "@/messages/server";
import { requireSession } from "../../../session";

export const generateMetadata = titled("request");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  const { role } = await requireSession(
    await addressOf(`/developers/requests/${encodeURIComponent(id)}`, searchParams),
  );
  if (!allows(roleScopes[role], "requests:read")) notFound();
  return <RequestPage id={id} />;
}
