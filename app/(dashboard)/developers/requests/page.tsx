import type { Metadata } from "next";
import { RequestsPage } from "@/components/requests/requests-page";
import { addressOf } from "@/components/shell/next-path";
import { requireSession } from "../../session";

export const metadata: Metadata = { title: "Requests" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/developers/requests", searchParams));
  return <RequestsPage />;
}
