import { openPage, type PageProps } from "@/app/(dashboard)/dashboard-page";
import { ExportsPage } from "@/components/exports/exports-page";
import { exportEndpoints } from "@/lib/resources/reports/export-contract";
import { titled } from "@/messages/server";

export const generateMetadata = titled("exports");

export default async function Page({ searchParams }: PageProps) {
  await openPage("/exports", searchParams, exportEndpoints.export);
  return <ExportsPage />;
}
