import type { Tenant } from "@/lib/auth/actor";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { daySums, startOfDay } from "@/lib/ledger/sums";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { type DigestCount, type DigestMoney, digestCounts } from "@/lib/resources/emails/templates";
import { digestHour, digestTime } from "./types";

/** A digest that is later, after a long downtime, is left out. */
const maxDelayHours = 12;
/** Members that one statement checks. */
const batchSize = 200;
/** Events of each type that a digest counts. */
const maxCounted = 1_000;

interface Member {
  business_id: number;
  user_id: string;
  livemode: boolean;
}

interface Checked extends Member {
  timezone: string;
  /** The day of the last digest (YYYY-MM-DD). */
  digest_day: string;
  /** By the business's clock. */
  now: Date;
}

interface Due {
  email: string;
  timezone: string;
  /** The day before the digest's, and the digest's (YYYY-MM-DD). */
  day: string;
  today: string;
  late: boolean;
}

/** Queues the daily digests that are due. Any number of workers may run it. */
export async function sendDigests(stopping?: AbortSignal): Promise<void> {
  let last: Member = { business_id: 0, user_id: "", livemode: false };
  for (;;) {
    const members = await nextMembers(last);
    for (const member of members)
      if (!stopping?.aborted)
        // An error of one member must not stop the others.
        await sendDigest(member).catch((err: unknown) =>
          log.error({ err, business: member.business_id, user: member.user_id }, "a digest could not be queued"),
        );
    const next = members.at(-1);
    if (members.length < batchSize || !next || stopping?.aborted) return;
    last = next;
  }
}

/** The members after `last` who want digests. Leaves the time zone to the caller: PostgreSQL may not know a business's. */
const nextMembers = (last: Member): Promise<Checked[]> =>
  queryRows(
    db,
    Prisma.sql`
    SELECT n.business_id, n.user_id, n.livemode, b.timezone, to_char(n.digest_day, 'YYYY-MM-DD') AS digest_day,
           business_time(n.business_id, n.livemode) AS now
      FROM (SELECT * FROM notification_state
             WHERE digest AND (business_id, user_id, livemode)
                   > (${last.business_id}::int, ${last.user_id}, ${last.livemode}::boolean)
             ORDER BY business_id, user_id, livemode LIMIT ${batchSize}::int) AS n
      JOIN business b ON b.id = n.business_id
     ORDER BY n.business_id, n.user_id, n.livemode`,
  );

/** Saves a transaction for each member whose digest is not due. The transaction checks again. */
function mayBeDue({ now, timezone, digest_day }: Checked): boolean {
  const shown = Date.parse(`${wallTime(now, timezone)}Z`);
  return new Date(shown - digestHour * 3_600_000).toISOString().slice(0, 10) > digest_day;
}

/**
 * Queues a member's digest if it is due, with the figures of the day before in the business's time zone and by its clock.
 * `digest_day` moves in the transaction that queues the mail, and only forwards: a member gets one digest a day, however many
 * workers run, and after downtime none for the days that were missed. Skips a row that another worker has locked.
 */
async function sendDigest(member: Checked): Promise<void> {
  if (!mayBeDue(member)) return;
  const { business_id, user_id, livemode } = member;
  await transaction(db, async (tx) => {
    const shown = Prisma.sql`(business_time(n.business_id, n.livemode) AT TIME ZONE b.timezone)`;
    const today = Prisma.sql`(${shown} - ${digestTime}::interval)::date`;
    const [due] = await queryRows<Due>(
      tx,
      Prisma.sql`
      WITH due AS MATERIALIZED (
        SELECT n.business_id, n.user_id, n.livemode, u.email, b.timezone, ${today} AS today,
               ${shown} > ${today} + ${digestTime}::interval + make_interval(hours => ${maxDelayHours}::int) AS late
          FROM notification_state n JOIN business b ON b.id = n.business_id JOIN staff_user u ON u.id = n.user_id
         WHERE n.business_id = ${business_id}::int AND n.user_id = ${user_id} AND n.livemode = ${livemode}::boolean
           AND n.digest AND n.digest_day < ${today}
           FOR UPDATE OF n SKIP LOCKED
      )
      UPDATE notification_state n SET digest_day = due.today FROM due
       WHERE n.business_id = due.business_id AND n.user_id = due.user_id AND n.livemode = due.livemode
         AND n.digest AND n.digest_day < due.today
      RETURNING due.email, due.timezone, due.late,
                to_char(due.today, 'YYYY-MM-DD') AS today, to_char(due.today - 1, 'YYYY-MM-DD') AS day`,
    );
    if (due && !due.late) await queueDigest(tx, { businessId: business_id, livemode }, due);
  });
}

async function queueDigest(tx: Db, tenant: Tenant, { email, timezone, day, today }: Due): Promise<void> {
  const sums = await daySums(tx, ownedBy(tenant), { from: day, to: today, timezone });
  const money = sums
    .map((sum): DigestMoney => {
      const { currency, collected_count, failed_count, refunded_count } = sum;
      const cents = { collected_cents: Number(sum.collected_cents), refunded_cents: Number(sum.refunded_cents) };
      return { currency, ...cents, collected_count, failed_count, refunded_count };
    })
    .filter(({ currency: _, ...sums }) => Object.values(sums).some((sum) => sum !== 0));
  const counts = await countEvents(tx, tenant, { timezone, day, today });
  if (money.length === 0 && counts.length === 0) return;
  const props = { day, money, counts, link: dashboardLink(tenant, "/") };
  await queueStaffMail(tx, { template: "daily_digest", to: email, ...tenant, props });
}

type Day = Pick<Due, "timezone" | "day" | "today">;

/** The kinds of events of a day that happened, along the index by type. */
async function countEvents(tx: Db, { businessId, livemode }: Tenant, { timezone, day, today }: Day) {
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
