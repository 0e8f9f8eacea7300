import { setImmediate as yieldToRequests } from "node:timers/promises";
import { type Actor, tenantOf } from "@/lib/auth/actor";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { type Incoming, queryOf } from "@/lib/core/incoming";
import { log } from "@/lib/core/log";
import { clientOf } from "@/lib/core/network";
import type { Endpoint } from "./endpoint";
import { maxReadBytes, redactBody, redactQuery, redactText } from "./redact";

export interface AnsweredRequest {
  endpoint: Endpoint;
  actor: Actor;
  request: Incoming;
  /** The request's body. */
  sent: Uint8Array;
  status: number;
  /** The response's body; empty for a successful read, which is not logged. */
  answer: string;
  requestId: string;
  /** performance.now() when the request arrived. */
  started: number;
}

/** Holds the request's fields, not the request: that would keep its response in memory until the next write. */
interface PendingRequest extends Omit<AnsweredRequest, "request"> {
  method: string;
  url: string;
  address: string;
  /** performance.now() when the response was ready. */
  ended: number;
}

/** How many requests are held in memory between two writes, a second apart. */
const maxPending = 1_000;
const maxPendingPerTenant = 100;

/** Requests redacted before the event loop is yielded to other requests. */
const redactBatchSize = 25;

/** Replace a body above the limit, so that the queue does not hold it. `redactBody` logs only that it was too large. */
const oversized = Buffer.alloc(maxReadBytes + 1);
const oversizedText = oversized.toString();

let pending: PendingRequest[] = [];
const counts = new Map<string, number>();
let dropped = 0;
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> = Promise.resolve();

/**
 * Queues an answered request for the request log. The response does not wait for the write and cannot fail because of it.
 * Requests over the limit are dropped and counted in the log, so that callers are never slowed down.
 */
export function recordRequest({ request, ...answered }: AnsweredRequest): void {
  const { businessId, livemode } = answered.actor;
  const tenant = `${businessId} ${livemode}`;
  const count = counts.get(tenant) ?? 0;
  timer ??= setTimeout(() => void write(), 1_000).unref();
  if (pending.length >= maxPending || count >= maxPendingPerTenant) {
    dropped++;
    return;
  }
  counts.set(tenant, count + 1);
  const ended = performance.now();
  const sent = answered.sent.length > maxReadBytes ? oversized : answered.sent;
  const answer = answered.answer.length > maxReadBytes ? oversizedText : answered.answer;
  const { method, url } = request;
  pending.push({ ...answered, method, url, address: clientOf(request).address, sent, answer, ended });
}

/** Writes all queued requests. Call it at shutdown, when no request is in progress. */
export async function flushRequestLog(): Promise<void> {
  clearTimeout(timer);
  await write();
}

function write(): Promise<void> {
  timer = undefined;
  const batch = pending;
  const droppedBefore = dropped;
  pending = [];
  dropped = 0;
  counts.clear();
  writing = writing.then(() => insert(batch, droppedBefore));
  return writing;
}

async function insert(batch: PendingRequest[], droppedBefore: number): Promise<void> {
  if (droppedBefore > 0) log.warn({ dropped: droppedBefore }, "requests were not logged: too many at once");
  try {
    const now = performance.now();
    const rows: object[] = [];
    for (const [index, answered] of batch.entries()) {
      if (index > 0 && index % redactBatchSize === 0) await yieldToRequests();
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
    log.warn({ err: error, dropped: batch.length }, "requests could not be logged");
  }
}

function rowOf(
  { endpoint, actor, method, url, address, sent, status, answer, requestId, started, ended }: PendingRequest,
  now: number,
): object {
  const { pathname } = new URL(url, "http://localhost");
  return {
    id: newId("req"),
    ...tenantOf(actor),
    method,
    path: redactText(pathname.replace(/^\/api/, "")).slice(0, 500),
    query: redactQuery(queryOf({ url }), endpoint),
    status,
    duration_ms: Math.round((ended - started) * 100) / 100,
    request_id: requestId,
    actor_type: actor.who.type,
    actor_id: actor.who.id,
    address,
    request_body: redactBody(Buffer.from(sent).toString(), endpoint, "request"),
    response_body: redactBody(answer, endpoint, "answer"),
    // By the clock that the request had.
    age_ms: now - started - actor.clockAhead,
  };
}
