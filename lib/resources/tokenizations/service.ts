import { randomBytes } from "node:crypto";
import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import type { Tokenization, TokenizationInput } from "./contract";
import { tokenizations, toldTokenization } from "./resource";

const activationHours = 24;

/** Creates a token (256 random bits) and the address on which the payer activates it, within 24 hours. */
export async function createTokenization(tx: Db, actor: Actor, input: TokenizationInput): Promise<Tokenization> {
  const token = randomBytes(32).toString("base64url");
  const expires_at = new Date(clock.now().getTime() + activationHours * 3_600_000);
  return transaction(tx, async (tx) => {
    const values = { id: newId("tkn"), ...tenantOf(actor), ...input, token, expires_at };
    const created = await tokenizations.insert(tx, values);
    await record(tx, actor, [{ type: "tokenization.created", data: toldTokenization(created) }]);
    return created;
  });
}

/**
 * Makes a saved card unusable. Revoking again changes nothing.
 * @throws ApiError not_found, conflict when there is no card to revoke (contract: only active moves to revoked)
 */
export async function revokeTokenization(tx: Db, actor: Actor, id: string): Promise<Tokenization> {
  tokenizations.checkId(id);
  return transaction(tx, async (tx) => {
    const to = Prisma.sql`status = 'revoked'`;
    const revoked = await tokenizations.update(tx, actor, id, to, Prisma.sql`status = 'active'`);
    if (revoked) {
      await record(tx, actor, [{ type: "tokenization.revoked", data: toldTokenization(revoked) }]);
      return revoked;
    }
    const current = await tokenizations.get(tx, actor, id);
    if (current.status === "revoked") return current;
    throw new ApiError("conflict", `A tokenization that is ${current.status} has no card to revoke.`);
  });
}
