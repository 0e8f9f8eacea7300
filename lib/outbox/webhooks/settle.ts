import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseAway } from "@/lib/core/database-error";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { isSuccess } from "@/lib/core/webhook-success";
import type { Outcome } from "./client";
import { disableGone, failPending, recordFailure } from "./failing";
import { pauseAfter } from "./schedule";

export interface Attempted {
  id: string;
  business_id: number;
  livemode: boolean;
  endpoint_id: string;
  url: string;
  sample: boolean;
  tries: number;
  claim: string;
  outcome: Outcome;
  /** Whether shutdown interrupted it. Then it does not count as a failure. */
  interrupted: boolean;
}

/** Attempts that end together must not use all database connections. */
const maxSettling = 4;
/** How long to retry while the database is unreachable. Ends before the lease does. */
const retryMs = 40_000;

let free = maxSettling;
const queue: (() => void)[] = [];

/**
 * Records an attempt and updates its delivery and endpoint. If that fails, the delivery is sent again after the lease
 * (at-least-once).
 */
export async function settle(attempted: Attempted): Promise<void> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => queue.push(resolve));
  try {
    for (const deadline = Date.now() + retryMs; ; await sleep(500)) {
      try {
        await write(attempted);
        return;
      } catch (err) {
        if (!isDatabaseAway(err) || Date.now() > deadline) throw err;
      }
    }
  } catch (err) {
    log.warn({ err, webhook_delivery: attempted.id }, "a webhook attempt could not be recorded");
  } finally {
    const next = queue.shift();
    if (next) next();
    else free++;
  }
}

function write(attempted: Attempted): Promise<unknown> {
  const { endpoint_id, url, sample, outcome, interrupted } = attempted;
  if (isSuccess(outcome) && !interrupted) return queryRows(db, succeeded(attempted));
  return transaction(db, async (tx) => {
    // Every transaction locks the endpoint before its deliveries, to prevent deadlocks.
    const recordOn = outcome.status === 410 ? disableGone : recordFailure;
    const disabled = !(sample || interrupted) && (await recordOn(tx, endpoint_id, url));
    await failed(tx, attempted);
    if (disabled) await failPending(tx, [endpoint_id]);
  });
}

function attempt({ id, business_id, livemode, outcome }: Attempted): Prisma.Sql {
  const { status, error, latency_ms, response } = outcome;
  return Prisma.sql`
    INSERT INTO webhook_attempt (id, delivery_id, status, error, latency_ms, response, created_at)
    VALUES (${newId("wha")}, ${id}, ${status}::int, ${error}, ${latency_ms}::int, ${response},
            business_time(${business_id}, ${livemode}) - make_interval(secs => ${latency_ms / 1000}::float8))`;
}

/** A success counts even if another worker has claimed the delivery since. It clears `failing_since`. */
function succeeded(attempted: Attempted): Prisma.Sql {
  const { id, endpoint_id, url, sample } = attempted;
  return Prisma.sql`
    WITH attempted AS (${attempt(attempted)}), endpoint AS (
      UPDATE webhook_endpoint SET failing_since = NULL, warned_at = NULL
       WHERE id = ${endpoint_id} AND url = ${url} AND failing_since IS NOT NULL AND NOT ${sample}::boolean
      RETURNING id)
    UPDATE webhook_delivery
       SET status = 'succeeded', next_attempt_at = NULL, claim = NULL, attempt_count = attempt_count + 1,
           succeeded_at = business_time(business_id, livemode)
     -- Counted, so that the endpoint is locked before its delivery.
     WHERE id = ${id} AND (SELECT count(*) FROM endpoint) >= 0`;
}

/** A failure changes the delivery only while this attempt holds the claim. */
async function failed(tx: Db, attempted: Attempted): Promise<void> {
  const { id, claim, sample, interrupted } = attempted;
  const tries = attempted.tries + (interrupted ? 0 : 1);
  const pause = interrupted ? 0 : sample ? null : pauseAfter(tries);
  const holdsClaim = Prisma.sql`claim = ${claim}`;
  // A disabled endpoint has failed the delivery already.
  const retries = Prisma.sql`(status = 'pending' AND ${pause}::float8 IS NOT NULL)`;
  await queryRows(
    tx,
    Prisma.sql`
    WITH attempted AS (${attempt(attempted)})
    UPDATE webhook_delivery
       SET attempt_count = attempt_count + 1,
           tries = CASE WHEN ${holdsClaim} THEN ${tries}::int ELSE tries END,
           status = CASE WHEN NOT coalesce(${holdsClaim}, false) THEN status WHEN ${retries} THEN 'pending' ELSE 'failed' END,
           next_attempt_at = CASE WHEN NOT coalesce(${holdsClaim}, false) THEN next_attempt_at
             WHEN ${retries} THEN clock_timestamp() + make_interval(secs => ${pause}::float8 / 1000) END,
           claim = CASE WHEN ${holdsClaim} THEN NULL ELSE claim END
     WHERE id = ${id}`,
  );
}
