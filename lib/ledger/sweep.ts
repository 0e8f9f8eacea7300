import { clock } from "@/lib/core/clock";
import { db, execute, Prisma, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { manualGateway } from "@/lib/gateways/gateway";
import { closeFailedByHand } from "./by-hand";
import { reconcileSettled } from "./callback";
import { reconcileDisputes } from "./dispute";
import { abandonAttempt, reconcilePayment } from "./reconcile";
import { reconcileRefunds } from "./refund";
import { refreshSetup } from "./save-card";

/** Age of the first lookup. The attempt's own request has usually ended by then. */
const firstLookupSeconds = 5;
/** Interval between lookups of a row older than a minute. Younger rows use `firstLookupSeconds`. */
const lookupIntervalSeconds = 30;
/** Age at which an undecided charge or an abandoned page is cancelled, so that the link can be paid again. */
const abandonAfterSeconds = 30 * 60;
const batchSize = 200;
const maxInFlight = 8;
/** Lower than `maxInFlight`, so that a hanging gateway does not block the other accounts. */
const maxInFlightPerAccount = 4;
const maxConsecutiveFailures = 5;

interface Due {
  id: string;
  account: string;
  /** Seconds. */
  age: number;
  status: string;
  /** The business's test clock, in ms ahead. */
  ahead: number;
}

const ahead = Prisma.sql`
  CASE WHEN livemode THEN 0 ELSE (SELECT test_clock_ahead FROM business WHERE business.id = business_id) END::float8 AS ahead`;

/**
 * Claims open rows for lookup, least recently looked up first, so that several processes share the work. The partial
 * indexes keep the cost proportional to the open rows.
 */
function claim(table: Table): Promise<Due[]> {
  const { lastLookup, open, account } = sources[table];
  return queryRows<Due>(
    db,
    Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET ${Prisma.raw(lastLookup)} = clock_timestamp()
     WHERE id IN (
       SELECT id FROM ${Prisma.raw(table)}
        WHERE ${Prisma.raw(open)} AND started_at < clock_timestamp() - make_interval(secs => ${firstLookupSeconds}::int)
          AND (${Prisma.raw(lastLookup)} IS NULL OR ${Prisma.raw(lastLookup)} < clock_timestamp() - make_interval(secs =>
               CASE WHEN started_at > clock_timestamp() - interval '1 minute' THEN ${firstLookupSeconds - 1}::int ELSE ${lookupIntervalSeconds - 1}::int END))
        ORDER BY ${Prisma.raw(lastLookup)} NULLS FIRST, id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
    RETURNING id, ${Prisma.raw(account)} AS account, status, ${ahead},
              extract(epoch FROM clock_timestamp() - started_at)::float8 AS age`,
  );
}

const tables = ["payment", "refund", "tokenization"] as const;
type Table = (typeof tables)[number];

/** Of a row that belongs to a payment: the account through which it was paid, also if that has been replaced. */
const accountOfPayment =
  "coalesce((SELECT p.gateway_account_id FROM payment p WHERE p.id = payment_id), business_id::text)";

const sources = {
  payment: {
    lastLookup: "asked_at",
    open: "status IN ('created', 'sending', 'requires_action', 'unknown')",
    account: "coalesce(gateway_account_id, business_id::text)",
  },
  refund: { lastLookup: "asked_at", open: "status = 'pending'", account: accountOfPayment },
  tokenization: {
    lastLookup: "setup_asked_at",
    // `expires_at` is by the business's clock; the expiry is recorded within seconds.
    open: "status = 'pending' AND setup_ref IS NOT NULL AND NOT expiry_recorded",
    account: "coalesce(gateway_account_id, business_id::text)",
  },
};

/**
 * SQL: the system's time of a column with the business's. If the test clock was advanced since then, it may be earlier, but not than
 * the row itself.
 */
const systemTime = (column: string) =>
  `greatest(started_at, ${column} - CASE WHEN livemode THEN 0 ELSE (
     SELECT test_clock_ahead FROM business WHERE business.id = business_id) END * interval '1 millisecond')`;

/**
 * SQL: whether a column with the business's time was less than 30 days ago. A test clock is never behind the system's, so the
 * first condition leaves out no row that the second has, and an index serves it. `now()`, because `clock_timestamp()` is volatile: no index
 * would serve it.
 */
const isRecent = (column: string) =>
  `(${column} > now() - interval '30 days' AND ${systemTime(column)} > now() - interval '30 days')`;

/**
 * Rows that may change after they were settled, because a callback can be lost. The interval between lookups is a share of the
 * row's age, and at least `pause`.
 */
const settledSources = {
  // A missing fee, or a refund that the bank may return.
  settled: {
    table: "payment",
    may: `status = 'succeeded' AND (fee_cents IS NULL OR refunded_cents > 0) AND gateway <> '${manualGateway}'
          AND ${isRecent("settled_at")}`,
    ...{ since: systemTime("settled_at"), share: 4, pause: "1 hour", first: "settled_at" },
    ...{ payment: "id", account: sources.payment.account },
  },
  // A decision, or money that came back. Lookups end 30 days after the decision.
  dispute: {
    table: "dispute",
    may: `(closed_at IS NULL OR ${isRecent("closed_at")})`,
    ...{ since: "started_at", share: 24, pause: "1 hour", first: "asked_at NULLS FIRST, id" },
    ...{ payment: "payment_id", account: accountOfPayment },
  },
  // Staff recorded it as failed, but the gateway may still take it, or have taken it.
  byHand: {
    table: "payment",
    may: `status = 'failed' AND settled_by IS NOT NULL AND mismatch_at IS NULL
          AND ${isRecent("settled_at")}`,
    ...{ since: systemTime("settled_at"), share: 4, pause: "5 minutes", first: "settled_at" },
    ...{ payment: "id", account: sources.payment.account },
  },
};

type DueSettled = Due & { row_id: string };

/** SQL: the time between two lookups of a row. */
const intervalOf = ({ pause, share, since }: (typeof settledSources)[keyof typeof settledSources]) =>
  `greatest(interval '${pause}', (clock_timestamp() - ${since}) / ${share})`;

/** `id` of a claimed row is the id of its payment. */
function claimSettled(kind: keyof typeof settledSources): Promise<DueSettled[]> {
  const { table, may, first, payment, account } = settledSources[kind];
  return queryRows<DueSettled>(
    db,
    Prisma.sql`
    UPDATE ${Prisma.raw(table)} SET asked_at = clock_timestamp()
     WHERE id IN (
       SELECT id FROM ${Prisma.raw(table)}
        WHERE ${Prisma.raw(may)}
          AND (asked_at IS NULL OR asked_at < clock_timestamp() - ${Prisma.raw(intervalOf(settledSources[kind]))})
        ORDER BY ${Prisma.raw(first)} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
    RETURNING id AS row_id, ${Prisma.raw(payment)} AS id, ${Prisma.raw(account)} AS account, status, 0::float8 AS age, ${ahead}`,
  );
}

/**
 * Makes rows due again in six hours at most that were claimed and not looked up: their usual interval can be longer than the rest of their
 * 30 days. Not at once, because rows of an account that is gone would come first in every run.
 */
async function lookUpAgain(kind: keyof typeof settledSources, rows: DueSettled[]): Promise<void> {
  if (rows.length === 0) return;
  const interval = Prisma.raw(intervalOf(settledSources[kind]));
  await execute(
    db,
    Prisma.sql`
    UPDATE ${Prisma.raw(settledSources[kind].table)}
       SET asked_at = clock_timestamp() - ${interval} + least(${interval}, interval '6 hours')
     WHERE id = ANY(${rows.map(({ row_id }) => row_id)}::text[])`,
  );
}

const lookups: Record<Table | keyof typeof settledSources, (due: Due) => Promise<unknown>> = {
  payment: async ({ id, status, age }) => {
    const result = await reconcilePayment(id);
    const undecided = result?.outcome === "pending" || result?.outcome === "action" || status === "requires_action";
    if (undecided && age > abandonAfterSeconds) await abandonAttempt(id);
  },
  refund: ({ id }) => reconcileRefunds({ refundId: id }),
  tokenization: ({ id }) => refreshSetup(id),
  settled: ({ id }) => reconcileSettled(id),
  dispute: ({ id }) => reconcileDisputes(id),
  byHand: ({ id }) => closeFailedByHand(id),
};

/**
 * Looks up and settles open attempts, refunds and card saves: after a crash, a lost reply, a closed tab or a slow
 * refund. Rows that the gateway has not decided wait for the next sweep.
 * @param stopping starts no further lookups once aborted
 */
export async function sweepPayments(stopping: AbortSignal): Promise<void> {
  await Promise.all(tables.map((table) => sweep(table, stopping)));
}

async function sweep(table: Table, stopping: AbortSignal): Promise<void> {
  for (let due = await claim(table); due.length > 0; due = due.length < batchSize ? [] : await claim(table)) {
    await lookUpAll(due, table, stopping);
    if (stopping.aborted) return;
  }
}

/** @returns the rows whose lookup failed or was not begun */
async function lookUpAll<Row extends Due>(
  due: Row[],
  kind: keyof typeof lookups,
  stopping: AbortSignal,
): Promise<Row[]> {
  const remaining = new Set(due);
  const accounts = new Map<string, Row[]>();
  for (const row of due) accounts.set(row.account, [...(accounts.get(row.account) ?? []), row]);
  const tasks = [...accounts.values()].flatMap((rows) =>
    accountTasks(kind, rows, stopping, (row) => remaining.delete(row)),
  );
  const queue = tasks[Symbol.iterator]();
  const worker = async () => {
    for (const task of queue) await task();
  };
  await Promise.all(Array.from({ length: maxInFlight }, worker));
  return [...remaining];
}

/** Looks up payments and disputes that may change after they were settled. */
export async function sweepSettled(stopping: AbortSignal): Promise<void> {
  for (const kind of ["settled", "dispute", "byHand"] as const) {
    if (stopping.aborted) return;
    await lookUpAgain(kind, await lookUpAll(await claimSettled(kind), kind, stopping));
  }
}

/** Tasks that share one account's rows. Consecutive gateway failures end all of them. */
function accountTasks<Row extends Due>(
  kind: keyof typeof lookups,
  due: Row[],
  stopping: AbortSignal,
  onLookedUp: (row: Row) => void,
): (() => Promise<void>)[] {
  const remaining = due[Symbol.iterator]();
  let failures = 0;
  const task = async () => {
    for (const row of remaining) {
      if (failures >= maxConsecutiveFailures || stopping.aborted) return;
      try {
        await clock.ahead(row.ahead, () => lookups[kind](row));
        failures = 0;
        onLookedUp(row);
      } catch (err) {
        failures++;
        log.warn({ err, about: kind, id: row.id }, "the lookup at the gateway failed");
      }
    }
  };
  return Array.from({ length: Math.min(maxInFlightPerAccount, due.length) }, () => task);
}
