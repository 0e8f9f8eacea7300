import { requireSession } from "@/app/(dashboard)/session";
import { addressOf } from "@/components/shell/next-path";
import { TokenizationPage } from "@/components/tokenizations/tokenization-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("tokenization");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/tokenizations/${encodeURIComponent(id)}`, searchParams));
  return <TokenizationPage id={id} />;
}
