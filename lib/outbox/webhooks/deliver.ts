import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { iso } from "@/lib/http/list";
import type { Event } from "@/lib/resources/events/contract";
import { exampleOf } from "@/lib/resources/events/examples";
import { eventsById } from "@/lib/resources/events/resource";
import type { EventType } from "@/lib/resources/events/types";
import { mayCallLocalhost, type Outcome, post } from "./client";
import { failPending } from "./failing";
import { isSuccess, settle } from "./settle";
import { signedHeaders } from "./sign";

/** Attempts under way at a time in one process. */
const most = 400;
/** Of these, so many to endpoints that fail or take their time: there is always room for the others. */
const mostLagging = 200;
/** And so many to the endpoints of one business; of the last hundred places only whoever has fewer than four gets one. */
const mostOfBusiness = 40;
const mostLaggingOfBusiness = 16;
const reserve = 100;
const mostWithReserve = 4;
/** To one endpoint at a time, and to one that fails. */
const lanes = 8;
const lanesWhenFailing = 1;
/** An endpoint whose last answer took longer (milliseconds), or that owes one for so long, is one that takes its time. */
const slow = 2_000;
/** Longer than an attempt and its settling take. A process that died with an attempt is relieved after that. */
const leaseSeconds = 60;
const lookEvery = 1_000;
/** What is under way when the process stops may take so long (milliseconds) to end by itself. */
const grace = 5_000;

/** What this process knows of an endpoint that it is at work for. */
interface Lane {
  business: number;
  inFlight: number;
  /** Since when something has been under way and no answer has come, by performance.now(). */
  waitingSince: number;
  failing: boolean;
  slow: boolean;
}

const isLagging = ({ failing, slow: late, inFlight, waitingSince }: Lane): boolean =>
  failing || late || (inFlight > 0 && performance.now() - waitingSince > slow);

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
  takes: boolean;
  failing: boolean;
}

/**
 * Endpoints with something due. Goes from endpoint to endpoint along the index of what is pending, so it costs as much as
 * there are endpoints with something pending, however much that is.
 */
function findDue(): Promise<{ id: string; business_id: number; failing: boolean }[]> {
  return queryRows(
    db,
    Prisma.sql`
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id FROM webhook_delivery WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id
               ORDER BY d.endpoint_id LIMIT 1)
        FROM waiting w WHERE w.endpoint_id IS NOT NULL)
    SELECT e.id, e.business_id, e.failing_since IS NOT NULL AS failing FROM waiting w JOIN webhook_endpoint e ON e.id = w.endpoint_id
     WHERE EXISTS (SELECT FROM webhook_delivery d
                    WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= now())`,
  );
}

/**
 * Claims what is due, so many of each endpoint. Any number of processes may: none waits for another, and none gets what
 * another has. Whoever died with one gets no answer: the attempt is written down by who takes it over.
 */
function claimDue(claim: string, wanted: Map<string, number>): Promise<Claimed[]> {
  return queryRows<Claimed>(
    db,
    Prisma.sql`
    WITH due AS (
      SELECT d.id, d.claim AS dead
        FROM unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[]) AS wanted(endpoint_id, most)
       CROSS JOIN LATERAL (
         SELECT id, claim FROM webhook_delivery
          WHERE endpoint_id = wanted.endpoint_id AND status = 'pending' AND next_attempt_at <= now()
          ORDER BY next_attempt_at LIMIT wanted.most FOR UPDATE SKIP LOCKED) AS d
    ), died AS (
      INSERT INTO webhook_attempt (id, delivery_id, error, latency_ms)
      SELECT 'wha_' || substr(id, 5, 10) || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), id,
             'Paydesk was stopped during the attempt: nobody knows whether it arrived.', 0
        FROM due WHERE dead IS NOT NULL
    ), claimed AS (
      UPDATE webhook_delivery d
         SET claim = ${claim}, next_attempt_at = now() + make_interval(secs => ${leaseSeconds}::int),
             attempt_count = attempt_count + CASE WHEN due.dead IS NULL THEN 0 ELSE 1 END
        FROM due WHERE d.id = due.id
      RETURNING d.id, d.endpoint_id, d.event_id, d.type, d.business_id, d.livemode, d.created_at, d.tries)
    SELECT c.id, c.endpoint_id, c.event_id, c.type, c.business_id, c.livemode, ${iso("c.created_at")} AS created_at, c.tries,
           e.url, CASE WHEN e.previous_expires_at > now() THEN ARRAY[e.secret, e.previous_secret] ELSE ARRAY[e.secret] END AS secrets,
           e.status = 'enabled' AND e.deleted_at IS NULL AS takes, e.failing_since IS NOT NULL AS failing
      FROM claimed c JOIN webhook_endpoint e ON e.id = c.endpoint_id`,
  );
}

/** What is posted: the event as the API shows it, and the time by its name in Standard Webhooks. The same at every attempt. */
function messageOf({ id, type, created_at, business_id, livemode }: Claimed, event: Event | undefined) {
  if (event) return { id: event._id, body: JSON.stringify({ ...event, timestamp: event.created_at }) };
  const own = { _id: id, created_at, business_id, livemode, actor: { type: "system", id: null }, request_id: null };
  return { id, body: JSON.stringify({ ...exampleOf(type), ...own, timestamp: created_at, sample: true }) };
}

/** Delivers what is due, until it is stopped. */
export function startDeliveries(): () => Promise<void> {
  const known = new Map<string, Lane>();
  /** Endpoints that may have more that is due. */
  const hot = new Set<string>();
  const underWay = new Set<Promise<void>>();
  const breakOff = new AbortController();
  let stopped = false;
  let pumping: Promise<void> | null = null;
  let soon: NodeJS.Timeout | undefined;

  const laneOf = (id: string, business: number): Lane => {
    const lane = known.get(id) ?? { business, inFlight: 0, waitingSince: 0, failing: false, slow: false };
    known.set(id, lane);
    return lane;
  };

  /** How many to claim for each endpoint: one each in turn, as long as there is room for all, and for its business. */
  function wantedNow(): Map<string, number> {
    const wanted = new Map<string, number>();
    const all = { taken: underWay.size, lagging: 0 };
    const businesses = new Map<number, typeof all>();
    for (const lane of known.values()) {
      const own = businesses.get(lane.business) ?? { taken: 0, lagging: 0 };
      businesses.set(lane.business, own);
      own.taken += lane.inFlight;
      if (!isLagging(lane)) continue;
      own.lagging += lane.inFlight;
      all.lagging += lane.inFlight;
    }
    const hasRoom = (own: typeof all, lagging: boolean) =>
      all.taken < most &&
      own.taken < (all.taken < most - reserve ? mostOfBusiness : mostWithReserve) &&
      (!lagging || (all.lagging < mostLagging && own.lagging < mostLaggingOfBusiness));
    for (let round = 1, added = true; added && round <= lanes; round++) {
      added = false;
      for (const id of hot) {
        const lane = known.get(id);
        const own = lane && businesses.get(lane.business);
        if (!lane || !own) continue;
        const lagging = isLagging(lane);
        const open = (lane.failing ? lanesWhenFailing : lanes) - lane.inFlight;
        if (open < round || !hasRoom(own, lagging)) continue;
        wanted.set(id, round);
        for (const counts of [all, own]) {
          counts.taken++;
          if (lagging) counts.lagging++;
        }
        added = true;
      }
    }
    return wanted;
  }

  async function pump(): Promise<void> {
    const wanted = wantedNow();
    if (wanted.size === 0) return;
    // Whoever has more is asked again when an attempt has ended, or at the next look.
    for (const id of wanted.keys()) hot.delete(id);
    const claim = randomUUID();
    const claimed = await claimDue(claim, wanted);
    const closed = claimed.filter(({ takes }) => !takes);
    if (closed.length > 0) await failPending(db, [...new Set(closed.map(({ endpoint_id }) => endpoint_id))]);
    const open = claimed.filter(({ takes }) => takes);
    const eventIds = open.flatMap(({ event_id }) => event_id ?? []);
    const events = eventIds.length > 0 ? await eventsById(db, eventIds) : new Map<string, Event>();
    for (const one of open) {
      const lane = laneOf(one.endpoint_id, one.business_id);
      if (lane.inFlight === 0) lane.waitingSince = performance.now();
      lane.inFlight++;
      lane.failing = one.failing;
      const work = deliver(one, lane, claim, events.get(one.event_id ?? "")).finally(() => {
        underWay.delete(work);
        lane.inFlight--;
        lane.waitingSince = performance.now();
        hot.add(one.endpoint_id);
        wake();
      });
      underWay.add(work);
    }
    for (const [id, { inFlight }] of known) if (inFlight === 0 && !hot.has(id)) known.delete(id);
  }

  async function deliver(one: Claimed, lane: Lane, claim: string, event: Event | undefined): Promise<void> {
    const sample = one.event_id === null;
    const outcome = await attempt(one, event, breakOff.signal);
    lane.slow = outcome.latency_ms > slow;
    if (!sample) lane.failing = !isSuccess(outcome);
    const interrupted = breakOff.signal.aborted && !isSuccess(outcome);
    if (interrupted) outcome.error = "Paydesk was stopped during the attempt.";
    const { id, endpoint_id, url, tries } = one;
    await settle({ id, endpoint_id, url, sample, tries, claim, outcome, interrupted });
  }

  /** Pumps shortly, once for all who ask meanwhile. */
  function wake(): void {
    if (stopped || pumping || soon) return;
    soon = setTimeout(() => {
      soon = undefined;
      pumping = pump()
        .catch((err: unknown) => log.warn({ err }, "webhooks could not be claimed; they will be"))
        .finally(() => {
          pumping = null;
          if (hot.size > 0 && wantedNow().size > 0) wake();
        });
    }, 10);
  }

  async function look(): Promise<void> {
    for (const { id, business_id, failing } of await findDue()) {
      laneOf(id, business_id).failing = failing;
      hot.add(id);
    }
    wake();
  }

  const looking = (async () => {
    while (!stopped) {
      await look().catch((err: unknown) => log.warn({ err }, "could not look for webhooks; it will be done again"));
      await sleep(lookEvery, undefined, { signal: breakOff.signal }).catch(() => undefined);
    }
  })();

  return async () => {
    stopped = true;
    clearTimeout(soon);
    await pumping;
    await Promise.race([Promise.all(underWay), sleep(grace, undefined, { ref: false })]);
    breakOff.abort();
    await Promise.all([...underWay, looking]);
  };
}

async function attempt(one: Claimed, event: Event | undefined, stopping: AbortSignal): Promise<Outcome> {
  try {
    const message = messageOf(one, event);
    const headers = signedHeaders({ endpointId: one.endpoint_id, secrets: one.secrets }, message.id, message.body);
    return await post(one.url, headers, message.body, { local: mayCallLocalhost(one.livemode), stopping });
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    log.error({ reason, webhook_delivery: one.id }, "a webhook could not be made");
    return { status: null, error: "Paydesk could not sign it. Rotate the secret.", latency_ms: 0, response: null };
  }
}
