/** What customers show: counts, sums, their card, and what staff have written about them. */
import type { Actor } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { iso } from "@/lib/http/list";
import { inOrderOf } from "@/lib/http/list-streams";
import { columnsOf, ownedBy } from "@/lib/resources/define";
import { savedCard } from "@/lib/resources/tokenizations/resource";
import { type Customer, summedLinks } from "./contract";
import { key, tables } from "./resource";

const byEmailAnd = (column: string, order: "ASC" | "DESC") =>
  Prisma.sql`${key} ${Prisma.raw(order)}, ${Prisma.raw(column)} ${Prisma.raw(order)}`;

/** The rows of a customer in an index that ends in "_customer". `email` is in lower case. */
export const ofCustomer = (email: string) => [
  Prisma.sql`${key} >= ${email}::text`,
  Prisma.sql`${key} <= ${email}::text`,
];

/** The newest rows of a customer first, by the same index. */
export const customerOrder = (table: string): Prisma.Sql =>
  Prisma.sql`${byEmailAnd("created_at", "DESC")}, ${Prisma.raw(table)}.id DESC`;

const maxCount = 100;
const maxFormer = 10;

/** A range, not `=`: PostgreSQL drops a column with `=` from the order, and could then use another index. */
const ofWanted = (actor: Actor) => [ownedBy(actor), Prisma.sql`${key} >= wanted.email AND ${key} <= wanted.email`];

/** The subscriptions of an e-mail that have not ended, counted up to `maxCount`. */
function subscriptionCount(actor: Actor): Prisma.Sql {
  const running = [Prisma.sql`deleted_at IS NULL`, Prisma.sql`status NOT IN ('cancel', 'completed')`];
  return Prisma.sql`
  (SELECT count(*)::int FROM (${inOrderOf("subscription", [...ofWanted(actor), ...running], key, maxCount)}) counted)`;
}

const columns = (actor: Actor) =>
  columnsOf<Customer>({
    _id: Prisma.sql`wanted.email`,
    email: Prisma.sql`wanted.email`,
    name: Prisma.sql`written.name`,
    metadata: Prisma.sql`coalesce(written.metadata, '{}')`,
    notes: Prisma.sql`written.notes`,
    created_at: iso("first_at"),
    last_activity_at: iso("last_at"),
    payment_link_count: Prisma.sql`least(coalesce(sums.links, 0), ${maxCount}::int)`,
    subscription_count: subscriptionCount(actor),
    card: Prisma.sql`card.card`,
    payment_count: Prisma.sql`coalesce(sums.payments, 0)`,
    dispute_count: Prisma.sql`coalesce(sums.disputes, 0)`,
    first_payment_at: iso("sums.first_payment"),
    last_payment_at: iso("sums.last_payment"),
    totals: Prisma.sql`coalesce(sums.totals, '[]')`,
    totals_are_lower_bound: Prisma.sql`coalesce(sums.more, false)`,
    changed_to: Prisma.sql`written.changed_to`,
    changed_at: iso("written.changed_at"),
    former_emails: Prisma.sql`coalesce(former.emails, '[]')`,
    links_moving: Prisma.sql`coalesce(former.moving, false)`,
  })(clock.now());

/**
 * The sums of an e-mail's newest links, by one index. It reads one link more than `max`, to know whether there are more, and
 * counts that one nowhere. The disputes are one lookup for each paid link.
 */
function sumsOf(actor: Actor, max: number): Prisma.Sql {
  const order = Prisma.sql`${byEmailAnd("created_at", "DESC")}, payment_link.id DESC`;
  const newest = inOrderOf("payment_link", [...ofWanted(actor), Prisma.sql`deleted_at IS NULL`], order, max + 1);
  const counted = Prisma.sql`link.n <= ${max}::int`;
  const paid = Prisma.sql`${counted} AND link.status = 'Paid'`;
  const open = Prisma.sql`${counted} AND link.status = 'Active' AND (link.expires_at IS NULL OR link.expires_at > ${clock.now()}::timestamptz)`;
  // The subscription is looked up for open links alone: PostgreSQL stops at the first condition that is false.
  const overdue = Prisma.sql`${open} AND link.subscription_id IS NOT NULL AND EXISTS (
    SELECT FROM subscription s WHERE s.id = link.subscription_id AND s.status IN ('past_due', 'unpaid'))`;
  const sumOf = (amount: Prisma.Sql, condition: Prisma.Sql) =>
    Prisma.sql`coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)`;
  const amount = Prisma.sql`link.amount_cents`;
  return Prisma.sql`
    SELECT sum(links)::int AS links, sum(paid_count)::int AS payments, sum(disputes)::int AS disputes,
           min(first_payment) AS first_payment, max(last_payment) AS last_payment, bool_or(more) AS more,
           json_agg(json_build_object(
             'currency', currency, 'paid_cents', paid, 'refunded_cents', refunded, 'disputed_cents', lost,
             'lifetime_cents', paid - refunded - lost, 'open_cents', open, 'overdue_cents', overdue,
             'paid_count', paid_count, 'open_count', open_count, 'overdue_count', overdue_count) ORDER BY currency) FILTER (WHERE links > 0) AS totals
      FROM (
        SELECT link.currency, count(*) FILTER (WHERE ${counted}) AS links, bool_or(NOT ${counted}) AS more,
               ${sumOf(amount, paid)} AS paid, ${sumOf(Prisma.sql`link.refunded_cents`, counted)} AS refunded,
               coalesce(sum(dispute.lost), 0) AS lost, coalesce(sum(dispute.disputes), 0) AS disputes,
               ${sumOf(amount, open)} AS open, ${sumOf(amount, overdue)} AS overdue,
               count(*) FILTER (WHERE ${paid}) AS paid_count, count(*) FILTER (WHERE ${open}) AS open_count,
               count(*) FILTER (WHERE ${overdue}) AS overdue_count,
               min(link.paid_at) FILTER (WHERE ${paid}) AS first_payment, max(link.paid_at) FILTER (WHERE ${paid}) AS last_payment
          FROM (SELECT *, row_number() OVER () AS n FROM (${newest}) AS newest) AS link LEFT JOIN LATERAL (
            SELECT count(*) AS disputes, sum(amount_cents) FILTER (WHERE status = 'lost') AS lost
              FROM (SELECT amount_cents, status FROM dispute d WHERE d.payment_link_id = link.id OFFSET 0) AS found) AS dispute ON ${paid}
         GROUP BY link.currency) AS by_currency`;
}

/**
 * Reads the customers of these e-mails, in small letters, by lookups of bounded length. E-mails without rows are left out.
 * @param max the newest links that are summed up
 */
export async function describeCustomers(
  tx: Db,
  actor: Actor,
  emails: string[],
  max: number = summedLinks.list,
): Promise<Customer[]> {
  if (emails.length === 0) return [];
  const edge = (order: "ASC" | "DESC", pick: "min" | "max") => {
    const each = tables.map(
      ([name, kept]) => Prisma.sql`
      (SELECT created_at FROM (${inOrderOf(name, [...ofWanted(actor), kept], byEmailAnd("created_at", order), 1)}) AS edge)`,
    );
    return Prisma.sql`(SELECT ${Prisma.raw(pick)}(created_at) FROM (${Prisma.join(each, " UNION ALL ")}) found)`;
  };
  const activeOnes = [...ofWanted(actor), Prisma.sql`status = 'active'`];
  const active = inOrderOf("tokenization", activeOnes, byEmailAnd("activated_at", "DESC"), 1);
  return queryRows<Customer>(
    tx,
    Prisma.sql`
    SELECT ${columns(actor)} FROM unnest(${emails}::text[]) WITH ORDINALITY AS wanted(email, n)
      CROSS JOIN LATERAL (SELECT ${edge("ASC", "min")} AS first_at, ${edge("DESC", "max")} AS last_at) edges
      LEFT JOIN LATERAL (
        SELECT name, notes, metadata, changed_to, changed_at
          FROM customer WHERE ${ownedBy(actor)} AND email = wanted.email OFFSET 0) written ON true
      LEFT JOIN LATERAL (
        SELECT json_agg(email ORDER BY changed_at DESC) AS emails, bool_or(moved_to_at IS NOT NULL) AS moving FROM (
          SELECT email, changed_at, moved_to_at FROM customer
           WHERE ${ownedBy(actor)} AND changed_to = wanted.email
           ORDER BY changed_at DESC LIMIT ${maxFormer}) AS f) AS former ON true
      LEFT JOIN LATERAL (${sumsOf(actor, max)}) AS sums ON true
      LEFT JOIN LATERAL (
        SELECT ${savedCard} AS card FROM tokenization
         WHERE id = (SELECT id FROM (${active}) AS newest)) card ON true
     WHERE first_at IS NOT NULL ORDER BY n`,
  );
}
