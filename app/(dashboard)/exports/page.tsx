import { openPage, type PageProps, titledFor } from "@/app/(dashboard)/dashboard-page";
import { NotAllowed } from "@/app/(dashboard)/not-allowed";
import { ExportsPage } from "@/components/exports/exports-page";
import { mayCall } from "@/lib/auth/scopes";
import { exportEndpoints } from "@/lib/resources/reports/export-contract";

export const generateMetadata = titledFor(exportEndpoints.export, "exports");

export default async function Page({ searchParams }: PageProps) {
  const { role } = await openPage("/exports", searchParams);
  return mayCall(role, exportEndpoints.export) ? <ExportsPage /> : <NotAllowed />;
}
