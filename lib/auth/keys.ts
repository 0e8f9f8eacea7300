import { createHash, randomBytes } from "node:crypto";
import { type Db, db, pool, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { ApiKey } from "@/lib/generated/prisma/client";
import type { Actor } from "./actor";
import { audit } from "./audit";
import { grantableScopes } from "./scopes";

const shape = /^sk_(test|live)_[A-Za-z0-9_-]{43}$/;

/** A new key of 256 random bits, and what is kept of it. */
export function makeKey(livemode: boolean): { key: string; hint: string; hash: string } {
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
 * Creates a key of 256 random bits. The key itself is in the answer and nowhere else; the database keeps its SHA-256.
 * @throws Error when the business does not exist or a scope is unknown
 */
export async function createApiKey(input: NewApiKey, tx: Db = db): Promise<{ id: string; key: string }> {
  const scopes = input.scopes ?? ["read", "write"];
  const unknown = scopes.filter((scope) => !grantableScopes.includes(scope));
  if (unknown.length > 0) throw new Error(`Unknown scope: ${unknown.join(", ")}. Known: ${grantableScopes.join(", ")}`);
  const business = await tx.business.findUnique({ where: { id: input.businessId } });
  if (!business) throw new Error(`There is no business ${input.businessId}.`);
  const { key, hint, hash } = makeKey(input.livemode);
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
  });
  return { id, key };
}

/** Makes a key by the operator's command, which the audit log tells. @throws Error as createApiKey */
export function createKeyByCommand(input: NewApiKey): Promise<string> {
  return transaction(db, async (tx) => {
    const { id, key } = await createApiKey(input, tx);
    const { name, hint, scopes, expires_at, livemode } = await tx.apiKey.findUniqueOrThrow({ where: { id } });
    const after = { name, hint, scopes, expires_at, status: "active" };
    await audit(tx, input.businessId, { action: "api_key.created", livemode, resource_id: id, about: name, after });
    return key;
  });
}

/** Revokes at once, by the operator's command. Returns false when the business has no such key that is not revoked. */
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

/** A business's keys, newest first; hints, never keys. */
export function listApiKeys(businessId: number): Promise<ApiKey[]> {
  return db.apiKey.findMany({ where: { business_id: businessId }, orderBy: { created_at: "desc" } });
}

interface KeyRow {
  id: string;
  business_id: number;
  livemode: boolean;
  scopes: string[];
  clock_ahead: number;
}

/**
 * The actor behind a bearer key, or null. Asked at every request and never cached, so that a revoked key is dead at
 * once; a prepared statement straight on the pool, because Prisma's client would cost a third of a read (docs/decisions).
 */
export async function actorOfKey(key: string): Promise<Actor | null> {
  if (!shape.test(key)) return null;
  const { rows } = await pool().query<KeyRow>({
    name: "actor_of_key",
    text: `SELECT k.id, k.business_id, k.livemode, k.scopes,
                  CASE WHEN k.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS clock_ahead
             FROM api_key k JOIN business b ON b.id = k.business_id
            WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    values: [sha256(key)],
  });
  const row = rows[0];
  if (!row) return null;
  noteUse(row.id);
  return {
    businessId: row.business_id,
    livemode: row.livemode,
    clockAhead: row.clock_ahead,
    scopes: row.scopes,
    who: { type: "api_key", id: row.id },
  };
}

const noted = new Map<string, number>();

/** last_used_at is for people, to the minute: one write a minute and key, behind the answer. */
function noteUse(id: string): void {
  const now = Date.now();
  if (now - (noted.get(id) ?? 0) < 60_000) return;
  if (noted.size > 10_000) noted.clear();
  noted.set(id, now);
  pool()
    .query("UPDATE api_key SET last_used_at = now() WHERE id = $1", [id])
    .catch((error: unknown) => log.warn({ err: error }, "could not note the use of an API key"));
}
