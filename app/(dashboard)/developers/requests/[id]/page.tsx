import { RequestPage } from "@/components/requests/request-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";
import { requireSession } from "../../../session";

export const generateMetadata = titled("request");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/developers/requests/${encodeURIComponent(id)}`, searchParams));
  return <RequestPage id={id} />;
}
