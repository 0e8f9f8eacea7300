import { requireSession } from "@/app/(dashboard)/session";
import { EmailPage } from "@/components/emails/email-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("email");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/emails/${encodeURIComponent(id)}`, searchParams));
  return <EmailPage id={id} />;
}
