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

const demoLock = 7_236_970_212; // any number that no other advisory lock uses

/** Four groups of four, without easily confused letters and digits: about 78 bits. */
function readablePassword(): string {
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

/**
 * Creates a demo business, its owner and a test key in an empty database.
 * @param empty whether its test mode gets no data
 * @returns the login, or null when a business already exists
 */
export async function ensureDemo({ empty }: { empty: boolean }): Promise<Demo | null> {
  const password = readablePassword();
  const email = "owner@demo.test";
  const password_hash = await hashPassword(password);
  const businessId = await transaction(db, async (tx) => {
    // If two servers start on an empty database, only one creates the business.
    await execute(tx, Prisma.sql`SELECT pg_advisory_xact_lock(${demoLock}::bigint)`);
    // Takes the lock that the INSERT needs before `findFirst` takes a weaker one. If the job that makes months queued for the table
    // between the two, it and this transaction would wait for each other.
    await execute(tx, Prisma.sql`LOCK TABLE business IN ROW EXCLUSIVE MODE`);
    if ((await tx.business.findFirst({ select: { id: true } })) !== null) return null;
    const business = await tx.business.create({ data: { id: 1, name: "Demo Store" } });
    await execute(tx, Prisma.sql`SELECT setval(pg_get_serial_sequence('business', 'id'), 1)`);
    const owner = { id: newId("usr"), email, name: "Demo Owner", password_hash, email_verified_at: new Date() };
    const user = await tx.user.create({ data: owner });
    await tx.membership.create({ data: { business_id: business.id, user_id: user.id, role: "owner" } });
    return business.id;
  });
  if (businessId === null) return null;
  // A seed failure must not fail the start, or the password would never be shown.
  if (!empty)
    await seedBusiness(businessId).catch((err: unknown) => log.error({ err }, "could not create the demo data"));
  const { key } = await createApiKey({ businessId, livemode: false, name: "demo", scopes: ["read", "write"] });
  return { businessId, email, password, key };
}
