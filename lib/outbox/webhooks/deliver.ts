import { randomUUID } from "node:crypto";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { pollMs } from "@/lib/core/env";
import { firstIdAt } from "@/lib/core/id";
import { type LaneState, startLanes } from "@/lib/core/lanes";
import { log } from "@/lib/core/log";
import { observed } from "@/lib/core/observe";
import { isSuccess } from "@/lib/core/webhook-success";
import { iso } from "@/lib/http/list";
import type { Event } from "@/lib/resources/events/contract";
import { messageOf } from "@/lib/resources/events/payload-contract";
import { events } from "@/lib/resources/events/resource";
import type { EventType } from "@/lib/resources/events/types";
import { mayCallLocalhost, type Outcome, post } from "./client";
import { failPending } from "./failing";
import { settle } from "./settle";
import { signedHeaders } from "./sign";

/** Delivery attempts, per process. */
const maxInFlight = 400;
/** For failing or slow endpoints, so that healthy ones always have capacity. */
const maxLaggingInFlight = 200;
const maxInFlightPerBusiness = 40;
const maxLaggingInFlightPerBusiness = 16;
/** Capacity that only businesses with fewer than `maxFromReserve` attempts in flight may use. */
const reservedInFlight = 100;
const maxFromReserve = 4;
const maxInFlightPerEndpoint = 8;
const maxInFlightWhenFailing = 1;
/** An endpoint counts as slow after this time without a response. */
const slowMs = 2_000;
/** Longer than an attempt and its settling. After it, another worker claims the deliveries of a dead one. */
const leaseSeconds = 60;

interface Claimed {
  id: string;
  endpoint_id: string;
  event_id: string | null;
  type: EventType;
  business_id: number;
  livemode: boolean;
  created_at: string;
  tries: number;
  url: string;
  secrets: string[];
  enabled: boolean;
  failing: boolean;
  /** Null for a sample. */
  event: Event | null;
}

interface Delivery extends Claimed {
  lane: { key: string; group: string };
  claim: string;
}

/**
 * Endpoints with due deliveries. Skips from endpoint to endpoint along the index of pending deliveries: the cost is the
 * number of endpoints, not of deliveries. Fails the pending deliveries of disabled endpoints.
 */
async function findDue(): Promise<{ key: string; group: string; failing: boolean }[]> {
  const found = await queryRows<{ key: string; group: string; failing: boolean; ended: boolean }>(
    db,
    Prisma.sql`
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id FROM webhook_delivery WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id
               ORDER BY d.endpoint_id LIMIT 1)
        FROM waiting w WHERE w.endpoint_id IS NOT NULL)
    SELECT e.id AS key, e.business_id::text AS group, e.failing_since IS NOT NULL AS failing, ended
      FROM waiting w JOIN webhook_endpoint e ON e.id = w.endpoint_id
     CROSS JOIN LATERAL (SELECT e.status <> 'enabled' OR e.deleted_at IS NOT NULL AS ended) AS state
     WHERE ended OR EXISTS (SELECT FROM webhook_delivery d
                             WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= now())`,
  );
  const ended = found.filter(({ ended }) => ended).map(({ key }) => key);
  if (ended.length > 0)
    await failPending(db, ended).catch((err: unknown) =>
      log.warn({ err }, "could not fail the deliveries of disabled endpoints; will try again"),
    );
  return found.filter(({ ended }) => !ended);
}

/**
 * Claims due deliveries and reads their events, in one statement: if the events cannot be read, nothing is claimed. Safe to
 * run concurrently, without waiting. If a dead worker held a delivery, its attempt is recorded with an unknown outcome.
 * @param wanted number of deliveries by endpoint
 */
function claimDue(claim: string, wanted: Map<string, number>): Promise<Claimed[]> {
  return queryRows<Claimed>(
    db,
    Prisma.sql`
    WITH due AS (
      SELECT d.id, d.claim AS dead, d.business_id, d.livemode
        FROM unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[]) AS wanted(endpoint_id, share)
       CROSS JOIN LATERAL (
         SELECT id, claim, business_id, livemode FROM webhook_delivery
          WHERE endpoint_id = wanted.endpoint_id AND status = 'pending' AND next_attempt_at <= now()
          ORDER BY next_attempt_at LIMIT wanted.share FOR UPDATE SKIP LOCKED) AS d
    ), died AS (
      INSERT INTO webhook_attempt (id, delivery_id, error, latency_ms, created_at)
      SELECT ${firstIdAt("wha", new Date())} || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), id,
             'Paydesk was stopped during the attempt. It is unknown whether the request arrived.', 0,
             business_time(business_id, livemode)
        FROM due WHERE dead IS NOT NULL
    ), claimed AS (
      UPDATE webhook_delivery d
         SET claim = ${claim}, next_attempt_at = now() + make_interval(secs => ${leaseSeconds}::int),
             attempt_count = attempt_count + CASE WHEN due.dead IS NULL THEN 0 ELSE 1 END
        FROM due WHERE d.id = due.id
      RETURNING d.id, d.endpoint_id, d.event_id, d.type, d.business_id, d.livemode, d.created_at, d.tries)
    SELECT c.id, c.endpoint_id, c.event_id, c.type, c.business_id, c.livemode, ${iso("c.created_at")} AS created_at, c.tries,
           e.url, CASE WHEN e.previous_expires_at > now() THEN ARRAY[e.secret, e.previous_secret] ELSE ARRAY[e.secret] END AS secrets,
           e.status = 'enabled' AND e.deleted_at IS NULL AS enabled, e.failing_since IS NOT NULL AS failing,
           (SELECT row_to_json(shown) FROM (SELECT ${events.columns()} FROM event WHERE event.id = c.event_id) AS shown) AS event
      FROM claimed c JOIN webhook_endpoint e ON e.id = c.endpoint_id`,
  );
}

const isLagging = ({ failing, slow, inFlight, waitingSince }: LaneState): boolean =>
  failing || slow || (inFlight > 0 && performance.now() - waitingSince > slowMs);

/**
 * Distributes free capacity round-robin over endpoints, within the limits per process, business and endpoint. Lagging
 * endpoints have lower limits, so that they never use up the capacity of healthy ones.
 */
export function shareDeliveries(ready: LaneState[], all: LaneState[]): Map<string, number> {
  const wanted = new Map<string, number>();
  const total = { inFlight: 0, lagging: 0 };
  const businesses = new Map<string, typeof total>();
  for (const lane of all) {
    const own = businesses.get(lane.group) ?? { inFlight: 0, lagging: 0 };
    businesses.set(lane.group, own);
    for (const counts of [total, own]) {
      counts.inFlight += lane.inFlight;
      if (isLagging(lane)) counts.lagging += lane.inFlight;
    }
  }
  const hasRoom = (own: typeof total, lagging: boolean) =>
    total.inFlight < maxInFlight &&
    own.inFlight < (total.inFlight < maxInFlight - reservedInFlight ? maxInFlightPerBusiness : maxFromReserve) &&
    (!lagging || (total.lagging < maxLaggingInFlight && own.lagging < maxLaggingInFlightPerBusiness));
  for (let round = 1, added = true; added && round <= maxInFlightPerEndpoint; round++) {
    added = false;
    for (const lane of ready) {
      const own = businesses.get(lane.group);
      const lagging = isLagging(lane);
      const open = (lane.failing ? maxInFlightWhenFailing : maxInFlightPerEndpoint) - lane.inFlight;
      if (!own || open < round || !hasRoom(own, lagging)) continue;
      wanted.set(lane.key, round);
      for (const counts of [total, own]) {
        counts.inFlight++;
        if (lagging) counts.lagging++;
      }
      added = true;
    }
  }
  return wanted;
}

/** Claims due deliveries. Those of an endpoint that was disabled just now fail in the next `findDue`. */
async function claim(wanted: Map<string, number>): Promise<Delivery[]> {
  const claim = randomUUID();
  const claimed = await claimDue(claim, wanted);
  const open = claimed.filter(({ enabled }) => enabled);
  return open.map((delivery) => ({
    ...delivery,
    lane: { key: delivery.endpoint_id, group: String(delivery.business_id) },
    claim,
  }));
}

/** Posts a delivery and settles it. An attempt interrupted by shutdown does not count as a failure. */
async function deliver(delivery: Delivery, stopping: AbortSignal) {
  const { id, business_id, livemode, endpoint_id, url, tries, claim, event_id } = delivery;
  const sample = event_id === null;
  const outcome = await observed("webhook", "deliver", () => attempt(delivery, stopping), wordOf);
  const interrupted = stopping.aborted && !isSuccess(outcome);
  if (interrupted) outcome.error = "Paydesk was stopped during the attempt.";
  await settle({ id, business_id, livemode, endpoint_id, url, sample, tries, claim, outcome, interrupted });
  return { slow: outcome.latency_ms > slowMs, ...(!sample && { failing: !isSuccess(outcome) }) };
}

const wordOf = (outcome: Outcome): string =>
  isSuccess(outcome) ? "delivered" : outcome.status === null ? "unreachable" : "refused";

export const startDeliveries = (): (() => Promise<void>) =>
  startLanes<Delivery>({
    name: "webhooks",
    pollMs: pollMs(1),
    graceMs: 5_000,
    findDue,
    share: shareDeliveries,
    claim,
    run: deliver,
  });

async function attempt(claimed: Claimed, stopping: AbortSignal): Promise<Outcome> {
  try {
    const message = messageOf(claimed);
    const headers = signedHeaders(
      { endpointId: claimed.endpoint_id, secrets: claimed.secrets },
      message.id,
      message.body,
    );
    return await post(claimed.url, headers, message.body, { local: mayCallLocalhost(claimed.livemode), stopping });
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    log.error({ reason, webhook_delivery: claimed.id }, "a webhook could not be signed");
    return { status: null, error: "Paydesk could not sign it. Rotate the secret.", latency_ms: 0, response: null };
  }
}
