import type { Actor, Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import type { Page } from "@/lib/http/handle";
import { addJob } from "@/lib/outbox/jobs";
import { record } from "@/lib/outbox/record";
import type { Tokenization, TokenizationInput, TokenizationListQuery } from "./contract";
import { eventTokenization, newTokenization, serializeTokenization, tokenizations } from "./resource";

/** @throws ApiError not_found */
export async function getTokenization(tx: Db, tenant: Tenant, id: string): Promise<Tokenization> {
  return serializeTokenization(await tokenizations.get(tx, tenant, id));
}

export async function listTokenizations(
  tx: Db,
  tenant: Tenant,
  query: TokenizationListQuery,
): Promise<Page<Tokenization>> {
  const { rows, page } = await tokenizations.list(tx, tenant, query);
  return { rows: rows.map(serializeTokenization), page };
}

/** Creates a tokenization, at whose activation URL the payer can save a card. */
export async function createTokenization(tx: Db, actor: Tenant, input: TokenizationInput): Promise<Tokenization> {
  return transaction(tx, async (tx) => {
    const created = await tokenizations.insert(tx, newTokenization(actor, input));
    await record(tx, actor, [{ type: "tokenization.created", data: eventTokenization(created) }]);
    return serializeTokenization(created);
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
      return serializeTokenization(revoked);
    }
    const current = await getTokenization(tx, actor, id);
    if (current.status === "revoked") return current;
    throw new ApiError("conflict", `A tokenization that is ${current.status} has no card to revoke.`);
  });
}
