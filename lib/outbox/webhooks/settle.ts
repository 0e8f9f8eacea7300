import { setTimeout as sleep } from "node:timers/promises";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { isDatabaseAway } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { Outcome } from "./client";
import { disableGone, failPending, recordFailure } from "./failing";
import { pauseAfter } from "./schedule";

/** An attempt that has ended. */
export interface Attempted {
  id: string;
  endpoint_id: string;
  url: string;
  sample: boolean;
  /** Failed tries before this one. */
  tries: number;
  /** By which the delivery was claimed. */
  claim: string;
  outcome: Outcome;
  /** Whether it was broken off because this process stops: it is no failure of the receiver's. */
  interrupted: boolean;
}

/** As many settle at a time: attempts that end together must not take all of the database's connections. */
const side = 4;
/** A database that is away is asked again for so long (milliseconds); by then the claim has ended anyway. */
const patience = 40_000;

let free = side;
const queue: (() => void)[] = [];

export const isSuccess = ({ status, error }: Outcome): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/**
 * Writes down what came of an attempt, and what follows from it for the delivery and its endpoint. What cannot be written
 * is delivered again when the claim has ended.
 */
export async function settle(attempted: Attempted): Promise<void> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => queue.push(resolve));
  try {
    for (const deadline = Date.now() + patience; ; await sleep(500)) {
      try {
        await write(attempted);
        return;
      } catch (err) {
        if (!isDatabaseAway(err) || Date.now() > deadline) throw err;
      }
    }
  } catch (err) {
    log.warn({ err, webhook_delivery: attempted.id }, "a webhook attempt could not be written down");
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
    // The endpoint before its deliveries, as everybody locks them.
    const judged = sample || interrupted;
    const gone = !judged && outcome.status === 410;
    const disabled =
      !judged && (gone ? await disableGone(tx, endpoint_id, url) : await recordFailure(tx, endpoint_id, url));
    await failed(tx, attempted, gone);
    if (disabled) await failPending(tx, [endpoint_id]);
  });
}

function attempt({ id, outcome: { status, error, latency_ms, response } }: Attempted): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO webhook_attempt (id, delivery_id, status, error, latency_ms, response, created_at)
    VALUES (${newId("wha")}, ${id}, ${status}::int, ${error}, ${latency_ms}::int, ${response},
            clock_timestamp() - make_interval(secs => ${latency_ms / 1000}::float8))`;
}

/** A success counts whoever has claimed the delivery by now; it also ends the endpoint's failing. */
function succeeded(attempted: Attempted): Prisma.Sql {
  const { id, endpoint_id, url, sample } = attempted;
  return Prisma.sql`
    WITH attempted AS (${attempt(attempted)}), endpoint AS (
      UPDATE webhook_endpoint SET failing_since = NULL, warned_at = NULL
       WHERE id = ${endpoint_id} AND url = ${url} AND failing_since IS NOT NULL AND NOT ${sample}::boolean)
    UPDATE webhook_delivery
       SET status = 'succeeded', next_attempt_at = NULL, claim = NULL, attempt_count = attempt_count + 1,
           succeeded_at = clock_timestamp()
     WHERE id = ${id}`;
}

/** A failure counts for the delivery as long as the claim is this attempt's. */
async function failed(tx: Db, attempted: Attempted, gone: boolean): Promise<void> {
  const { id, claim, sample, interrupted } = attempted;
  const tries = attempted.tries + (interrupted ? 0 : 1);
  const pause = interrupted ? 0 : sample || gone ? null : pauseAfter(tries);
  const mine = Prisma.sql`claim = ${claim}`;
  // Its endpoint may have been disabled meanwhile: then it has failed already.
  const again = Prisma.sql`(status = 'pending' AND ${pause}::float8 IS NOT NULL)`;
  await queryRows(
    tx,
    Prisma.sql`
    WITH attempted AS (${attempt(attempted)})
    UPDATE webhook_delivery
       SET attempt_count = attempt_count + 1,
           tries = CASE WHEN ${mine} THEN ${tries}::int ELSE tries END,
           status = CASE WHEN NOT coalesce(${mine}, false) THEN status WHEN ${again} THEN 'pending' ELSE 'failed' END,
           next_attempt_at = CASE WHEN NOT coalesce(${mine}, false) THEN next_attempt_at
             WHEN ${again} THEN clock_timestamp() + make_interval(secs => ${pause}::float8 / 1000) END,
           claim = CASE WHEN ${mine} THEN NULL ELSE claim END
     WHERE id = ${id}`,
  );
}
