import type { Actor } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { notFound, ValidationError } from "@/lib/core/errors";
import type { Page } from "@/lib/http/handle";
import { iso } from "@/lib/http/list";
import { inOrderOf } from "@/lib/http/list-streams";
import { columnsOf, ownedBy } from "@/lib/resources/define";
import { savedCard } from "@/lib/resources/tokenizations/resource";
import type { Customer, CustomerDetail, CustomerListQuery } from "./contract";

const key = Prisma.raw(`lower(email COLLATE "C")`);
const tables = [
  ["payment_link", Prisma.raw("deleted_at IS NULL")],
  ["subscription", Prisma.raw("deleted_at IS NULL")],
  ["tokenization", Prisma.raw("true")],
] as const;

/** The next e-mail in a table's index, by one lookup. */
function nearest(
  actor: Actor,
  from: Prisma.Sql,
  compare: ">" | ">=" | "<",
  table: (typeof tables)[number],
): Prisma.Sql {
  const [name, kept] = table;
  return Prisma.sql`
    (SELECT ${key} AS email FROM (${inOrderOf(
      name,
      [ownedBy(actor), kept, Prisma.sql`${key} ${Prisma.raw(compare)} ${from}`],
      Prisma.sql`${key} ${Prisma.raw(compare === "<" ? "DESC" : "ASC")}`,
      1,
    )}) AS nearest)`;
}

function step(actor: Actor, from: Prisma.Sql, compare: ">" | ">=" | "<"): Prisma.Sql {
  const each = tables.map((table) => nearest(actor, from, compare, table));
  return Prisma.sql`(SELECT ${Prisma.raw(compare === "<" ? "max" : "min")}(email COLLATE "C") FROM (${Prisma.join(each, " UNION ALL ")}) found)`;
}

interface Position {
  back: boolean;
  email: string;
}

const encode = (back: boolean, email: string): string =>
  Buffer.from(JSON.stringify([back, email])).toString("base64url");

function decode(cursor: string): Position {
  try {
    const [back, email] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (typeof back === "boolean" && typeof email === "string" && !email.includes("\0")) return { back, email };
  } catch {
    // not a cursor of ours
  }
  throw new ValidationError({ cursor: ["The selected cursor is invalid."] });
}

/** At most `count` e-mails that begin with the prefix, from `start` on. */
async function walk(
  tx: Db,
  actor: Actor,
  start: Prisma.Sql,
  compare: ">" | "<",
  prefix: string,
  count: number,
): Promise<string[]> {
  const rows = await queryRows<{ email: string }>(
    tx,
    Prisma.sql`
    WITH RECURSIVE walk AS (
      SELECT ${start} AS email, 1 AS n
      UNION ALL
      SELECT ${step(actor, Prisma.sql`walk.email`, compare)}, n + 1 FROM walk
       WHERE walk.email IS NOT NULL AND n < ${count}::int AND starts_with(walk.email, ${prefix}::text))
    SELECT email FROM walk WHERE email IS NOT NULL AND starts_with(email, ${prefix}::text)`,
  );
  return rows.map(({ email }) => email);
}

/** The first `count` e-mails of customers that begin with the text, ignoring the case of A to Z. */
export function emailsBeginningWith(tx: Db, actor: Actor, text: string, count: number): Promise<string[]> {
  const prefix = lowerAscii(text);
  return walk(tx, actor, step(actor, Prisma.sql`${prefix}::text`, ">="), ">", prefix, count);
}

/**
 * Lists customers by e-mail. It steps from one e-mail to the next by index, so that the cost depends on the page's size alone.
 */
export async function listCustomers(tx: Db, actor: Actor, query: CustomerListQuery): Promise<Page<Customer>> {
  const prefix = lowerAscii(query.q?.trim() ?? "");
  const from = query.cursor === null ? null : decode(query.cursor);
  const compare = from?.back ? "<" : ">";
  const start = from
    ? step(actor, Prisma.sql`${from.email}::text`, compare)
    : step(actor, Prisma.sql`${prefix}::text`, ">=");
  const found = await walk(tx, actor, start, compare, prefix, query.per_page + 1);
  const more = found.length > query.per_page;
  const emails = found.slice(0, query.per_page);
  if (from?.back) emails.reverse();
  const first = emails[0];
  const last = emails.at(-1);
  const hasNext = from?.back ? true : more;
  const hasPrevious = from?.back ? more : from !== null;
  return {
    rows: await describeCustomers(tx, actor, emails),
    page: {
      per_page: query.per_page,
      next_cursor: hasNext && last !== undefined ? encode(false, last) : null,
      prev_cursor: hasPrevious && first !== undefined ? encode(true, first) : null,
    },
  };
}

const byEmailAnd = (column: string, order: "ASC" | "DESC") =>
  Prisma.sql`${key} ${Prisma.raw(order)}, ${Prisma.raw(column)} ${Prisma.raw(order)}`;

const maxCount = 100;

/** The rows of an e-mail, counted up to `maxCount`. */
const countOf = (table: string, actor: Actor, condition = Prisma.sql`true`) => Prisma.sql`
  (SELECT count(*)::int FROM (
     ${inOrderOf(table, [...ofWanted(actor), Prisma.sql`deleted_at IS NULL`, condition], key, maxCount)}) counted)`;

/** A range, not `=`: PostgreSQL drops a column with `=` from the order, and could then use another index. */
const ofWanted = (actor: Actor) => [ownedBy(actor), Prisma.sql`${key} >= wanted.email AND ${key} <= wanted.email`];

const columns = (actor: Actor) =>
  columnsOf<Customer>({
    _id: Prisma.sql`wanted.email`,
    email: Prisma.sql`wanted.email`,
    created_at: iso("first_at"),
    last_activity_at: iso("last_at"),
    payment_link_count: countOf("payment_link", actor),
    subscription_count: countOf("subscription", actor, Prisma.sql`status NOT IN ('cancel', 'completed')`),
    card: Prisma.sql`card.card`,
  })(clock.now());

/** Reads the customers of these e-mails, in small letters, by lookups of bounded length. E-mails without rows are left out. */
export async function describeCustomers(tx: Db, actor: Actor, emails: string[]): Promise<Customer[]> {
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
        SELECT ${savedCard} AS card FROM tokenization
         WHERE id = (SELECT id FROM (${active}) AS newest)) card ON true
     WHERE first_at IS NOT NULL ORDER BY n`,
  );
}

/** One e-mail with the sums of its links. @throws ApiError not_found */
export async function getCustomer(tx: Db, actor: Actor, email: string): Promise<CustomerDetail> {
  const [found] = await describeCustomers(tx, actor, [lowerAscii(email)]);
  if (!found) throw notFound("Customer");
  const now = clock.now();
  const open = Prisma.sql`status = 'Active' AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)`;
  const rows = await queryRows<Record<string, string> & { currency: string; paid_count: number; open_count: number }>(
    tx,
    Prisma.sql`
    SELECT currency, coalesce(sum(amount_cents) FILTER (WHERE status = 'Paid'), 0)::text AS paid,
           sum(refunded_cents)::text AS refunded, coalesce(sum(amount_cents) FILTER (WHERE ${open}), 0)::text AS open,
           (count(*) FILTER (WHERE status = 'Paid'))::int AS paid_count, (count(*) FILTER (WHERE ${open}))::int AS open_count
      FROM payment_link WHERE ${ownedBy(actor)} AND deleted_at IS NULL AND ${key} = ${found._id}
     GROUP BY currency ORDER BY currency`,
  );
  return {
    ...found,
    totals: rows.map((row) => ({
      currency: row.currency,
      paid_cents: Number(row.paid),
      refunded_cents: Number(row.refunded),
      open_cents: Number(row.open),
      paid_count: Number(row.paid_count),
      open_count: Number(row.open_count),
    })),
  };
}
