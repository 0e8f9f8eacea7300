import { createHash } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { owner } from "@/lib/auth/actor";
import { type Db, db } from "@/lib/db";
import { ApiError } from "./errors";

export interface Answer {
  status: number;
  body: string;
  replayed?: boolean;
}

const lifetime = 24 * 3_600_000;

/** The key of a request, or null. @throws ApiError invalid_idempotency_key */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (key === "" || key.length > 255) throw new ApiError("invalid_idempotency_key");
  return key;
}

/** What makes two requests the same: method, path and the body's bytes. */
export function fingerprint(method: string, path: string, body: Uint8Array): string {
  return createHash("sha256").update(`${method} ${path}\n`).update(body).digest("hex");
}

/**
 * Runs `effect` at most once for a key. The stored answer commits in the effect's own transaction, so that there is
 * never one without the other, whenever the process dies. A refusal that a retry would meet again (404, 409) is stored
 * too; 401, 422, 429 and 5xx are not (contract, section 6).
 * @throws ApiError idempotency_key_in_flight, idempotency_key_reused, and whatever the effect throws
 */
export async function once(
  actor: Actor,
  key: string,
  print: string,
  effect: (tx: Db) => Promise<Answer>,
): Promise<Answer> {
  const tenant = owner(actor);
  try {
    return await db.$transaction(async (tx) => {
      const lock = `idempotency ${tenant.business_id} ${tenant.livemode} ${key}`;
      const [row] = await tx.$queryRaw<{ free: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) AS free`;
      if (!row?.free) throw new ApiError("idempotency_key_in_flight");
      const stored = await tx.idempotencyKey.findUnique({ where: { business_id_livemode_key: { ...tenant, key } } });
      if (stored && Date.now() - stored.created_at.getTime() < lifetime) return replay(stored, print);
      if (stored) await tx.idempotencyKey.delete({ where: { business_id_livemode_key: { ...tenant, key } } });
      const answer = await effect(tx);
      await tx.idempotencyKey.create({ data: { ...tenant, key, fingerprint: print, ...answer } });
      return answer;
    });
  } catch (error) {
    if (error instanceof ApiError && isLasting(error)) {
      const answer = { status: error.status, body: error.body() };
      await db.idempotencyKey.createMany({
        data: [{ ...tenant, key, fingerprint: print, ...answer }],
        skipDuplicates: true,
      });
    }
    throw error;
  }
}

function replay(stored: { fingerprint: string; status: number; body: string }, print: string): Answer {
  if (stored.fingerprint !== print) throw new ApiError("idempotency_key_reused");
  return { status: stored.status, body: stored.body, replayed: true };
}

function isLasting({ code, status }: ApiError): boolean {
  return (status === 404 || status === 409) && !code.startsWith("idempotency_key");
}
