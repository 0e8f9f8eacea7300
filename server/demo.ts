import { randomInt } from "node:crypto";
import { createApiKey } from "@/lib/auth/keys";
import { hashPassword } from "@/lib/auth/password";
import { db, execute, Prisma, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { seedBusiness } from "./seed/seed";

export interface Demo {
  businessId: number;
  email: string;
  password: string;
  key: string;
}

/** Four groups of four, without letters and digits that are easily taken for each other: some 78 bits. */
function readablePassword(): string {
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

/**
 * Gives an empty database a business to look around in, its owner and a test key.
 * @param empty whether its test mode is left without data
 * @returns what to show once, or null when there is a business already
 */
export async function ensureDemo({ empty }: { empty: boolean }): Promise<Demo | null> {
  const password = readablePassword();
  const email = "owner@demo.test";
  const password_hash = await hashPassword(password);
  const businessId = await transaction(db, async (tx) => {
    // Two servers on an empty database: one makes the business, the other sees it.
    await execute(tx, Prisma.sql`SELECT pg_advisory_xact_lock(7236970212)`);
    if ((await tx.business.findFirst({ select: { id: true } })) !== null) return null;
    const business = await tx.business.create({ data: { id: 1, name: "Demo Store" } });
    await execute(tx, Prisma.sql`SELECT setval(pg_get_serial_sequence('business', 'id'), 1)`);
    const user = await tx.user.create({ data: { id: newId("usr"), email, name: "Demo Owner", password_hash } });
    await tx.membership.create({ data: { business_id: business.id, user_id: user.id, role: "owner" } });
    return business.id;
  });
  if (businessId === null) return null;
  // A business without data is better than a start that fails, and a password that is never shown.
  if (!empty)
    await seedBusiness(businessId).catch((err: unknown) => log.error({ err }, "could not make the demo data"));
  const { key } = await createApiKey({ businessId, livemode: false, name: "demo", scopes: ["read", "write"] });
  return { businessId, email, password, key };
}
