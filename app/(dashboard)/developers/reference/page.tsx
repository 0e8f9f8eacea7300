import { openPage, type PageProps } from "@/app/(dashboard)/dashboard-page";
import { callableSections } from "@/components/reference/callable";
import { TryPage } from "@/components/reference/try-page";
import { titled } from "@/messages/server";

export const generateMetadata = titled("reference");

export default async function Page({ searchParams }: PageProps) {
  await openPage("/developers/reference", searchParams);
  return <TryPage sections={callableSections()} />;
}
