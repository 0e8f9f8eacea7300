import { requireSession } from "@/app/(dashboard)/session";
import { PackagePage } from "@/components/packages/package-page";
import { addressOf } from "@/components/shell/next-path";
import { titled } from "@/messages/server";

export const generateMetadata = titled("package");

type Query = Promise<Record<string, string | string[]>>;

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }>; searchParams: Query }) {
  const { id } = await params;
  await requireSession(await addressOf(`/packages/${encodeURIComponent(id)}`, searchParams));
  return <PackagePage id={id} />;
}
