import { type Actor, tenantOf } from "@/lib/auth/actor";
import { type AuditEntry, audit } from "@/lib/auth/audit";
import type { AuditAction } from "@/lib/auth/audit-actions";
import { generateKey } from "@/lib/auth/keys";
import { uncoveredScopes } from "@/lib/auth/scopes";
import { type Db, lockUntilCommit, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import type { ApiKey, ApiKeyInput, NewApiKey, RotateInput } from "./contract";
import { apiKeys, usable } from "./resource";

/**
 * Creates a key of the caller's mode. Only this response has the key.
 * @throws ValidationError for scopes or a life beyond the caller's own
 */
export async function createKey(tx: Db, actor: Actor, input: ApiKeyInput): Promise<NewApiKey> {
  const excess = uncoveredScopes(actor.scopes, input.scopes);
  if (excess.length > 0) throw new ValidationError({ scopes: [`The scopes exceed your own: ${excess.join(", ")}.`] });
  if (input.expires_at && input.expires_at.getTime() <= Date.now())
    throw new ValidationError({ expires_at: ["The expires_at must lie in the future."] });
  const until = await expiryOf(tx, actor);
  if (until && input.expires_at && input.expires_at > until)
    throw new ValidationError({ expires_at: ["The expires_at must not be later than that of the key that you use."] });
  return transaction(tx, async (tx) => {
    const made = await insert(tx, actor, { ...input, expires_at: input.expires_at ?? until });
    await auditKey(tx, made, "api_key.created", { after: grantOf(made) });
    return made;
  });
}

const grantOf = ({ name, hint, scopes, expires_at, status }: ApiKey) => ({ name, hint, scopes, expires_at, status });

function auditKey(tx: Db, key: ApiKey, action: AuditAction, what: Pick<AuditEntry, "before" | "after">): Promise<void> {
  const { _id, business_id, livemode, name } = key;
  return audit(tx, business_id, { action, livemode, resource_id: _id, about: name, ...what });
}

/** Each key has a rate limit of its own. */
const maxActiveKeys = 100;

/** The caller's transaction holds the lock, so that concurrent requests cannot exceed the limit. @throws ApiError too_many_api_keys */
async function assertKeyLimit(tx: Db, actor: Actor): Promise<void> {
  const { business_id, livemode } = tenantOf(actor);
  await lockUntilCommit(tx, `api keys ${business_id} ${livemode}`);
  const active = await queryRows(
    tx,
    Prisma.sql`SELECT FROM api_key WHERE ${apiKeys.ownedBy(actor)} AND ${usable} LIMIT ${maxActiveKeys}::int`,
  );
  if (active.length >= maxActiveKeys) throw new ApiError("too_many_api_keys");
}

async function insert(tx: Db, actor: Actor, input: ApiKeyInput): Promise<NewApiKey> {
  await assertKeyLimit(tx, actor);
  const { business_id, livemode } = tenantOf(actor);
  const { key, hint, hash } = generateKey(livemode);
  const scopes = [...new Set(input.scopes)];
  const values = { id: newId("key"), business_id, livemode, ...input, hint, hash, scopes };
  return { ...(await apiKeys.insert(tx, values)), key };
}

/** When the caller's key expires; null if it does not, and for people. */
async function expiryOf(tx: Db, { who }: Actor): Promise<Date | null> {
  if (who.type !== "api_key") return null;
  const key = await tx.apiKey.findUnique({ where: { id: who.id }, select: { expires_at: true } });
  return key?.expires_at ?? null;
}

/**
 * Creates a key that replaces another one. The old one works for some more hours, or until it expires.
 * @throws ApiError not_found, key_not_usable; forbidden where the key may do more than the caller
 */
export async function rotateKey(tx: Db, actor: Actor, id: string, { overlap_hours }: RotateInput): Promise<NewApiKey> {
  const old = await apiKeys.get(tx, actor, id);
  if (uncoveredScopes(actor.scopes, old.scopes).length > 0) throw new ApiError("forbidden");
  return transaction(tx, async (tx) => {
    const [locked] = await queryRows<{ expires_at: Date | null }>(
      tx,
      Prisma.sql`
      SELECT expires_at FROM api_key
       WHERE id = ${id} AND ${apiKeys.ownedBy(actor)} AND ${usable} AND replaced_by IS NULL FOR UPDATE`,
    );
    if (!locked) throw new ApiError("key_not_usable");
    const own = await expiryOf(tx, actor);
    const ends = [locked.expires_at, own].filter((end) => end !== null).sort((a, b) => a.getTime() - b.getTime());
    const next = await insert(tx, actor, { name: old.name, scopes: old.scopes, expires_at: ends[0] ?? null });
    const end = Prisma.sql`least(expires_at, now() + make_interval(hours => ${overlap_hours}::int))`;
    await apiKeys.update(tx, actor, id, Prisma.sql`replaced_by = ${next._id}, expires_at = ${end}`);
    await auditKey(tx, old, "api_key.rotated", {
      before: { key: id, hint: old.hint },
      after: { key: next._id, hint: next.hint, overlap_hours },
    });
    return next;
  });
}

/** Revokes at once: the next request with the key is unauthenticated. @throws ApiError not_found */
export async function revokeKey(tx: Db, actor: Actor, id: string): Promise<ApiKey> {
  apiKeys.checkId(id);
  return transaction(tx, async (tx) => {
    const key = await apiKeys.update(tx, actor, id, Prisma.sql`revoked_at = now()`, Prisma.sql`revoked_at IS NULL`);
    if (!key) return apiKeys.get(tx, actor, id);
    await auditKey(tx, key, "api_key.revoked", { before: { status: "active" }, after: { status: "revoked" } });
    return key;
  });
}
