import type { Metadata } from "next";
import { RequestPage } from "@/components/requests/request-page";
import { requireSession } from "../../../session";

export const metadata: Metadata = { title: "Request" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSession(`/developers/requests/${encodeURIComponent(id)}`);
  return <RequestPage id={id} />;
}
