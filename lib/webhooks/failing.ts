import { type Db, Prisma, queryRows, type SqlTransaction } from "../db";
import { log } from "../log";
import { disableAfter, noticeBeforeDisabling, warnAfter } from "./schedule";

/** An endpoint that has taken nothing for days, as its people are told of it. */
export interface FailingEndpoint {
  id: string;
  business_id: number;
  livemode: boolean;
  url: string;
  failing_since: Date;
}

/** Tells the business's people that an endpoint will be disabled unless it takes something. Written in the caller's transaction. */
export async function warnOfFailingEndpoint(_tx: Db | SqlTransaction, endpoint: FailingEndpoint): Promise<void> {
  log.warn({ webhook_endpoint: endpoint.id }, "a webhook endpoint has been failing for days");
}

const named = Prisma.sql`id, business_id, livemode, url, failing_since`;
const ago = (ms: number) => Prisma.sql`clock_timestamp() - make_interval(secs => ${ms / 1000}::float8)`;

/**
 * Writes down that an attempt has failed: failing since now, unless it has been; after two days its people are warned;
 * after five, and at least a day after the warning, it is disabled. An attempt alone decides: nothing else shows that it still fails.
 * @param url where the attempt went: one that has another address by now is not judged
 * @returns whether the endpoint was disabled
 */
export async function noteFailure(tx: SqlTransaction, id: string, url: string): Promise<boolean> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET failing_since = clock_timestamp()
     WHERE id = ${id} AND url = ${url} AND status = 'enabled' AND failing_since IS NULL`,
  );
  const [warned] = await queryRows<FailingEndpoint>(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET warned_at = clock_timestamp()
     WHERE id = ${id} AND url = ${url} AND status = 'enabled' AND warned_at IS NULL AND failing_since <= ${ago(warnAfter)}
    RETURNING ${named}`,
  );
  if (warned) await warnOfFailingEndpoint(tx, warned);
  const disabled = await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'failing'
     WHERE id = ${id} AND url = ${url} AND status = 'enabled' AND failing_since <= ${ago(disableAfter)}
       AND warned_at <= ${ago(noticeBeforeDisabling)}
    RETURNING id`,
  );
  return disabled.length > 0;
}

/** Disables an endpoint that says that it is gone. @returns whether it was disabled */
export async function noteGone(tx: SqlTransaction, id: string, url: string): Promise<boolean> {
  const disabled = await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'gone',
           failing_since = coalesce(failing_since, clock_timestamp())
     WHERE id = ${id} AND url = ${url} AND status = 'enabled'
    RETURNING id`,
  );
  return disabled.length > 0;
}

/**
 * Ends what waits to be delivered to endpoints that take nothing any more. An attempt that is under way is still settled
 * by what comes of it.
 */
export async function failPending(tx: Db | SqlTransaction, endpointIds: string[]): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL
     WHERE endpoint_id = ANY(${endpointIds}::text[]) AND status = 'pending'`,
  );
}
