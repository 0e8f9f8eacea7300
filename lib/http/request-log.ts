import { setImmediate as rest } from "node:timers/promises";
import { type Actor, owner } from "@/lib/auth/actor";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { clientOf } from "@/lib/core/network";
import type { Endpoint } from "./endpoint";
import { maxReadBytes, redactBody, redactQuery, redactText } from "./redact";

/** A request that has been answered, as it was seen on the way. */
export interface Answered {
  endpoint: Endpoint;
  actor: Actor;
  request: Request;
  /** The bytes that it sent. */
  sent: Uint8Array;
  status: number;
  /** The answer's text, where it is worth keeping: not for what was merely read. */
  answer: string;
  requestId: string;
  /** performance.now() when it arrived. */
  started: number;
}

interface Waiting extends Answered {
  ended: number;
}

/** What waits to be written, between two writes a second apart: of all, and of one business and mode. */
const most = { all: 1_000, each: 100 } as const;

/** Redacted at once, so that no other request waits longer for it than this many take. */
const atOnce = 25;

let waiting: Waiting[] = [];
const counts = new Map<string, number>();
let dropped = 0;
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> = Promise.resolve();

/**
 * Remembers a request, after its answer is made: nothing waits for it and nothing fails by it. What does not fit into memory
 * until the next write is dropped and counted in the log: callers are not slowed down by what is kept of them.
 */
export function remember(answered: Answered): void {
  const { businessId, livemode } = answered.actor;
  const tenant = `${businessId} ${livemode}`;
  const count = counts.get(tenant) ?? 0;
  timer ??= setTimeout(() => void write(), 1_000).unref();
  if (waiting.length >= most.all || count >= most.each) {
    dropped++;
    return;
  }
  counts.set(tenant, count + 1);
  const ended = performance.now();
  // Too large to be read later: not held until then either.
  const sent = answered.sent.length > maxReadBytes ? answered.sent.slice(0, maxReadBytes + 1) : answered.sent;
  const answer = answered.answer.length > maxReadBytes ? answered.answer.slice(0, maxReadBytes + 1) : answered.answer;
  waiting.push({ ...answered, sent, answer, ended });
}

/** Writes what waits; for the end of the process, when no request is under way. */
export async function drainRequests(): Promise<void> {
  clearTimeout(timer);
  await write();
}

function write(): Promise<void> {
  timer = undefined;
  const batch = waiting;
  const lost = dropped;
  waiting = [];
  dropped = 0;
  counts.clear();
  writing = writing.then(() => insert(batch, lost));
  return writing;
}

async function insert(batch: Waiting[], lost: number): Promise<void> {
  if (lost > 0) log.warn({ dropped: lost }, "requests were not remembered: too many at once");
  try {
    const now = performance.now();
    const rows: object[] = [];
    for (const [index, answered] of batch.entries()) {
      if (index > 0 && index % atOnce === 0) await rest();
      rows.push(rowOf(answered, now));
    }
    if (rows.length === 0) return;
    await queryRows(
      db,
      Prisma.sql`
      INSERT INTO api_request (id, business_id, livemode, method, path, query, status, duration_ms, request_id, actor_type,
                               actor_id, address, request_body, response_body, created_at)
      SELECT r.id, r.business_id, r.livemode, r.method, r.path, r.query, r.status, r.duration_ms, r.request_id, r.actor_type,
             r.actor_id, r.address, r.request_body, r.response_body, statement_timestamp() - r.age_ms * interval '1 millisecond'
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
             id text, business_id int, livemode boolean, method text, path text, query text, status int, duration_ms float,
             request_id text, actor_type text, actor_id text, address text, request_body text, response_body text, age_ms float)`,
    );
  } catch (error) {
    log.warn({ err: error, dropped: batch.length }, "requests could not be remembered");
  }
}

function rowOf(
  { endpoint, actor, request, sent, status, answer, requestId, started, ended }: Waiting,
  now: number,
): object {
  const { pathname, searchParams } = new URL(request.url);
  return {
    id: newId("req"),
    ...owner(actor),
    method: request.method,
    path: redactText(pathname.replace(/^\/api/, "")).slice(0, 500),
    query: redactQuery(searchParams, endpoint),
    status,
    duration_ms: Math.round((ended - started) * 100) / 100,
    request_id: requestId,
    actor_type: actor.who.type,
    actor_id: actor.who.id,
    address: clientOf(request).address,
    request_body: redactBody(Buffer.from(sent).toString(), endpoint, "request"),
    response_body: redactBody(answer, endpoint, "answer"),
    age_ms: now - started,
  };
}
