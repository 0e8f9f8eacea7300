import { db, Prisma } from "@/lib/core/db";

/** What a link leaves behind: which rows, and their times. */
const traces = [
  { table: "payment_link", of: "id", times: ["created_at", "updated_at", "expires_at", "paid_at", "failed_at"] },
  { table: "payment", of: "payment_link_id", times: ["created_at", "updated_at", "asked_at", "settled_at"] },
  { table: "refund", of: "payment_link_id", times: ["created_at", "updated_at", "asked_at", "settled_at"] },
  { table: "event", of: "payment_link_id", times: ["created_at"] },
  { table: "email", of: "payment_link_id", times: ["created_at", "sent_at"] },
  { table: "link_visit", of: "payment_link_id", times: ["hour", "last_at"] },
] as const;

/** Without triggers: what is final, and when a row was last touched, moves too. */
async function rewrite(...statements: Prisma.Sql[]): Promise<void> {
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    ...statements.map((statement) => db.$executeRaw(statement)),
  ]);
}

const raw = Prisma.raw;
const earlier = (time: string, by: Prisma.Sql) => Prisma.sql`${raw(time)} = ${raw(time)} - ${by}`;

/** Makes it look as if each of these links, and everything that came of it, had been there so many hours earlier. */
export async function happenedEarlier(hours: Map<string, number>): Promise<void> {
  const ids = [...hours.keys()];
  const by = Prisma.sql`moved.hours * interval '1 hour'`;
  const moved = Prisma.sql`unnest(${ids}::text[], ${[...hours.values()]}::float8[]) AS moved(link, hours)`;
  const statements = traces.map(({ table, of, times }) => {
    const set = Prisma.join(times.map((time) => earlier(time, by)));
    return Prisma.sql`UPDATE ${raw(table)} SET ${set} FROM ${moved} WHERE ${raw(table)}.${raw(of)} = moved.link`;
  });
  const payments = Prisma.sql`
    UPDATE posting SET created_at = posting.created_at - ${by} FROM payment p, ${moved}
     WHERE posting.payment_id = p.id AND p.payment_link_id = moved.link`;
  const deliveries = Prisma.sql`
    UPDATE webhook_delivery d SET created_at = d.created_at - ${by}, succeeded_at = d.succeeded_at - ${by}
      FROM event e, ${moved} WHERE d.event_id = e.id AND e.payment_link_id = moved.link`;
  const tries = Prisma.sql`
    UPDATE webhook_attempt a SET created_at = a.created_at - ${by}
      FROM webhook_delivery d, event e, ${moved}
     WHERE a.delivery_id = d.id AND d.event_id = e.id AND e.payment_link_id = moved.link`;
  await rewrite(...statements, payments, deliveries, tries);
}

const aYear = Prisma.sql`interval '1 year'`;

/**
 * Takes a business whose test clock was advanced by a year back to today: what has happened by that clock lies in the past
 * then, and its next charges in the coming weeks.
 * @param since the system's time when the business began: what was written by the system's clock is as old as the business
 */
export async function yearBack(businessId: number, since: Date): Promise<void> {
  const begun = new Date(since.getTime() + 60 * 86_400_000);
  const whose = Prisma.sql`business_id = ${businessId}`;
  const columns: Record<string, string[]> = {
    payment_link: ["paid_at", "failed_at", "next_step_at", "period_start", "period_end"],
    subscription: ["next_charge_at", "current_period_start", "current_period_end"],
    payment: ["settled_at"],
    posting: ["created_at"],
    event: ["created_at"],
    email: ["created_at", "sent_at"],
    tokenization: ["activated_at"],
  };
  const statements = Object.entries(columns).map(([table, times]) => {
    const set = times.map(
      (time) =>
        Prisma.sql`${raw(time)} = CASE WHEN ${raw(time)} > ${begun} THEN ${raw(time)} - ${aYear} ELSE ${raw(time)} END`,
    );
    return Prisma.sql`UPDATE ${raw(table)} SET ${Prisma.join(set)} WHERE ${whose}`;
  });
  const year = since.getFullYear();
  const renamed = (text: Prisma.Sql) =>
    Prisma.sql`regexp_replace(regexp_replace(${text}, ${`\\m${year + 1}\\M`}, ${String(year)}, 'g'),
                              ${`\\m${year + 2}\\M`}, ${String(year + 1)}, 'g')`;
  await rewrite(
    ...statements,
    Prisma.sql`
      UPDATE subscription SET anchor = to_char(anchor::timestamp - ${aYear}, 'YYYY-MM-DD"T"HH24:MI:SS') WHERE ${whose}`,
    Prisma.sql`UPDATE payment_link SET created_at = period_start, updated_at = coalesce(paid_at, failed_at, period_start)
      WHERE ${whose} AND period_start IS NOT NULL`,
    Prisma.sql`UPDATE payment p SET created_at = coalesce(p.settled_at - interval '2 seconds', l.failed_at, l.period_start),
             updated_at = coalesce(p.settled_at, l.failed_at, l.period_start)
        FROM payment_link l WHERE l.id = p.payment_link_id AND l.period_start IS NOT NULL AND p.${whose}`,
    Prisma.sql`UPDATE subscription s SET created_at = e.created_at, updated_at = e.created_at
        FROM event e WHERE e.resource_id = s.id AND e.sequence = 1 AND s.${whose}`,
    Prisma.sql`UPDATE tokenization SET created_at = created_at - interval '140 days', updated_at = updated_at - interval '140 days',
             activated_at = activated_at - interval '140 days', expires_at = expires_at - interval '140 days'
      WHERE ${whose} AND status = 'active'`,
    Prisma.sql`UPDATE event SET created_at = created_at - interval '140 days' WHERE ${whose} AND type LIKE 'tokenization.%'`,
    Prisma.sql`UPDATE event SET created_at = created_at - interval '150 days' WHERE ${whose} AND type = 'package.created'`,
    Prisma.sql`UPDATE package p SET created_at = e.first, updated_at = e.last
        FROM (SELECT resource_id, min(created_at) AS first, max(created_at) AS last FROM event GROUP BY 1) AS e
       WHERE e.resource_id = p.id AND p.${whose}`,
    Prisma.sql`UPDATE event SET data = ${renamed(Prisma.sql`data::text`)}::jsonb WHERE ${whose}`,
    Prisma.sql`UPDATE email SET subject = ${renamed(Prisma.sql`subject`)}, html = ${renamed(Prisma.sql`html`)},
             text = ${renamed(Prisma.sql`text`)} WHERE ${whose}`,
    Prisma.sql`UPDATE business SET test_clock_ahead = 0 WHERE id = ${businessId}`,
  );
}
