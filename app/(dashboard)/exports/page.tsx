import { openPage, type PageProps, titledFor } from "@/app/(dashboard)/dashboard-page";
import { ExportsPage } from "@/components/exports/exports-page";
import { exportEndpoints } from "@/lib/resources/reports/export-contract";

export const generateMetadata = titledFor(exportEndpoints.export, "exports");

export default async function Page({ searchParams }: PageProps) {
  await openPage("/exports", searchParams, exportEndpoints.export);
  return <ExportsPage />;
}
