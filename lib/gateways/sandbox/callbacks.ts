import { createHash, hkdfSync } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { z } from "zod";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { required } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { type CallbackNotice, ForgedCallback } from "@/lib/gateways/gateway";

/** Callbacks that one call of `deliverSandboxCallbacks` takes on, and how many of them are on their way at a time. */
const atOnce = 100;
const side = 10;
const timeoutMs = 10_000;
/** Longer than a whole batch can take: a process that died with its batch is relieved after that. */
const leaseMs = 150_000;
/** Seconds from a failed try to the next one; the last one is not repeated. */
const pauses = [5, 30, 120, 300, 900, 1_800, 3_600, 3_600, 3_600];

/** A callback to be sent, `due` by our clock. */
export interface Note {
  body: string;
  due: Date;
}

/** What is told about a charge or a refund. `key` is the charge's, also when it is about one of its refunds. */
export function noteOf(about: "charge" | "refund", key: string, status: string, created: Date, due = created): Note {
  const event = status === "requires_action" ? "action_required" : status;
  const body = { type: `${about}.${event}`, created: created.toISOString(), data: { gateway_key: key, status } };
  return { body: JSON.stringify(body), due };
}

/** How often each callback is sent, as the card asks. */
export function repeated(notes: Note[], behaviour: string): Note[] {
  return behaviour === "duplicate_callbacks" ? notes.flatMap((note) => [note, note, note]) : notes;
}

/** Writes callbacks down in the statement that made the change: once for each row of its part `made`, so never without it. */
export function insertNotes(account: string, notes: Note[]): Prisma.Sql {
  const bodies = notes.map(({ body }) => body);
  const due = notes.map((note) => note.due);
  return Prisma.sql`
    INSERT INTO sandbox_callback (account, body, due_at)
    SELECT ${account}::text, note.body, note.due_at
      FROM made, unnest(${bodies}::text[], ${due}::timestamptz[]) AS note (body, due_at)`;
}

function signer(account: string): Webhook {
  const key = hkdfSync("sha256", required("APP_SECRET"), "", `sandbox callbacks of ${account}`, 32);
  return new Webhook(new Uint8Array(key), { format: "raw" });
}

/** The headers of a callback of this account, signed now. A repeated body has the same id. */
export function signCallback(account: string, body: string): Record<string, string> {
  const id = `msg_${createHash("sha256").update(`${account}:${body}`).digest("hex").slice(0, 32)}`;
  // The system's time, not the clock's: the other side compares it with its own.
  const now = new Date();
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signer(account).sign(id, now, body),
  };
}

const callback = z.object({
  type: z.string().regex(/^(charge|refund)\./),
  data: z.object({ gateway_key: z.string().min(1) }),
});

/**
 * Reads a callback to this account, at most five minutes old.
 * @throws ForgedCallback
 */
export async function readCallback(account: string, body: string, headers: Headers): Promise<CallbackNotice | null> {
  try {
    signer(account).verify(body, Object.fromEntries(headers), { jsonParse: false });
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw new ForgedCallback(error.message);
    throw error;
  }
  const read = callback.safeParse(parsed(body));
  return read.success ? { about: "payment", key: read.data.data.gateway_key } : null;
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

/** Any number of processes may claim: none waits for another, and none gets what another has. */
function claim(now: Date, account: string | null): Promise<Due[]> {
  return queryRows<Due>(
    db,
    Prisma.sql`
    WITH due AS (
      SELECT id, due_at FROM sandbox_callback
       WHERE due_at <= ${now} AND (${account}::text IS NULL OR account = ${account})
       ORDER BY due_at, id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE sandbox_callback SET due_at = ${new Date(now.getTime() + leaseMs)}, tries = tries + 1
        FROM due WHERE sandbox_callback.id = due.id
      RETURNING sandbox_callback.id, account, body, tries, due.due_at AS was_due
    )
    SELECT id::text, account, body, tries FROM claimed ORDER BY was_due, claimed.id`,
  );
}

/**
 * Sends what the sandbox owes to a merchant's system at `origin`, at most 100 callbacks a call. What is not taken with a
 * 2xx within ten seconds is tried again later, ten times in all.
 * @param account whose callbacks alone; everybody's by default.
 * @returns how many were delivered.
 */
export async function deliverSandboxCallbacks(origin: string, account: string | null = null): Promise<number> {
  const due = await claim(clock.now(), account);
  const taken: string[] = [];
  const refused: Due[] = [];
  const rest = due[Symbol.iterator]();
  const worker = async () => {
    for (const one of rest) {
      if (await post(origin, one)) taken.push(one.id);
      else refused.push(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(side, due.length) }, worker));
  await putBack(refused);
  const given = refused.filter(({ tries }) => tries > pauses.length);
  for (const { account, body } of given) log.warn({ account, body }, "a sandbox callback was given up");
  const done = [...taken, ...given.map(({ id }) => id)];
  if (done.length > 0) await queryRows(db, Prisma.sql`DELETE FROM sandbox_callback WHERE id = ANY(${done}::bigint[])`);
  return taken.length;
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

async function putBack(refused: Due[]): Promise<void> {
  const again = refused.filter(({ tries }) => tries <= pauses.length);
  if (again.length === 0) return;
  const now = clock.now().getTime();
  const due = again.map(({ tries }) => new Date(now + (pauses[tries - 1] ?? 0) * 1000));
  await queryRows(
    db,
    Prisma.sql`
    UPDATE sandbox_callback SET due_at = later.due_at
      FROM unnest(${again.map(({ id }) => id)}::bigint[], ${due}::timestamptz[]) AS later (id, due_at)
     WHERE sandbox_callback.id = later.id`,
  );
}
