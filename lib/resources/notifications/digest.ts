import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { daySums, startOfDay } from "@/lib/ledger/sums";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { ownedBy } from "@/lib/resources/define";
import { type DigestCount, type DigestMoney, digestCounts } from "@/lib/resources/emails/templates";
import { digestTime } from "./types";

/** A digest that is later, after a long downtime, is left out. */
const maxDelayHours = 12;
const batchSize = 100;
/** Events of each type that a digest counts. */
const maxCounted = 1_000;

interface Due {
  business_id: number;
  user_id: string;
  livemode: boolean;
  email: string;
  timezone: string;
  /** The day before the digest's, and the digest's (YYYY-MM-DD). */
  day: string;
  today: string;
  late: boolean;
}

/**
 * Queues the daily digests that are due, each with the figures of the day before in the business's time zone and by its clock.
 * `digest_day` moves in the transaction that queues the mail, and only forwards: a member gets one digest a day, however many
 * workers run, and after downtime none for the days that were missed.
 * @returns whether there may be more
 */
export function sendDigests(): Promise<boolean> {
  return transaction(db, async (tx) => {
    const shown = Prisma.sql`(business_time(n.business_id, n.livemode) AT TIME ZONE b.timezone)`;
    const today = Prisma.sql`(${shown} - ${digestTime}::interval)::date`;
    const due = await queryRows<Due>(
      tx,
      Prisma.sql`
      WITH due AS MATERIALIZED (
        SELECT n.business_id, n.user_id, n.livemode, u.email, b.timezone, ${today} AS today,
               ${shown} > ${today} + ${digestTime}::interval + make_interval(hours => ${maxDelayHours}::int) AS late
          FROM notification_state n JOIN business b ON b.id = n.business_id JOIN staff_user u ON u.id = n.user_id
         WHERE n.digest AND n.digest_day < ${today}
         LIMIT ${batchSize}::int FOR UPDATE OF n SKIP LOCKED
      )
      UPDATE notification_state n SET digest_day = due.today FROM due
       WHERE n.business_id = due.business_id AND n.user_id = due.user_id AND n.livemode = due.livemode
         AND n.digest AND n.digest_day < due.today
      RETURNING due.business_id, due.user_id, due.livemode, due.email, due.timezone, due.late,
                to_char(due.today, 'YYYY-MM-DD') AS today, to_char(due.today - 1, 'YYYY-MM-DD') AS day`,
    );
    for (const digest of due) if (!digest.late) await queueDigest(tx, digest);
    return due.length === batchSize;
  });
}

async function queueDigest(
  tx: Db,
  { business_id: businessId, livemode, email, timezone, day, today }: Due,
): Promise<void> {
  const tenant = { businessId, livemode };
  const sums = await daySums(tx, ownedBy(tenant), { from: day, to: today, timezone });
  const money = sums
    .map((sum): DigestMoney => {
      const { currency, collected_count, failed_count, refunded_count } = sum;
      const cents = { collected_cents: Number(sum.collected_cents), refunded_cents: Number(sum.refunded_cents) };
      return { currency, ...cents, collected_count, failed_count, refunded_count };
    })
    .filter(({ currency: _, ...sums }) => Object.values(sums).some((sum) => sum !== 0));
  const counts = await countEvents(tx, { businessId, livemode, timezone, day, today });
  if (money.length === 0 && counts.length === 0) return;
  const props = { day, money, counts, link: dashboardLink(tenant, "/") };
  await queueStaffMail(tx, { template: "daily_digest", to: email, ...tenant, props });
}

interface Day {
  businessId: number;
  livemode: boolean;
  timezone: string;
  day: string;
  today: string;
}

/** The kinds of events of a day that happened, along the index by type. */
async function countEvents(tx: Db, { businessId, livemode, timezone, day, today }: Day) {
  const kinds = Object.entries(digestCounts).flatMap(([kind, types]) => types.map((type) => ({ kind, type })));
  const rows = await queryRows<{ kind: DigestCount; count: number }>(
    tx,
    Prisma.sql`
    SELECT k.kind, sum(e.count)::int AS count
      FROM json_to_recordset(${JSON.stringify(kinds)}::json) AS k(kind text, type text)
     CROSS JOIN LATERAL (
       SELECT count(*) AS count FROM (
         SELECT FROM event e
          WHERE e.business_id = ${businessId}::int AND e.livemode = ${livemode}::boolean AND e.type = k.type
            AND e.created_at >= ${startOfDay(Prisma.sql`${day}::text::timestamp`, timezone)}
            AND e.created_at < ${startOfDay(Prisma.sql`${today}::text::timestamp`, timezone)}
          LIMIT ${maxCounted}::int) AS counted) AS e
     GROUP BY k.kind HAVING sum(e.count) > 0`,
  );
  const order = Object.keys(digestCounts);
  return rows.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}
