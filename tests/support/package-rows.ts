import { newToken } from "@/lib/auth/token";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Package, Tokenization } from "@/lib/generated/prisma/client";
import { sealToken } from "@/lib/resources/tokenizations/resource";
import type { Staff } from "./staff";

export function makePackage({ businessId }: Staff, over: Partial<Package> = {}): Promise<Package> {
  return db.package.create({
    data: {
      id: newId("pkg"),
      business_id: businessId,
      livemode: false,
      name: "Reading club",
      amount_cents: 1500,
      currency: "EUR",
      frequency: "monthly",
      ...over,
    },
  });
}

export function subscribe({ businessId }: Staff, pkg: Package, email: string, status = "active"): Promise<unknown> {
  const anchor = { anchor: "2026-01-31T00:00:00", timezone: "Europe/Berlin" };
  return db.subscription.create({
    data: { id: newId("sub"), business_id: businessId, livemode: false, package_id: pkg.id, email, status, ...anchor },
  });
}

export async function makeTokenization(
  { businessId }: Staff,
  over: Partial<Tokenization> = {},
): Promise<Tokenization & { token: string }> {
  const id = newId("tkn");
  const { token } = newToken();
  const row = await db.tokenization.create({
    data: {
      id,
      business_id: businessId,
      livemode: false,
      email: "ada@example.com",
      title: "Card on file",
      description: "For later orders",
      ...sealToken(id, token),
      expires_at: new Date(Date.now() + 86_400_000),
      ...over,
    },
  });
  return { ...row, token };
}

/** The columns of a saved card. The gateway does not know it. */
export const saved = {
  status: "active",
  activated_at: new Date(),
  card_brand: "visa",
  card_last4: "4242",
  card_exp_month: 12,
  card_exp_year: 2040,
};
