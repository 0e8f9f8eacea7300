import { randomBytes } from "node:crypto";
import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { addJob } from "@/lib/outbox/jobs";
import { record } from "@/lib/outbox/record";
import type { Tokenization, TokenizationInput } from "./contract";
import { eventTokenization, tokenizations } from "./resource";

const activationHours = 24;

/** Creates a token (256 random bits). The payer can save a card at its activation URL for 24 hours. */
export async function createTokenization(tx: Db, actor: Tenant, input: TokenizationInput): Promise<Tokenization> {
  const token = randomBytes(32).toString("base64url");
  const expires_at = new Date(clock.now().getTime() + activationHours * 3_600_000);
  return transaction(tx, async (tx) => {
    const values = { id: newId("tkn"), ...tenantOf(actor), ...input, token, expires_at };
    const created = await tokenizations.insert(tx, values);
    await record(tx, actor, [{ type: "tokenization.created", data: eventTokenization(created) }]);
    return created;
  });
}

/**
 * Revokes a saved card. A job detaches it at the gateway, so that this never waits for the gateway. Revoking it again changes nothing.
 * @throws ApiError not_found, conflict unless there is a card to revoke
 */
export async function revokeTokenization(tx: Db, actor: Actor, id: string): Promise<Tokenization> {
  tokenizations.checkId(id);
  return transaction(tx, async (tx) => {
    const to = Prisma.sql`status = 'revoked'`;
    const revoked = await tokenizations.update(tx, actor, id, to, Prisma.sql`status = 'active'`);
    if (revoked) {
      await record(tx, actor, [{ type: "tokenization.revoked", data: eventTokenization(revoked) }]);
      await addJob(tx, "detach_card", { tokenization: id });
      return revoked;
    }
    const current = await tokenizations.get(tx, actor, id);
    if (current.status === "revoked") return current;
    throw new ApiError("conflict", `A tokenization that is ${current.status} has no card to revoke.`);
  });
}
