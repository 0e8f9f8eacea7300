import { createApiKey } from "@/lib/auth/keys";
import { db } from "@/lib/core/db";

export interface Merchant {
  businessId: number;
  /** A test-mode key with all scopes of keys. */
  key: string;
  liveKey: string;
}

/** Creates a business. Each test file has its own, so that files run in parallel and never share rows. */
export async function createMerchant(name = "Blue Bottle Books"): Promise<Merchant> {
  // Reads the id alone: the cluster's test of an upgrade begins with a database without the newest columns.
  const business = await db.business.create({ data: { name, timezone: "Europe/Berlin" }, select: { id: true } });
  const scopes = [
    "read",
    "write",
    "api_keys:write",
    "gateway_accounts:write",
    "audit_log:read",
    "manual_payments:write",
  ];
  const [test, live] = await Promise.all([
    createApiKey({ businessId: business.id, livemode: false, name: "test", scopes }),
    createApiKey({ businessId: business.id, livemode: true, name: "live", scopes }),
  ]);
  return { businessId: business.id, key: test.key, liveKey: live.key };
}

/** In test mode, unless it is to be a live key. */
export async function createKey(
  { businessId }: Merchant,
  scopes: string[],
  { livemode = false, expiresAt }: { livemode?: boolean; expiresAt?: Date } = {},
): Promise<string> {
  const { key } = await createApiKey({ businessId, livemode, name: scopes.join(" "), scopes, expiresAt });
  return key;
}
