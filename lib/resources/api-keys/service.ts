import { type Actor, tenantOf } from "@/lib/auth/actor";
import { type AuditEntry, audit } from "@/lib/auth/audit";
import type { AuditAction } from "@/lib/auth/audit-actions";
import { generateKey } from "@/lib/auth/keys";
import { assertStillActive, lockMembership, lockPerson } from "@/lib/auth/membership";
import { uncoveredScopes } from "@/lib/auth/scopes";
import { type Db, execute, lockUntilCommit, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, invalidSelection, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { coverRanges, parseRange } from "@/lib/core/ip-ranges";
import { ownedByBusiness } from "@/lib/resources/define";
import type { ApiKey, ApiKeyInput, NewApiKey, RotateInput } from "./contract";
import { apiKeys, usable } from "./resource";

/**
 * Creates a key of the caller's mode. Only this response has the key.
 * @throws ValidationError for scopes, a life or networks beyond the caller's own
 */
export async function createKey(tx: Db, actor: Actor, input: ApiKeyInput): Promise<NewApiKey> {
  const excess = uncoveredScopes(actor.scopes, input.scopes);
  if (excess.length > 0) throw new ValidationError({ scopes: [`The scopes exceed your own: ${excess.join(", ")}.`] });
  if (input.expires_at && input.expires_at.getTime() <= Date.now())
    throw new ValidationError({ expires_at: ["The expires_at must lie in the future."] });
  const ranges = input.allowed_ips.map(parseRange);
  const bad = input.allowed_ips.filter((_, index) => ranges[index] === null);
  if (bad.length > 0)
    throw new ValidationError({ allowed_ips: [`Not an IP address or CIDR range: ${bad.join(", ")}.`] });
  const own = await limitsOf(tx, actor);
  if (own.expires_at && input.expires_at && input.expires_at > own.expires_at)
    throw new ValidationError({ expires_at: ["The expires_at must not be later than that of the key that you use."] });
  const given = [...new Set(ranges.filter((range) => range !== null))];
  const allowed_ips = given.length > 0 ? given : own.allowed_ips;
  if (!areWithin(own.allowed_ips, allowed_ips))
    throw new ValidationError({ allowed_ips: ["The allowed_ips must be within those of the key that you use."] });
  return transaction(tx, async (tx) => {
    await lockMaker(tx, actor, own);
    const expires_at = input.expires_at ?? own.expires_at;
    const made = await insert(tx, actor, { ...input, ...own, expires_at, allowed_ips });
    await auditKey(tx, made, "api_key.created", { after: grantOf(made) });
    return made;
  });
}

/** Whether networks are within the caller's own. No networks are all networks. */
const areWithin = (own: readonly string[], networks: readonly string[]): boolean =>
  own.length === 0 || (networks.length > 0 && coverRanges(own, networks));

const grantOf = ({ name, hint, scopes, expires_at, status, allowed_ips, created_by_name: created_by }: ApiKey) => ({
  ...{ name, hint, scopes, expires_at, status, allowed_ips, created_by },
});

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

async function insert(tx: Db, actor: Actor, input: ApiKeyInput & { created_by: string | null }): Promise<NewApiKey> {
  await assertKeyLimit(tx, actor);
  await assertStillActive(tx, actor); // after the last lock
  const { business_id, livemode } = tenantOf(actor);
  const { key, hint, hash } = generateKey(livemode);
  const scopes = [...new Set(input.scopes)];
  const values = { id: newId("key"), business_id, livemode, ...input, hint, hash, scopes };
  return { ...(await apiKeys.insert(tx, values)), key };
}

/** What a key that the caller creates has at most. A key that a key creates has the same person as its creator. */
async function limitsOf(tx: Db, { who }: Actor) {
  if (who.type === "user") return { created_by: who.id, expires_at: null, allowed_ips: [] };
  return tx.apiKey.findUniqueOrThrow({
    where: { id: who.id },
    select: { created_by: true, expires_at: true, allowed_ips: true },
  });
}

/**
 * So that the removal of a key's maker, or a reset of an account that was never confirmed, ends the key, too.
 * @throws ApiError forbidden if the maker is no member any more, unauthenticated if the caller's session or key has ended
 */
async function lockMaker(tx: Db, actor: Actor, { created_by }: { created_by: string | null }): Promise<void> {
  if (!created_by) return;
  await lockPerson(tx, actor, created_by);
  await lockMembership(tx, tenantOf(actor).business_id, created_by);
}

/**
 * Creates a key that replaces another one. The old one works for some more hours, or until it expires.
 * @throws ApiError not_found, key_not_usable; forbidden where the key may do more, or from more networks, than the caller
 */
export async function rotateKey(tx: Db, actor: Actor, id: string, { overlap_hours }: RotateInput): Promise<NewApiKey> {
  const old = await apiKeys.get(tx, actor, id);
  if (uncoveredScopes(actor.scopes, old.scopes).length > 0) throw new ApiError("forbidden");
  return transaction(tx, async (tx) => {
    const own = await limitsOf(tx, actor);
    await lockMaker(tx, actor, own); // before the key, as a removal does
    const [locked] = await queryRows<{ expires_at: Date | null }>(
      tx,
      Prisma.sql`
      SELECT expires_at FROM api_key
       WHERE id = ${id} AND ${apiKeys.ownedBy(actor)} AND ${usable} AND replaced_by IS NULL FOR UPDATE`,
    );
    if (!locked) throw new ApiError("key_not_usable");
    if (!areWithin(own.allowed_ips, old.allowed_ips)) throw new ApiError("forbidden");
    const ends = [locked.expires_at, own.expires_at].filter((end) => end !== null);
    const expires_at = ends.sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
    const { name, scopes, allowed_ips } = old;
    const next = await insert(tx, actor, { name, scopes, allowed_ips, expires_at, created_by: own.created_by });
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
    await auditKey(tx, key, "api_key.revoked", revoked);
    return key;
  });
}

const revoked = { before: { status: "active" }, after: { status: "revoked" } };

const usableOf = (businessId: number, userId: string): Prisma.Sql =>
  Prisma.sql`${ownedByBusiness({ businessId })} AND created_by = ${userId} AND ${usable}`;

/** The keys of both modes that a person made and that still work. */
export function usableKeysOf(tx: Db, businessId: number, userId: string): Promise<ApiKey[]> {
  return queryRows<ApiKey>(
    tx,
    Prisma.sql`
    SELECT ${apiKeys.columns()} FROM api_key
     WHERE ${usableOf(businessId, userId)} ORDER BY livemode DESC, api_key.created_at, id`,
  );
}

/**
 * Ends the keys that a person made, of both modes, when the person leaves the business. The ones to keep become the keeper's.
 * @param keep ids of keys; empty without a keeper
 * @throws ValidationError for an id that is not one of these keys
 */
export async function endKeysOf(
  tx: Db,
  businessId: number,
  userId: string,
  { keep, keeper }: { keep: readonly string[]; keeper: string | null },
): Promise<void> {
  const theirs = await usableKeysOf(tx, businessId, userId);
  if (!keep.every((id) => theirs.some(({ _id }) => _id === id))) throw invalidSelection("keep_keys");
  const isKept = Prisma.sql`id = ANY(${keep}::text[])`;
  const own = usableOf(businessId, userId);
  await execute(tx, Prisma.sql`UPDATE api_key SET revoked_at = now() WHERE ${own} AND NOT ${isKept}`);
  await execute(tx, Prisma.sql`UPDATE api_key SET created_by = ${keeper} WHERE ${own} AND ${isKept}`);
  for (const key of theirs)
    if (keep.includes(key._id))
      await auditKey(tx, key, "api_key.taken_over", {
        before: { created_by: key.created_by },
        after: { created_by: keeper },
      });
    else await auditKey(tx, key, "api_key.revoked", revoked);
}
