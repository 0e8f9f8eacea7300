import { createHash, randomBytes } from "node:crypto";
import { type Db, db, lookUp, Prisma, pool, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { isWithin } from "@/lib/core/ip-ranges";
import { log } from "@/lib/core/log";
import type { ApiKey } from "@/lib/generated/prisma/client";
import type { Actor } from "./actor";
import { audit } from "./audit";
import { grantableScopes, type Role, scopesWithin } from "./scopes";

const keyPattern = /^sk_(test|live)_[A-Za-z0-9_-]{43}$/;

/** A new key of 256 random bits, with the hint and SHA-256 to store. */
export function generateKey(livemode: boolean): { key: string; hint: string; hash: string } {
  const key = `sk_${livemode ? "live" : "test"}_${randomBytes(32).toString("base64url")}`;
  return { key, hint: `${key.slice(0, 12)}…${key.slice(-4)}`, hash: sha256(key) };
}

const sha256 = (key: string): string => createHash("sha256").update(key).digest("hex");

export interface NewApiKey {
  businessId: number;
  livemode: boolean;
  name: string;
  scopes?: string[];
  expiresAt?: Date | null;
}

/**
 * Creates a key. The database keeps only its SHA-256: this result is the only place where the key appears.
 * @throws Error when the business does not exist or a scope is unknown
 */
export async function createApiKey(input: NewApiKey, tx: Db = db): Promise<{ id: string; key: string }> {
  const scopes = input.scopes ?? ["read", "write"];
  const unknown = scopes.filter((scope) => !grantableScopes.includes(scope));
  if (unknown.length > 0) throw new Error(`Unknown scope: ${unknown.join(", ")}. Known: ${grantableScopes.join(", ")}`);
  const business = await tx.business.findUnique({ where: { id: input.businessId }, select: { id: true } });
  if (!business) throw new Error(`There is no business ${input.businessId}.`);
  const { key, hint, hash } = generateKey(input.livemode);
  const { id } = await tx.apiKey.create({
    data: {
      id: newId("key"),
      business_id: input.businessId,
      livemode: input.livemode,
      name: input.name,
      hint,
      hash,
      scopes,
      expires_at: input.expiresAt ?? null,
    },
    select: { id: true },
  });
  return { id, key };
}

/** Creates a key for the operator's command, with an audit entry. @throws Error as createApiKey */
export function createKeyByCommand(input: NewApiKey): Promise<string> {
  return transaction(db, async (tx) => {
    const { id, key } = await createApiKey(input, tx);
    const { name, hint, scopes, expires_at, livemode } = await tx.apiKey.findUniqueOrThrow({ where: { id } });
    const after = { name, hint, scopes, expires_at, status: "active" };
    await audit(tx, input.businessId, { action: "api_key.created", livemode, resource_id: id, about: name, after });
    return key;
  });
}

/** Revokes a key for the operator's command. @returns false when the business has no such unrevoked key */
export function revokeKeyByCommand(businessId: number, id: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const [revoked] = await tx.apiKey.updateManyAndReturn({
      where: { id, business_id: businessId, revoked_at: null },
      data: { revoked_at: new Date() },
    });
    if (!revoked) return false;
    const { livemode, name } = revoked;
    const change = { before: { status: "active" }, after: { status: "revoked" } };
    await audit(tx, businessId, { action: "api_key.revoked", livemode, resource_id: id, about: name, ...change });
    return true;
  });
}

export function listApiKeys(businessId: number): Promise<ApiKey[]> {
  return db.apiKey.findMany({ where: { business_id: businessId }, orderBy: { created_at: "desc" } });
}

interface KeyRow {
  id: string;
  business_id: number;
  livemode: boolean;
  scopes: string[];
  allowed_ips: string[];
  /** The role of the person who made it; null: the operator made it. */
  role: Role | null;
  clock_ahead: number;
}

/**
 * The actor of a bearer key, or null. Queried for every request and never cached, so that a revocation takes effect at once.
 * A prepared statement on the pool: through Prisma's client it would cost a third of a read (docs/decisions).
 * @param address the client's, for keys that only some networks may use
 * @throws ApiError address_not_allowed
 */
export async function actorOfKey(key: string, address: string | null): Promise<Actor | null> {
  if (!keyPattern.test(key)) return null;
  const [row] = await lookUp<KeyRow>(
    db,
    Prisma.sql`
    SELECT k.id, k.business_id, k.livemode, k.scopes, k.allowed_ips, m.role,
           CASE WHEN k.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS clock_ahead
      FROM api_key k JOIN business b ON b.id = k.business_id
      LEFT JOIN membership m ON m.business_id = k.business_id AND m.user_id = k.created_by
     WHERE k.hash = ${sha256(key)} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND (k.created_by IS NULL OR m.role IS NOT NULL)`,
  );
  if (!row) return null;
  if (row.allowed_ips.length > 0 && !isWithin(row.allowed_ips, address)) throw new ApiError("address_not_allowed");
  recordKeyUse(row.id);
  return {
    businessId: row.business_id,
    livemode: row.livemode,
    clockAhead: row.clock_ahead,
    scopes: row.role ? scopesWithin(row.role, row.scopes) : row.scopes,
    who: { type: "api_key", id: row.id },
  };
}

/** When each key's last_used_at was last written, in milliseconds. */
const lastRecordedAt = new Map<string, number>();

/** Writes last_used_at at most once a minute per key. The response does not wait for it. */
function recordKeyUse(id: string): void {
  const now = Date.now();
  if (now - (lastRecordedAt.get(id) ?? 0) < 60_000) return;
  if (lastRecordedAt.size > 10_000) lastRecordedAt.clear();
  lastRecordedAt.set(id, now);
  pool()
    .query("UPDATE api_key SET last_used_at = now() WHERE id = $1", [id])
    .catch((error: unknown) => log.warn({ err: error }, "could not record the use of an API key"));
}
