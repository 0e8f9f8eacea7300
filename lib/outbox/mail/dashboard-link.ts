import type { Tenant } from "@/lib/auth/actor";
import { env } from "@/lib/core/env";

/**
 * The whole address of a page of the dashboard, for a mail: with the mode and the business of what it shows, because whoever
 * opens it may be looking at others (components/shell/right-place.tsx).
 * @param path without a query
 */
export function dashboardLink({ businessId, livemode }: Tenant, path: string): string {
  return `${env().APP_URL}${path}?mode=${livemode ? "live" : "test"}&business=${businessId}`;
}
