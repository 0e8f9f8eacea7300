import { db, Prisma, queryRows } from "@/lib/core/db";
import { databaseOf } from "@/lib/gateways/accounts";
import { reasonOfHold } from "@/lib/ledger/compare";
import { openMismatch } from "@/lib/resources/payments/resource";

/** A count of charges, money, deliveries or mails stops here, in each mode, however many rows a backlog has. */
export const maxCounted = 10_000;

/** So many rows are read to find the live ones. */
const maxRead = 10 * maxCounted;

/** A worker takes due work within seconds. */
const lateSeconds = 300;

const cap = Prisma.sql`LIMIT ${maxCounted}::int`;
const mode = Prisma.sql`CASE WHEN livemode THEN 'live' ELSE 'test' END AS mode`;

/**
 * The first rows of each mode: live ones among the first `maxRead` of both modes, so that a test backlog does not hide them, and test ones
 * among the first `maxCounted`.
 * @param rows selects rows in the order of an index, with this limit
 */
const ofEachMode = (rows: (limit: Prisma.Sql) => Prisma.Sql) => Prisma.sql`
  (SELECT * FROM (${rows(Prisma.sql`LIMIT ${maxRead}::int`)}) AS counted WHERE livemode ${cap})
  UNION ALL (SELECT * FROM (${rows(cap)}) AS counted WHERE NOT livemode)`;

/** Seconds since the first of these times. */
const ageOf = (since: string) =>
  Prisma.sql`greatest(extract(epoch FROM clock_timestamp() - min(${Prisma.raw(since)})), 0)::float8`;

export interface JobCount {
  job: string;
  state: "due" | "running" | "later" | "given_up";
  count: number;
  /** Seconds since the first was due. */
  age: number;
}

/** Reads all jobs, because their table has no index by state. `addDueJobs` bounds how many wait. */
export const countJobs = (): Promise<JobCount[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT task_identifier AS job, state, count(*)::int AS count, ${ageOf("run_at")} AS age
      FROM (SELECT task_identifier, run_at,
                   CASE WHEN locked_at IS NOT NULL THEN 'running' WHEN attempts >= max_attempts THEN 'given_up'
                        WHEN run_at <= clock_timestamp() THEN 'due' ELSE 'later' END AS state
              FROM graphile_worker.jobs) AS job
     GROUP BY 1, 2`,
  );

export interface DueCharges {
  kind: "period" | "retry";
  mode: "live" | "test";
  due: number;
  late: number;
  age: number;
}

// `now()`, because `clock_timestamp()` is volatile: no index would serve the condition.
const duePeriods = (limit: Prisma.Sql) => Prisma.sql`
  SELECT 'period' AS kind, livemode, next_charge_at AS since FROM subscription
   WHERE next_charge_at <= now() ORDER BY next_charge_at ${limit}`;

const dueRetries = (limit: Prisma.Sql) => Prisma.sql`
  SELECT 'retry', livemode, next_step_at FROM payment_link
   WHERE next_step_at <= now() AND status = 'Active' ORDER BY next_step_at ${limit}`;

/** Subscriptions whose next period is due, and links of periods whose next retry is due. */
export const countDueCharges = (): Promise<DueCharges[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT kind, ${mode}, count(*)::int AS due, ${ageOf("since")} AS age,
           count(*) FILTER (WHERE since < clock_timestamp() - make_interval(secs => ${lateSeconds}::int))::int AS late
      FROM (${ofEachMode(duePeriods)} UNION ALL ${ofEachMode(dueRetries)}) AS due
     GROUP BY 1, 2`,
  );

export interface OpenMoney {
  what: "unknown_payment" | "mismatch" | "unknown_charge" | "pending_refund";
  mode: "live" | "test";
  count: number;
  age: number;
}

const unknownPayments = (limit: Prisma.Sql) => Prisma.sql`
  SELECT 'unknown_payment' AS what, livemode, started_at AS since FROM payment
   WHERE status = 'unknown' ORDER BY business_id, livemode, created_at ${limit}`;

const mismatches = (limit: Prisma.Sql) => Prisma.sql`
  SELECT 'mismatch', livemode, mismatch_at FROM
    (SELECT livemode, mismatch_at, mismatch_resolved_at FROM payment WHERE mismatch_at IS NOT NULL
      ORDER BY business_id, livemode, mismatch_at ${limit}) AS payment WHERE ${openMismatch()}`;

const unknownCharges = (limit: Prisma.Sql) => Prisma.sql`
  SELECT 'unknown_charge', livemode, created_at FROM
    (SELECT livemode, created_at, status FROM unknown_charge WHERE resolved_at IS NULL
      ORDER BY gateway_account_id ${limit}) AS charge WHERE status = 'open'`;

const pendingRefunds = (limit: Prisma.Sql) => Prisma.sql`
  SELECT 'pending_refund', livemode, created_at FROM refund
   WHERE status = 'pending' ORDER BY asked_at NULLS FIRST, id ${limit}`;

/** Money whose outcome is open or contradicts the books. Age: since the first of them began. */
export const countOpenMoney = (): Promise<OpenMoney[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT what, ${mode}, count(*)::int AS count, ${ageOf("since")} AS age
      FROM (${ofEachMode(unknownPayments)} UNION ALL ${ofEachMode(mismatches)} UNION ALL ${ofEachMode(unknownCharges)}
            UNION ALL ${ofEachMode(pendingRefunds)}) AS open
     GROUP BY 1, 2`,
  );

export interface OutboxCount {
  mode: "live" | "test";
  due: number;
  later: number;
  /** Seconds since the first that waits was made. */
  age: number;
}

/**
 * Endpoints with pending deliveries, each with its first. Skips from endpoint to endpoint along the index, as the worker does:
 * the cost is the number of endpoints, not of deliveries.
 */
const pendingEndpoints = Prisma.sql`
    endpoint AS (
      (SELECT endpoint_id, livemode, next_attempt_at FROM webhook_delivery WHERE status = 'pending'
        ORDER BY endpoint_id, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT further.* FROM endpoint e CROSS JOIN LATERAL (
        SELECT d.endpoint_id, d.livemode, d.next_attempt_at FROM webhook_delivery d
         WHERE d.status = 'pending' AND d.endpoint_id > e.endpoint_id ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1) AS further)`;

const pendingDeliveries = (ofMode: Prisma.Sql) => Prisma.sql`
  SELECT d.* FROM endpoint e CROSS JOIN LATERAL (
    SELECT livemode, next_attempt_at, created_at FROM webhook_delivery
     WHERE status = 'pending' AND endpoint_id = e.endpoint_id ORDER BY next_attempt_at ${cap}) AS d
   WHERE ${ofMode} ${cap}`;

export const countDeliveries = (): Promise<OutboxCount[]> =>
  queryRows(
    db,
    Prisma.sql`
    WITH RECURSIVE ${pendingEndpoints}
    SELECT ${mode}, count(*) FILTER (WHERE next_attempt_at <= clock_timestamp())::int AS due,
           count(*) FILTER (WHERE next_attempt_at > clock_timestamp())::int AS later, ${ageOf("created_at")} AS age
      FROM ((${pendingDeliveries(Prisma.sql`e.livemode`)}) UNION ALL (${pendingDeliveries(Prisma.sql`NOT e.livemode`)})) AS pending
     GROUP BY 1`,
  );

export interface MailCount {
  audience: "staff" | "payers";
  due: number;
  later: number;
  age: number;
}

const queuedMails = (ofAudience: Prisma.Sql) => Prisma.sql`
  SELECT staff, next_attempt_at, created_at FROM email
   WHERE status = 'queued' AND ${ofAudience} ORDER BY staff, business_id, next_attempt_at ${cap}`;

export const countMails = (): Promise<MailCount[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT CASE WHEN staff THEN 'staff' ELSE 'payers' END AS audience,
           count(*) FILTER (WHERE next_attempt_at <= clock_timestamp())::int AS due,
           count(*) FILTER (WHERE next_attempt_at > clock_timestamp())::int AS later, ${ageOf("created_at")} AS age
      FROM ((${queuedMails(Prisma.sql`staff`)}) UNION ALL (${queuedMails(Prisma.sql`NOT staff`)})) AS queued
     GROUP BY 1`,
  );

export interface Lag {
  queue: "webhooks" | "mails";
  /** Seconds since the first delivery or mail was due that no worker has taken. */
  age: number;
}

/**
 * Skips from lane to lane of the mails as well. The cost is the number of lanes. Not of failing endpoints: a worker makes one attempt at
 * a time there, so that a backlog is late by design.
 */
export const readLags = (): Promise<Lag[]> =>
  queryRows(
    db,
    Prisma.sql`
    WITH RECURSIVE ${pendingEndpoints}, lane AS (
      (SELECT staff, business_id, next_attempt_at FROM email WHERE status = 'queued'
        ORDER BY staff, business_id, next_attempt_at LIMIT 1)
      UNION ALL
      SELECT further.* FROM lane l CROSS JOIN LATERAL (
        SELECT m.staff, m.business_id, m.next_attempt_at FROM email m
         WHERE m.status = 'queued' AND (m.staff, m.business_id) > (l.staff, l.business_id)
         ORDER BY m.staff, m.business_id, m.next_attempt_at LIMIT 1) AS further)
    SELECT queue, ${ageOf("next_attempt_at")} AS age
      FROM (SELECT 'webhooks' AS queue, next_attempt_at FROM endpoint JOIN webhook_endpoint w ON w.id = endpoint_id
             WHERE w.failing_since IS NULL
            UNION ALL SELECT 'mails', next_attempt_at FROM lane) AS waiting
     WHERE next_attempt_at <= clock_timestamp() GROUP BY 1`,
  );

export interface StateCount {
  mode: "live" | "test";
  state: string;
  count: number;
}

/** Reads all endpoints, because no index finds those that fail. */
export const countEndpoints = (): Promise<StateCount[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT ${mode}, state, count(*)::int AS count
      FROM (SELECT livemode, CASE WHEN status <> 'enabled' THEN 'disabled' WHEN failing_since IS NOT NULL THEN 'failing'
                                  ELSE 'healthy' END AS state
              FROM webhook_endpoint WHERE deleted_at IS NULL) AS endpoint
     GROUP BY 1, 2`,
  );

export interface BooksState {
  /** Unix time. */
  checked_at: number;
  differences: number;
}

/** The last check by the command `books`. */
export const readBooks = (): Promise<BooksState[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT extract(epoch FROM checked_at)::float8 AS checked_at, differences FROM books_check
     ORDER BY checked_at DESC LIMIT 1`,
  );

/** The last backup by the command `backup`: everything that was committed before this Unix time is in it. */
export const readBackup = (): Promise<{ made_at: number }[]> =>
  queryRows(
    db,
    Prisma.sql`SELECT extract(epoch FROM started_at)::float8 AS made_at FROM backup ORDER BY id DESC LIMIT 1`,
  );

interface Account {
  id: string;
  mode: "live" | "test";
  refused: boolean;
  compared_until: Date;
  database: string;
}

/**
 * All accounts in use. `refused`: the gateway refuses the key. `away`: the comparison failed, so no money moves through it. `held`: this
 * process has not compared it with the running database yet, as after a restored backup.
 */
export async function countAccounts(): Promise<StateCount[]> {
  const accounts = await queryRows<Account>(
    db,
    Prisma.sql`
    SELECT id, ${mode}, broken_at IS NOT NULL AS refused, compared_until, ${databaseOf} AS database
      FROM gateway_account WHERE replaced_at IS NULL`,
  );
  const counts = new Map<string, StateCount>();
  for (const { id, mode, refused, compared_until: comparedUntil, database } of accounts) {
    const state = refused ? "refused" : (reasonOfHold(id, { comparedUntil, database }) ?? "connected");
    const count = counts.get(`${mode} ${state}`) ?? { mode, state, count: 0 };
    count.count++;
    counts.set(`${mode} ${state}`, count);
  }
  return [...counts.values()];
}
