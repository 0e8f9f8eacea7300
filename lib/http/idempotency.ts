import { createHash, createHmac } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { owner } from "@/lib/auth/actor";
import { type Db, db, execute, isUniqueViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { required } from "@/lib/core/env";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { newOperation } from "@/lib/core/id";
import { seal, unseal } from "@/lib/core/secrets";

export interface Answer {
  status: number;
  body: string;
  replayed?: boolean;
  /** The business that the caller has been taken to. */
  movedTo?: number;
}

const lifetime = 24 * 3_600_000;

/** The key of a request, or null. @throws ApiError invalid_idempotency_key */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (key === "" || key.length > 255) throw new ApiError("invalid_idempotency_key");
  return key;
}

/**
 * What makes two requests the same: method, path and the body's bytes.
 * @param secret the body may hold a password, which a plain hash would give to whoever guesses fast
 */
export function fingerprint(method: string, path: string, body: Uint8Array, secret = false): string {
  const hash = secret ? createHmac("sha256", `fingerprint ${required("APP_SECRET")}`) : createHash("sha256");
  return hash.update(`${method} ${path}\n`).update(body).digest("hex");
}

/**
 * Runs `effect` at most once for a key. The stored answer commits in the effect's own transaction, so that there is
 * never one without the other, whenever the process dies. A refusal that a retry would meet again (402, 404, 409) is stored
 * too; 401, 422, 429 and 5xx are not (contract, section 6).
 * @param secret the answer shows a secret: it is kept sealed
 * @throws ApiError idempotency_key_in_flight, idempotency_key_reused, and whatever the effect throws
 */
export async function once(
  actor: Actor,
  key: string,
  print: string,
  effect: (tx: Db) => Promise<Answer>,
  secret = false,
): Promise<Answer> {
  const tenant = owner(actor);
  const place = `idempotency ${tenant.business_id} ${tenant.livemode} ${key}`;
  try {
    return await transaction(db, async (tx) => {
      const [row] = await queryRows<{ free: boolean }>(
        tx,
        Prisma.sql`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${place}, 0)) AS free`,
      );
      if (!row?.free) throw new ApiError("idempotency_key_in_flight");
      const stored = await tx.idempotencyKey.findUnique({ where: { business_id_livemode_key: { ...tenant, key } } });
      if (stored && Date.now() - stored.created_at.getTime() < lifetime) {
        const answer = replay(stored, print);
        return secret && answer.status === 200 ? { ...answer, body: unseal(answer.body, place) } : answer;
      }
      if (stored) await tx.idempotencyKey.delete({ where: { business_id_livemode_key: { ...tenant, key } } });
      const { movedTo, ...answer } = await effect(tx);
      const kept = secret ? { ...answer, body: seal(answer.body, place) } : answer;
      const data = { ...tenant, key, fingerprint: print, ...kept };
      await tx.idempotencyKey.create({ data });
      if (movedTo !== undefined) await tx.idempotencyKey.create({ data: { ...data, business_id: movedTo } });
      return answer;
    });
  } catch (error) {
    // The same key was claimed meanwhile for another route: nothing of this request was written.
    if (isUniqueViolation(error) && /idempotency_?key/i.test(JSON.stringify(error)))
      throw new ApiError("idempotency_key_in_flight");
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

interface Claimed {
  fingerprint: string;
  operation: string | null;
  status: number | null;
  body: string | null;
  created_at: Date;
}

/** Longer than an effect usually takes. One that takes longer still is safe: whoever goes on does so by the same name. */
const leaseSeconds = 60;

/**
 * Runs an effect that asks a gateway at most once for a key. It cannot share a transaction with its answer, so the key is
 * claimed first, with the name under which the effect writes its row. A request that died in between left that name: the
 * next one with the key goes on where it stopped. A claim is only given up when the effect was refused, and so wrote
 * nothing.
 * @param effect is given the operation's name: 36 characters, new for a new key.
 * @throws ApiError idempotency_key_in_flight, idempotency_key_reused, and whatever the effect throws
 */
export async function onceOutside(
  actor: Actor,
  key: string,
  print: string,
  effect: (operation: string) => Promise<Answer>,
): Promise<Answer> {
  const tenant = owner(actor);
  const where = { business_id_livemode_key: { ...tenant, key } };
  await claim(tenant, key, print);
  // Whoever moves the lease on is at work; everybody else finds it moved.
  const [mine] = await queryRows<Claimed>(
    db,
    Prisma.sql`
    UPDATE idempotency_key SET locked_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     WHERE business_id = ${tenant.business_id} AND livemode = ${tenant.livemode} AND key = ${key}
       AND fingerprint = ${print} AND status IS NULL AND locked_until <= clock_timestamp()
    RETURNING fingerprint, operation, status, body, created_at`,
  );
  if (!mine?.operation) {
    const stored = await db.idempotencyKey.findUnique({ where });
    if (!stored) throw new ApiError("idempotency_key_in_flight"); // given up a moment ago
    return replay(stored, print);
  }
  const answered = { ...tenant, key, operation: mine.operation, status: null };
  try {
    const { movedTo: _, ...answer } = await effect(mine.operation);
    await db.idempotencyKey.updateMany({ where: answered, data: { ...answer, locked_until: null } });
    return answer;
  } catch (error) {
    if (error instanceof ApiError && isLasting(error)) {
      const data = { status: error.status, body: error.body(), locked_until: null };
      await db.idempotencyKey.updateMany({ where: answered, data });
    } else if (error instanceof ValidationError || (error instanceof ApiError && error.status < 500)) {
      await db.idempotencyKey.deleteMany({ where: answered });
    } else {
      // Something may have begun: the next request goes on with it, and need not wait.
      const free = { locked_until: new Date(0) };
      await db.idempotencyKey.updateMany({ where: answered, data: free }).catch(() => undefined);
    }
    throw error;
  }
}

/** Puts the claim there if the key is new, or was last used more than a day ago. It is free until somebody takes it. */
async function claim(tenant: { business_id: number; livemode: boolean }, key: string, print: string): Promise<void> {
  const operation = newOperation();
  const oldest = new Date(Date.now() - lifetime);
  await execute(
    db,
    Prisma.sql`
    INSERT INTO idempotency_key AS k (business_id, livemode, key, fingerprint, operation, locked_until)
    VALUES (${tenant.business_id}, ${tenant.livemode}, ${key}, ${print}, ${operation}, to_timestamp(0))
    ON CONFLICT (business_id, livemode, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, operation = excluded.operation, locked_until = excluded.locked_until,
           status = NULL, body = NULL, created_at = clock_timestamp()
     WHERE k.created_at < ${oldest}::timestamptz`,
  );
}

function replay(stored: Omit<Claimed, "operation" | "created_at">, print: string): Answer {
  if (stored.fingerprint !== print) throw new ApiError("idempotency_key_reused");
  if (stored.status === null || stored.body === null) throw new ApiError("idempotency_key_in_flight");
  return { status: stored.status, body: stored.body, replayed: true };
}

function isLasting({ code, status }: ApiError): boolean {
  return (status === 402 || status === 404 || status === 409) && !code.startsWith("idempotency_key");
}
