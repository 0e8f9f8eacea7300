import { requireSession } from "@/app/(dashboard)/session";
import { EmailsPage } from "@/components/emails/emails-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("outbox");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/outbox", searchParams));
  return <EmailsPage />;
}
