import type { Tenant } from "@/lib/auth/actor";
import { env } from "@/lib/core/env";

/**
 * The URL of a dashboard page, for a mail. It names mode and business, because the reader's dashboard may show others
 * (components/shell/addressed-tenant.tsx).
 * @param path without a query
 */
export function dashboardLink({ businessId, livemode }: Tenant, path: string): string {
  return `${env().APP_URL}${path}?mode=${livemode ? "live" : "test"}&business=${businessId}`;
}
