import type { Metadata } from "next";
import { EmailsPage } from "@/components/emails/emails-page";
import { addressOf } from "@/components/shell/next-path";
import { requireSession } from "../session";

export const metadata: Metadata = { title: "Outbox" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/outbox", searchParams));
  return <EmailsPage />;
}
