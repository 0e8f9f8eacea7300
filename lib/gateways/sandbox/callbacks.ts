import { createHash, hkdfSync } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { z } from "zod";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { appSecrets } from "@/lib/core/env";
import type { Incoming } from "@/lib/core/incoming";
import { log } from "@/lib/core/log";
import { type CallbackNotice, ForgedCallback } from "@/lib/gateways/gateway";

const batchSize = 100;
const maxInFlight = 10;
const timeoutMs = 10_000;
/** Longer than a whole batch. After it, another process claims the batch of a dead one. */
const leaseMs = 150_000;
const backoffSeconds = [5, 30, 120, 300, 900, 1_800, 3_600, 3_600, 3_600];

export interface Note {
  body: string;
  due: Date;
}

/** The callback about a charge, a refund or a dispute. `key` is always the charge's. */
export function noteOf(
  about: "charge" | "refund" | "dispute",
  key: string,
  status: string,
  created: Date,
  due = created,
): Note {
  const event = status === "requires_action" ? "action_required" : status;
  const body = { type: `${about}.${event}`, created: created.toISOString(), data: { gateway_key: key, status } };
  return { body: JSON.stringify(body), due };
}

export function repeated(notes: Note[], behaviour: string): Note[] {
  return behaviour === "duplicate_callbacks" ? notes.flatMap((note) => [note, note, note]) : notes;
}

/** Inserts callbacks as part of the statement that changes the charge or refund: once per row of its CTE `made`. */
export function insertNotes(account: string, notes: Note[]): Prisma.Sql {
  const bodies = notes.map(({ body }) => body);
  const due = notes.map((note) => note.due);
  return Prisma.sql`
    INSERT INTO sandbox_callback (account, body, due_at)
    SELECT ${account}::text, note.body, note.due_at
      FROM made, unnest(${bodies}::text[], ${due}::timestamptz[]) AS note (body, due_at)`;
}

function signer(account: string, appSecret: string): Webhook {
  const key = hkdfSync("sha256", appSecret, "", `sandbox callbacks of ${account}`, 32);
  return new Webhook(new Uint8Array(key), { format: "raw" });
}

/** Signed headers of a callback. A repeated body has the same id. */
export function signCallback(account: string, body: string): Record<string, string> {
  const id = `msg_${createHash("sha256").update(`${account}:${body}`).digest("hex").slice(0, 32)}`;
  // System time: the receiver compares it with its own clock.
  const now = new Date();
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signer(account, appSecrets()[0]).sign(id, now, body),
  };
}

const callback = z.object({
  type: z.string().regex(/^(charge|refund|dispute)\./),
  data: z.object({ gateway_key: z.string().min(1) }),
});

const signatureOf = (headers: Incoming["headers"]) =>
  Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers.get(name) ?? ""]),
  );

/** Other processes may still sign with the previous secret. @throws ForgedCallback */
function verify(account: string, body: string, headers: Incoming["headers"]): void {
  let failure: unknown;
  for (const appSecret of appSecrets())
    try {
      signer(account, appSecret).verify(body, signatureOf(headers), { jsonParse: false });
      return;
    } catch (error) {
      failure = error;
    }
  throw failure instanceof WebhookVerificationError ? new ForgedCallback(failure.message) : failure;
}

/** @throws ForgedCallback when the signature is wrong, of another account, or older than five minutes */
export async function readCallback(
  account: string,
  body: string,
  headers: Incoming["headers"],
): Promise<CallbackNotice | null> {
  verify(account, body, headers);
  const read = callback.safeParse(parsed(body));
  const about = read.data?.type.startsWith("dispute.") ? "dispute" : "payment";
  return read.success ? { about, key: read.data.data.gateway_key } : null;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

interface Due {
  id: string;
  account: string;
  body: string;
  tries: number;
}

/** Safe to run concurrently, without waiting. */
function claim(now: Date, account: string | null): Promise<Due[]> {
  return queryRows<Due>(
    db,
    Prisma.sql`
    WITH due AS (
      SELECT id, due_at FROM sandbox_callback
       WHERE due_at <= ${now} AND (${account}::text IS NULL OR account = ${account})
       ORDER BY due_at, id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE sandbox_callback SET due_at = ${new Date(now.getTime() + leaseMs)}, tries = tries + 1
        FROM due WHERE sandbox_callback.id = due.id
      RETURNING sandbox_callback.id, account, body, tries, due.due_at AS was_due
    )
    SELECT id::text, account, body, tries FROM claimed ORDER BY was_due, claimed.id`,
  );
}

/**
 * Delivers due callbacks to `origin`, at most `batchSize` per call. A callback without a 2xx within ten seconds is
 * retried, up to ten attempts.
 * @param account only this account's callbacks; by default all
 * @returns how many were delivered
 */
export async function deliverSandboxCallbacks(origin: string, account: string | null = null): Promise<number> {
  const due = await claim(clock.now(), account);
  const delivered: string[] = [];
  const refused: Due[] = [];
  const remaining = due[Symbol.iterator]();
  const worker = async () => {
    for (const callback of remaining) {
      if (await post(origin, callback)) delivered.push(callback.id);
      else refused.push(callback);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxInFlight, due.length) }, worker));
  await scheduleRetries(refused);
  const exhausted = refused.filter(({ tries }) => tries > backoffSeconds.length);
  for (const { account, body } of exhausted) log.warn({ account, body }, "a sandbox callback failed for the last time");
  const done = [...delivered, ...exhausted.map(({ id }) => id)];
  if (done.length > 0) await db.sandboxCallback.deleteMany({ where: { id: { in: done.map(BigInt) } } });
  return delivered.length;
}

async function post(origin: string, { account, body }: Due): Promise<boolean> {
  try {
    const address = `${origin}/api/gateways/sandbox/webhook?account=${encodeURIComponent(account)}`;
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = signCallback(account, body);
    const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "manual" });
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    log.debug({ err: error, account }, "a sandbox callback was not delivered");
    return false;
  }
}

async function scheduleRetries(refused: Due[]): Promise<void> {
  const retries = refused.filter(({ tries }) => tries <= backoffSeconds.length);
  if (retries.length === 0) return;
  const now = clock.now().getTime();
  const due = retries.map(({ tries }) => new Date(now + (backoffSeconds[tries - 1] ?? 0) * 1000));
  await queryRows(
    db,
    Prisma.sql`
    UPDATE sandbox_callback SET due_at = later.due_at
      FROM unnest(${retries.map(({ id }) => id)}::bigint[], ${due}::timestamptz[]) AS later (id, due_at)
     WHERE sandbox_callback.id = later.id`,
  );
}
