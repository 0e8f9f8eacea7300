import { createApiKey } from "@/lib/auth/keys";
import { db } from "@/lib/core/db";

export interface Merchant {
  businessId: number;
  /** A test-mode key with every scope that keys have. */
  key: string;
  liveKey: string;
}

/** A business of its own for a test file, so that files run side by side and none sees another's rows. */
export async function createMerchant(name = "Blue Bottle Books"): Promise<Merchant> {
  const business = await db.business.create({ data: { name, timezone: "Europe/Berlin" } });
  const scopes = ["read", "write", "api_keys:write", "gateway_accounts:write", "audit_log:read"];
  const [test, live] = await Promise.all([
    createApiKey({ businessId: business.id, livemode: false, name: "test", scopes }),
    createApiKey({ businessId: business.id, livemode: true, name: "live", scopes }),
  ]);
  return { businessId: business.id, key: test.key, liveKey: live.key };
}

/** A test-mode key with these scopes alone. */
export async function createKey(merchant: Merchant, scopes: string[], expiresAt?: Date): Promise<string> {
  const { key } = await createApiKey({
    businessId: merchant.businessId,
    livemode: false,
    name: scopes.join(" "),
    scopes,
    expiresAt,
  });
  return key;
}
