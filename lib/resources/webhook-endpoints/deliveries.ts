import { type Actor, tenantOf } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { firstIdAt, newId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { iso } from "@/lib/http/list";
import { type EventType, eventTypeNames } from "@/lib/resources/events/types";
import {
  type DeliveryListQuery,
  maxDaysBeforeFailing,
  maxRedelivered,
  maxRedeliveredIds,
  type WebhookDelivery,
  type WebhookDeliveryWithAttempts,
  type WebhookEndpoint,
} from "./contract";
import { webhookDeliveries, webhookEndpoints } from "./resource";

/** Attempts that a delivery shows: more than two rounds of the schedule. */
const maxAttempts = 50;

const shown = Prisma.sql`
  AND EXISTS (SELECT FROM webhook_endpoint e WHERE e.id = endpoint_id AND e.deleted_at IS NULL)`;

/** @throws ApiError not_found, also where its endpoint is deleted */
const find = (tx: Db, actor: Actor, id: string): Promise<WebhookDelivery> =>
  webhookDeliveries.get(tx, actor, id, shown);

/** A delivery with its attempts. @throws ApiError not_found */
export async function getDelivery(tx: Db, actor: Actor, id: string): Promise<WebhookDeliveryWithAttempts> {
  const delivery = await find(tx, actor, id);
  const attempts = await queryRows<WebhookDeliveryWithAttempts["attempts"][number]>(
    tx,
    Prisma.sql`
    SELECT id AS _id, status, error, latency_ms, ${iso("created_at")} AS created_at, response
      FROM webhook_attempt WHERE delivery_id = ${id}
     ORDER BY webhook_attempt.created_at DESC, id DESC LIMIT ${maxAttempts}`,
  );
  return { ...delivery, attempts };
}

/** @throws ApiError not_found */
export async function listDeliveries(
  tx: Db,
  actor: Actor,
  endpointId: string,
  query: DeliveryListQuery,
): Promise<Page<WebhookDelivery>> {
  await webhookEndpoints.get(tx, actor, endpointId);
  return webhookDeliveries.list(tx, actor, query, [Prisma.sql`endpoint_id = ${endpointId}`]);
}

/**
 * Runs `work` while it locks the endpoint as enabled.
 * @param work gets `failing_since` in system time
 * @throws ApiError not_found, webhook_endpoint_disabled
 */
function whileEnabled<T>(
  tx: Db,
  actor: Actor,
  endpointId: string,
  work: (tx: Db, endpoint: WebhookEndpoint, failingSince: Date | null) => Promise<T>,
): Promise<T> {
  return transaction(tx, async (tx) => {
    const [locked] = await queryRows<{ failing_since: Date | null }>(
      tx,
      Prisma.sql`
      SELECT failing_since FROM webhook_endpoint WHERE id = ${endpointId} AND ${webhookEndpoints.ownedBy(actor)} FOR SHARE`,
    );
    const endpoint = await webhookEndpoints.get(tx, actor, endpointId);
    if (endpoint.status === "disabled") throw new ApiError("webhook_endpoint_disabled");
    return work(tx, endpoint, locked?.failing_since ?? null);
  });
}

/**
 * Sends the example of an event type: a delivery without an event, tried once.
 * @throws ApiError not_found, webhook_endpoint_disabled
 */
export function sendSample(tx: Db, actor: Actor, endpointId: string, type: EventType): Promise<WebhookDelivery> {
  return whileEnabled(tx, actor, endpointId, async (tx) => {
    return webhookDeliveries.insert(tx, { id: newId("whd"), ...tenantOf(actor), endpoint_id: endpointId, type });
  });
}

/** Due now, with a new schedule. */
const dueAgain = Prisma.sql`
  status = 'pending', next_attempt_at = clock_timestamp(), tries = 0, succeeded_at = NULL, claim = NULL`;

/**
 * Makes a delivery due now, whatever its status.
 * @throws ApiError not_found, webhook_endpoint_disabled
 */
export async function redeliver(tx: Db, actor: Actor, id: string): Promise<WebhookDelivery> {
  const { webhook_endpoint_id } = await find(tx, actor, id);
  return whileEnabled(tx, actor, webhook_endpoint_id, async (tx) => {
    const idle = Prisma.sql`(status <> 'pending' OR claim IS NULL)`;
    return (await webhookDeliveries.update(tx, actor, id, dueAgain, idle)) ?? find(tx, actor, id);
  });
}

/** SQL: whether a delivery was attempted since its endpoint has been failing, or up to a minute before: computers' clocks differ. */
function attemptedSince(failingSince: Date | null): Prisma.Sql {
  if (!failingSince) return Prisma.sql`false`;
  const from = new Date(failingSince.getTime() - 60_000);
  const oldest = new Date(from.getTime() - maxDaysBeforeFailing * 86_400_000);
  // Other times of a delivery and an attempt follow the test clock, ids the system's. A test clock is never behind.
  // With EXISTS, PostgreSQL might join all attempts instead of looking up those of each delivery.
  return Prisma.sql`
    created_at >= ${oldest}::timestamptz
    AND (SELECT true FROM webhook_attempt a
          WHERE a.delivery_id = webhook_delivery.id AND a.id >= ${firstIdAt("wha", from)} LIMIT 1)`;
}

interface Redelivered {
  redelivered: number;
  delivery_ids: string[];
  has_more: boolean;
}

/**
 * Makes failed deliveries due now, and those that wait for another attempt: at most `limit` of each, the oldest of the failed
 * and the first due of the waiting. The cost grows with the endpoint's failed deliveries since then, also of those left for later.
 * Leaves out samples, and deliveries that a worker is sending.
 * @param since failed ones created from then on, by the business's clock; null: those attempted since `failing_since`
 * @throws ApiError not_found, webhook_endpoint_disabled
 */
export function redeliverFailed(
  tx: Db,
  actor: Actor,
  endpointId: string,
  since: Date | null,
  limit: number = maxRedelivered,
): Promise<WebhookEndpoint & Redelivered> {
  const ofEvents = Prisma.sql`endpoint_id = ${endpointId} AND ${webhookDeliveries.ownedBy(actor)} AND event_id IS NOT NULL`;
  return whileEnabled(tx, actor, endpointId, async (tx, endpoint, failingSince) => {
    const recent = since ? Prisma.sql`created_at >= ${since}::timestamptz` : attemptedSince(failingSince);
    const [row] = await queryRows<Redelivered>(
      tx,
      Prisma.sql`
      -- With arrays of ids, PostgreSQL looks up each of them.
      -- The condition on all types lets it use the index of failed deliveries. Ordered by created_at itself, it might read another.
      -- A locked one is just being claimed or made due. Waiting for it, while its worker waits for the endpoint, would be a deadlock.
      WITH failed AS (
        UPDATE webhook_delivery SET ${dueAgain} WHERE id = ANY (ARRAY(
          SELECT id FROM webhook_delivery
           WHERE ${ofEvents} AND type = ANY (${eventTypeNames}::text[]) AND status = 'failed' AND ${recent}
           ORDER BY created_at + interval '0', id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
        RETURNING id
      ), waiting AS (
        UPDATE webhook_delivery SET ${dueAgain} WHERE id = ANY (ARRAY(
          SELECT id FROM webhook_delivery WHERE ${ofEvents} AND status = 'pending' AND tries > 0 AND claim IS NULL
           ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))
        RETURNING id
      ), counted AS (
        SELECT (SELECT count(*) FROM failed) AS failed, (SELECT count(*) FROM waiting) AS waiting)
      SELECT (failed + waiting)::int AS redelivered, greatest(failed, waiting) >= ${limit} AS has_more,
             ARRAY(SELECT id FROM failed UNION ALL SELECT id FROM waiting LIMIT ${maxRedeliveredIds}) AS delivery_ids
        FROM counted`,
    );
    if (!row) throw new Error("A SELECT without a row.");
    return { ...endpoint, ...row };
  });
}
