import { type Db, db, Prisma, queryRows } from "@/lib/core/db";

/** Changes that one statement adds up. */
const batchSize = 5_000;

/**
 * What the overview counts, from the rows themselves. `settled_sum` and `settled_change` together have the same sums. Rows do not say
 * when a subscription began, paused and resumed: only the sums of `started` and `left` do.
 */
export const settlementsSql = `
  SELECT business_id, livemode, settled_at, amount_cents AS cents, 1 AS count, currency,
         CASE status WHEN 'failed' THEN 'failed' ELSE 'collected' END AS kind
    FROM payment WHERE settled_at IS NOT NULL AND status IN ('succeeded', 'failed', 'reversed')
  UNION ALL
  SELECT business_id, livemode, reversed_at, -amount_cents, -1, currency, 'collected'
    FROM payment WHERE status = 'reversed'
  UNION ALL
  SELECT business_id, livemode, settled_at, fee_cents, 1, fee_currency, 'fee'
    FROM payment WHERE settled_at IS NOT NULL AND fee_currency IS NOT NULL
  UNION ALL
  SELECT business_id, livemode, settled_at, amount_cents, 1, currency, 'refunded'
    FROM refund WHERE settled_at IS NOT NULL AND (status = 'succeeded' OR returned_at IS NOT NULL)
  UNION ALL
  SELECT business_id, livemode, returned_at, -amount_cents, -1, currency, 'refunded'
    FROM refund WHERE returned_at IS NOT NULL
  UNION ALL
  SELECT business_id, livemode, created_at, CASE kind WHEN 'withdrawn' THEN amount_cents ELSE -amount_cents END,
         CASE kind WHEN 'withdrawn' THEN 1 ELSE -1 END, currency, 'disputed'
    FROM dispute_movement
  UNION ALL
  SELECT business_id, livemode, created_at, fee_cents, 0, currency, 'fee' FROM dispute_movement WHERE fee_cents <> 0
  UNION ALL
  SELECT s.business_id, s.livemode, s.ended_at, 0, 1, p.currency, 'ended'
    FROM subscription s JOIN package p ON p.id = s.package_id WHERE s.churned AND s.deleted_at IS NULL`;

/**
 * Moves waiting changes into the sums, in one statement: a reader finds each of them in one of the tables. Safe to run
 * concurrently. The order of the sums prevents deadlocks.
 * @returns whether there may be more
 */
export async function moveChanges(): Promise<boolean> {
  const [moved] = await queryRows<{ count: number }>(
    db,
    Prisma.sql`
    WITH moved AS (
      DELETE FROM settled_change
       WHERE ctid = ANY (ARRAY(SELECT ctid FROM settled_change LIMIT ${batchSize}::int FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), summed AS (
      INSERT INTO settled_sum AS known (business_id, livemode, minutes, starts_at, currency, collected_cents, collected_count,
                                        refunded_cents, refunded_count, failed_cents, failed_count, fee_cents, fee_count,
                                        disputed_cents, disputed_count, started_count, ended_count, left_count)
      SELECT business_id, livemode, level.minutes,
             date_bin(level.minutes * interval '1 minute', settled_at, '2000-01-01T00:00:00Z'), currency,
             coalesce(sum(cents) FILTER (WHERE kind = 'collected'), 0), coalesce(sum(count) FILTER (WHERE kind = 'collected'), 0),
             coalesce(sum(cents) FILTER (WHERE kind = 'refunded'), 0), coalesce(sum(count) FILTER (WHERE kind = 'refunded'), 0),
             coalesce(sum(cents) FILTER (WHERE kind = 'failed'), 0), coalesce(sum(count) FILTER (WHERE kind = 'failed'), 0),
             coalesce(sum(cents) FILTER (WHERE kind = 'fee'), 0), coalesce(sum(count) FILTER (WHERE kind = 'fee'), 0),
             coalesce(sum(cents) FILTER (WHERE kind = 'disputed'), 0), coalesce(sum(count) FILTER (WHERE kind = 'disputed'), 0),
             coalesce(sum(count) FILTER (WHERE kind = 'started'), 0), coalesce(sum(count) FILTER (WHERE kind = 'ended'), 0),
             coalesce(sum(count) FILTER (WHERE kind = 'left'), 0)
        FROM moved, (VALUES (15), (60)) AS level(minutes)
       GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (business_id, livemode, minutes, starts_at, currency) DO UPDATE SET
        collected_cents = known.collected_cents + excluded.collected_cents,
        collected_count = known.collected_count + excluded.collected_count,
        refunded_cents = known.refunded_cents + excluded.refunded_cents,
        refunded_count = known.refunded_count + excluded.refunded_count,
        failed_cents = known.failed_cents + excluded.failed_cents,
        failed_count = known.failed_count + excluded.failed_count,
        fee_cents = known.fee_cents + excluded.fee_cents,
        fee_count = known.fee_count + excluded.fee_count,
        disputed_cents = known.disputed_cents + excluded.disputed_cents,
        disputed_count = known.disputed_count + excluded.disputed_count,
        started_count = known.started_count + excluded.started_count,
        ended_count = known.ended_count + excluded.ended_count,
        left_count = known.left_count + excluded.left_count
    )
    SELECT count(*)::int AS count FROM moved`,
  );
  return moved?.count === batchSize;
}

/** The sum of a day of a business in one currency. Cents as text: PostgreSQL's bigint. */
export interface DaySums {
  date: string;
  currency: string;
  collected_cents: string;
  collected_count: number;
  refunded_cents: string;
  refunded_count: number;
  failed_cents: string;
  failed_count: number;
  fee_cents: string;
  fee_count: number;
  disputed_cents: string;
  disputed_count: number;
  started_count: number;
  ended_count: number;
  left_count: number;
}

/**
 * SQL: the instant at which a day begins in a time zone. Where clocks go back from 1:00, midnight comes twice: the day begins at
 * the first.
 * @param day SQL: its midnight, a timestamp without a time zone
 */
export function startOfDay(day: Prisma.Sql, timezone: string): Prisma.Sql {
  const midnight = Prisma.sql`(${day} AT TIME ZONE ${timezone}::text)`;
  const hourBefore = Prisma.sql`(${midnight} - interval '1 hour')`;
  return Prisma.sql`
    (CASE WHEN ${hourBefore} AT TIME ZONE ${timezone}::text >= ${day} THEN ${hourBefore} ELSE ${midnight} END)`;
}

/**
 * Sums of each day of a time zone from `from` to before `to`. Reads the whole hours of a day, and for zones such as India's
 * the quarters of an hour at its ends: at most 31 rows a day and currency.
 */
export function daySums(
  tx: Db,
  owned: Prisma.Sql,
  { from, to, timezone }: { from: string; to: string; timezone: string },
): Promise<DaySums[]> {
  return queryRows<DaySums>(
    tx,
    Prisma.sql`
    WITH start AS (
      SELECT day::date AS date, ${startOfDay(Prisma.sql`day`, timezone)} AS at
        FROM generate_series(${from}::text::timestamp, ${to}::text::timestamp, interval '1 day') AS day
    ), bounds AS (
      SELECT date, at AS begins, lead(at) OVER (ORDER BY date) AS ends FROM start
    ), day AS MATERIALIZED (
      SELECT date, begins, ends,
             date_bin('1 hour', begins + interval '59 minutes 59.999999 seconds', '2000-01-01T00:00:00Z') AS first_hour,
             date_bin('1 hour', ends, '2000-01-01T00:00:00Z') AS last_hour
        FROM bounds WHERE ends IS NOT NULL
    ), waiting AS MATERIALIZED (
      SELECT (settled_at AT TIME ZONE ${timezone}::text)::date AS date, * FROM settled_change
       WHERE ${owned} AND settled_at >= (SELECT min(begins) FROM day) AND settled_at < (SELECT max(ends) FROM day)
    ), summed AS (
      SELECT date, sums.* FROM day CROSS JOIN LATERAL (
        SELECT currency,
               sum(collected_cents) AS collected_cents, sum(collected_count) AS collected_count,
               sum(refunded_cents) AS refunded_cents, sum(refunded_count) AS refunded_count,
               sum(failed_cents) AS failed_cents, sum(failed_count) AS failed_count,
               sum(fee_cents) AS fee_cents, sum(fee_count) AS fee_count,
               sum(disputed_cents) AS disputed_cents, sum(disputed_count) AS disputed_count,
               sum(started_count) AS started_count, sum(ended_count) AS ended_count,
               sum(left_count) AS left_count
          FROM (SELECT * FROM settled_sum WHERE ${owned} AND minutes = 60 AND starts_at >= first_hour AND starts_at < last_hour
                UNION ALL
                SELECT * FROM settled_sum WHERE ${owned} AND minutes = 15 AND starts_at >= begins AND starts_at < first_hour
                UNION ALL
                SELECT * FROM settled_sum WHERE ${owned} AND minutes = 15 AND starts_at >= last_hour AND starts_at < ends) AS part
         GROUP BY currency) AS sums
      UNION ALL
      SELECT date, currency,
             sum(cents) FILTER (WHERE kind = 'collected'), sum(count) FILTER (WHERE kind = 'collected'),
             sum(cents) FILTER (WHERE kind = 'refunded'), sum(count) FILTER (WHERE kind = 'refunded'),
             sum(cents) FILTER (WHERE kind = 'failed'), sum(count) FILTER (WHERE kind = 'failed'),
             sum(cents) FILTER (WHERE kind = 'fee'), sum(count) FILTER (WHERE kind = 'fee'),
             sum(cents) FILTER (WHERE kind = 'disputed'), sum(count) FILTER (WHERE kind = 'disputed'),
             sum(count) FILTER (WHERE kind = 'started'), sum(count) FILTER (WHERE kind = 'ended'),
             sum(count) FILTER (WHERE kind = 'left')
        FROM waiting GROUP BY date, currency
    )
    SELECT to_char(date, 'YYYY-MM-DD') AS date, currency,
           coalesce(sum(collected_cents), 0)::text AS collected_cents, coalesce(sum(collected_count), 0)::int AS collected_count,
           coalesce(sum(refunded_cents), 0)::text AS refunded_cents, coalesce(sum(refunded_count), 0)::int AS refunded_count,
           coalesce(sum(failed_cents), 0)::text AS failed_cents, coalesce(sum(failed_count), 0)::int AS failed_count,
           coalesce(sum(fee_cents), 0)::text AS fee_cents, coalesce(sum(fee_count), 0)::int AS fee_count,
           coalesce(sum(disputed_cents), 0)::text AS disputed_cents, coalesce(sum(disputed_count), 0)::int AS disputed_count,
           coalesce(sum(started_count), 0)::int AS started_count, coalesce(sum(ended_count), 0)::int AS ended_count,
           coalesce(sum(left_count), 0)::int AS left_count
      FROM summed GROUP BY summed.date, currency ORDER BY summed.date`,
  );
}
