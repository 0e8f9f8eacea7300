import { openPage, type PageProps } from "@/app/(dashboard)/dashboard-page";
import { FirstData } from "@/app/(dashboard)/first-data";
import { SettingsPage } from "@/components/settings/settings-page";
import { mayCall } from "@/lib/auth/scopes";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import { connectedAccountsQueryOptions } from "@/lib/resources/gateway-accounts/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("settings");

/** The frame has the settings themselves. */
export default async function Page({ searchParams }: PageProps) {
  const { role } = await openPage("/settings", searchParams);
  if (!mayCall(role, gatewayAccountEndpoints.list)) return <SettingsPage />;
  return (
    <FirstData load={(run) => run(connectedAccountsQueryOptions())}>
      <SettingsPage />
    </FirstData>
  );
}
