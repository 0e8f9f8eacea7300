import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { tenantOf } from "@/lib/auth/actor";
import {
  confirmEarlierCommits,
  type Db,
  db,
  execute,
  inserted,
  isUniqueViolation,
  Prisma,
  queryRows,
  transaction,
} from "@/lib/core/db";
import { appSecrets } from "@/lib/core/env";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { newOperation } from "@/lib/core/id";
import type { Incoming } from "@/lib/core/incoming";
import { isSealed, seal, unseal } from "@/lib/core/secrets";

export interface Answer {
  status: number;
  body: string;
  replayed?: boolean;
  /** The business that the session has switched to. */
  switchedTo?: number;
}

const lifetimeMs = 24 * 3_600_000;

/** @throws ApiError invalid_idempotency_key */
export function idempotencyKey(request: Incoming): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (key === "" || key.length > 255) throw new ApiError("invalid_idempotency_key");
  return key;
}

/** Hashes of a request's method, path and body. The first is stored; a request with any of them counts as the same. */
type Fingerprints = readonly [string, ...string[]];

/**
 * @param secret whether the body may hold a password: then the first is an HMAC, which does not allow fast guessing. The plain
 *   hash still matches, for keys stored in the day before an upgrade that made the endpoint secret
 */
export function fingerprintsOf(method: string, path: string, body: Uint8Array, secret = false): Fingerprints {
  const finish = (hash: Hash | Hmac) => hash.update(`${method} ${path}\n`).update(body).digest("hex");
  const plain = finish(createHash("sha256"));
  if (!secret) return [plain];
  const [current, ...previous] = appSecrets();
  const under = (appSecret: string) => finish(createHmac("sha256", `fingerprint ${appSecret}`));
  return [under(current), ...previous.map(under), plain];
}

/**
 * Runs `effect` at most once for a key. The stored answer commits in the effect's transaction, so a crash never leaves one
 * without the other. Refusals that last (lib/core/errors.ts) are stored too. A refusal that may pass is not: the same key may
 * succeed later.
 * @param secret the answer shows a secret: it is stored encrypted
 * @throws ApiError idempotency_key_in_flight, idempotency_key_reused, and the effect's errors
 */
export async function runOnce(
  actor: Actor,
  key: string,
  prints: Fingerprints,
  effect: (tx: Db) => Promise<Answer>,
  secret = false,
): Promise<Answer> {
  const owner = ownerOf(actor);
  const context = `idempotency ${owner.business_id} ${owner.livemode} ${owner.principal} ${key}`;
  try {
    return await transaction(db, async (tx) => {
      const mine = isOwn(owner, key);
      // What is stored is read as of before the lock. If another request stored its answer in between, the INSERT below fails.
      const [row] = await queryRows<{ free: boolean; stored: (Stored & { old: boolean }) | null }>(
        tx,
        Prisma.sql`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${context}, 0)) AS free,
               (SELECT to_json(k) FROM (
                  SELECT fingerprint, status, body, created_at < clock_timestamp() - ${lifetimeMs} * interval '1 millisecond' AS old
                    FROM idempotency_key WHERE ${mine} ORDER BY principal DESC LIMIT 1) AS k) AS stored`,
      );
      if (!row?.free) throw new ApiError("idempotency_key_in_flight");
      const { stored } = row;
      if (stored && !stored.old) {
        const answer = replay(stored, prints);
        await confirmEarlierCommits(tx);
        return isSealed(answer.body) ? { ...answer, body: unseal(answer.body, context) } : answer;
      }
      if (stored) await execute(tx, Prisma.sql`DELETE FROM idempotency_key WHERE ${mine}`);
      const { switchedTo, ...answer } = await effect(tx);
      const body = secret ? seal(answer.body, context) : answer.body;
      const saved = { ...owner, key, fingerprint: prints[0], status: answer.status, body };
      await execute(tx, Prisma.sql`INSERT INTO idempotency_key ${inserted(saved)}`);
      if (switchedTo !== undefined)
        await execute(tx, Prisma.sql`INSERT INTO idempotency_key ${inserted({ ...saved, business_id: switchedTo })}`);
      return answer;
    });
  } catch (error) {
    // Another request claimed the key at the same time. This one has written nothing.
    if (isUniqueViolation(error) && /idempotency_?key/i.test(JSON.stringify(error)))
      throw new ApiError("idempotency_key_in_flight");
    if (error instanceof ApiError && error.lasts) {
      const answer = { status: error.status, body: error.body() };
      await db.idempotencyKey.createMany({
        data: [{ ...owner, key, fingerprint: prints[0], ...answer }],
        skipDuplicates: true,
      });
    }
    throw error;
  }
}

/** Who a key belongs to: another person or another API key has keys of its own. */
interface Owner {
  business_id: number;
  livemode: boolean;
  principal: string;
}

const ownerOf = (actor: Actor): Owner => ({ ...tenantOf(actor), principal: actor.who.id });

/** Rows without a principal are from before it was stored: anyone of the business repeats those, until they expire. */
const isOwn = ({ business_id, livemode, principal }: Owner, key: string): Prisma.Sql =>
  Prisma.sql`business_id = ${business_id} AND livemode = ${livemode} AND principal IN (${principal}, '') AND key = ${key}`;

interface Stored {
  fingerprint: string;
  status: number | null;
  body: string | null;
}

/** A request's turn to run the effect of a claimed key. */
interface Lease {
  principal: string;
  operation: string;
  /** When it ends, as PostgreSQL's text: tells this lease from a later one. */
  until: string;
  /** False: an earlier request had the key, let its lease end, and may still run. */
  first: boolean;
}

/** Longer than an effect usually takes. A longer effect is safe too: a retry continues under the same operation. */
const leaseSeconds = 60;

/**
 * Runs an effect that calls a gateway at most once for a key. The effect cannot share a transaction with its stored answer.
 * So the key is claimed first, with the operation that names the effect's row. If the process dies, the next request with
 * the key continues the same operation. A claim is deleted only when the effect was refused, so wrote nothing, and no other
 * request may still run it: after that, the key would begin a second operation.
 * @param effect receives the operation: 36 characters, new for a new key
 * @throws ApiError idempotency_key_in_flight, idempotency_key_reused, and the effect's errors
 */
export async function runOnceWithGateway(
  actor: Actor,
  key: string,
  prints: Fingerprints,
  effect: (operation: string) => Promise<Answer>,
): Promise<Answer> {
  const owner = ownerOf(actor);
  await claim(owner, key, prints);
  const lease = await takeLease(owner, key, prints);
  if (!lease) {
    const [stored] = await queryRows<Stored>(
      db,
      Prisma.sql`
      SELECT fingerprint, status, body FROM idempotency_key WHERE ${isOwn(owner, key)} ORDER BY principal DESC LIMIT 1`,
    );
    if (!stored) throw new ApiError("idempotency_key_in_flight"); // a refused effect has just deleted the claim
    return replay(stored, prints);
  }
  const { principal, operation } = lease;
  const claimed = { ...owner, principal, key, operation, status: null };
  try {
    const { switchedTo: _, ...answer } = await effect(operation);
    await db.idempotencyKey.updateMany({ where: claimed, data: { ...answer, locked_until: null } });
    return answer;
  } catch (error) {
    const refused = error instanceof ValidationError || (error instanceof ApiError && error.status < 500);
    if (error instanceof ApiError && error.lasts) {
      const data = { status: error.status, body: error.body(), locked_until: null };
      await db.idempotencyKey.updateMany({ where: claimed, data });
    } else if (refused && lease.first) await endLease(claimed, lease, "delete");
    // The effect may have started. Ends the lease, so that the next request continues it at once.
    else await endLease(claimed, lease, "free").catch(() => undefined);
    throw error;
  }
}

/** Only one request can move an expired lease forward. */
async function takeLease(owner: Owner, key: string, prints: Fingerprints): Promise<Lease | undefined> {
  const [lease] = await queryRows<Lease>(
    db,
    Prisma.sql`
    WITH expired AS (
      SELECT business_id, livemode, principal, key, locked_until FROM idempotency_key
       WHERE ${isOwn(owner, key)} AND fingerprint = ANY(${prints}::text[]) AND status IS NULL AND locked_until <= clock_timestamp()
         FOR UPDATE
    )
    UPDATE idempotency_key AS k SET locked_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM expired
     WHERE k.business_id = expired.business_id AND k.livemode = expired.livemode AND k.principal = expired.principal
       AND k.key = expired.key
    RETURNING k.principal, k.operation, k.locked_until::text AS until, expired.locked_until = to_timestamp(0) AS first`,
  );
  return lease;
}

/** Ends a lease unless another request has taken the key over. "free" lets the next request continue the operation. */
async function endLease(
  { business_id, livemode, principal, key }: Owner & { key: string },
  { operation, until, first }: Lease,
  how: "delete" | "free",
): Promise<void> {
  const held = Prisma.sql`business_id = ${business_id} AND livemode = ${livemode} AND principal = ${principal}
    AND key = ${key} AND operation = ${operation} AND status IS NULL AND locked_until = ${until}::timestamptz`;
  if (how === "delete") await execute(db, Prisma.sql`DELETE FROM idempotency_key WHERE ${held}`);
  else {
    // to_timestamp(0) says that no earlier request may still run.
    const end = first ? Prisma.sql`to_timestamp(0)` : Prisma.sql`clock_timestamp()`;
    await execute(db, Prisma.sql`UPDATE idempotency_key SET locked_until = ${end} WHERE ${held}`);
  }
}

/** Inserts an unleased claim if the key is new or older than a day. */
async function claim(owner: Owner, key: string, prints: Fingerprints): Promise<void> {
  const operation = newOperation();
  const oldest = new Date(Date.now() - lifetimeMs);
  await execute(
    db,
    Prisma.sql`
    INSERT INTO idempotency_key AS k (business_id, livemode, principal, key, fingerprint, operation, locked_until)
    SELECT ${owner.business_id}::int, ${owner.livemode}::boolean, ${owner.principal}, ${key}, ${prints[0]}, ${operation}, to_timestamp(0)
     WHERE NOT EXISTS (
       SELECT FROM idempotency_key
        WHERE business_id = ${owner.business_id} AND livemode = ${owner.livemode} AND principal = '' AND key = ${key}
          AND created_at >= ${oldest}::timestamptz)
    ON CONFLICT (business_id, livemode, principal, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, operation = excluded.operation, locked_until = excluded.locked_until,
           status = NULL, body = NULL, created_at = clock_timestamp()
     WHERE k.created_at < ${oldest}::timestamptz`,
  );
}

function replay(stored: Stored, prints: Fingerprints): Answer {
  if (!prints.includes(stored.fingerprint)) throw new ApiError("idempotency_key_reused");
  if (stored.status === null || stored.body === null) throw new ApiError("idempotency_key_in_flight");
  return { status: stored.status, body: stored.body, replayed: true };
}
