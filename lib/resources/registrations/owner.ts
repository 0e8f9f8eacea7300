import { randomBytes } from "node:crypto";
import { hashPassword } from "@/lib/auth/password";
import { type Db, isUniqueViolation, transaction } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { createPasswordReset, insertBusiness } from "./service";

interface Owner {
  email: string;
  name: string;
  business: string;
  currency: string;
  timezone: string;
}

/**
 * Creates a business and its owner. The account's first password is random and shown to nobody. The operator passes on the link
 * (scripts/owner.ts) by which the owner sets a password and confirms the address.
 * @throws Error if the address has an account or PostgreSQL does not know the time zone
 */
export async function createOwner(tx: Db, given: Owner): Promise<{ businessId: number; email: string; url: string }> {
  const { name, business, currency, timezone } = given;
  const email = given.email.toLowerCase();
  const password_hash = await hashPassword(randomBytes(32).toString("base64url"));
  try {
    return await transaction(tx, async (tx) => {
      const user = await tx.user.create({ data: { id: newId("usr"), email, name, password_hash } });
      const { id: businessId } = await insertBusiness(tx, { name: business, currency, timezone }, user.id);
      return { businessId, email, url: (await createPasswordReset(tx, user.id)).url };
    });
  } catch (error) {
    if (error instanceof ValidationError) throw new Error(Object.values(error.errors).flat().join(" "));
    if (isUniqueViolation(error))
      throw new Error(
        `${email} has an account already. That person can sign in and create the business. To reset their password, run reset-password.`,
      );
    throw error;
  }
}
