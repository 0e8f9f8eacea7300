import { notFound } from "next/navigation";
import { requireSession } from "@/app/(dashboard)/session";
import { RequestPage } from "@/components/requests/request-page";
import { addressOf } from "@/components/shell/next-path";
import { mayCall } from "@/lib/auth/scopes";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("request");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  const { role } = await requireSession(
    await addressOf(`/developers/requests/${encodeURIComponent(id)}`, searchParams),
  );
  if (!mayCall(role, requestEndpoints.get)) notFound();
  return <RequestPage id={id} />;
}
