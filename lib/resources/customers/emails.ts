/** Walks through the e-mails of customers in their order, by the indexes of links, subscriptions and tokenizations. */
import type { Actor } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { ValidationError } from "@/lib/core/errors";
import type { Page } from "@/lib/http/handle";
import { inOrderOf } from "@/lib/http/list-streams";
import { ownedBy } from "@/lib/resources/define";
import { key, tables } from "./resource";

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

const encode = (back: boolean, email: string, descending: boolean): string =>
  Buffer.from(JSON.stringify(descending ? [back, email, "-email"] : [back, email])).toString("base64url");

function decode(cursor: string, descending: boolean): Position {
  try {
    const [back, email, sort] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const isOfOrder = (sort === "-email") === descending;
    if (isOfOrder && typeof back === "boolean" && typeof email === "string" && !email.includes("\0"))
      return { back, email };
  } catch {
    // not one of our cursors
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

/** How many e-mails begin with the text, at most `max`. */
export async function countEmails(tx: Db, actor: Actor, q: string, max: number): Promise<number> {
  const prefix = lowerAscii(q);
  return (await walk(tx, actor, step(actor, Prisma.sql`${prefix}::text`, ">="), ">", prefix, max)).length;
}

interface Walked {
  q: string | null;
  cursor: string | null;
  per_page: number;
  /** From Z to A. */
  descending: boolean;
}

/** The greatest text of C's order that begins with a prefix ends with it. */
const lastCharacter = "\u{10FFFF}";

/** A page of e-mails that begin with the text. */
export async function pageOfEmails(tx: Db, actor: Actor, query: Walked): Promise<Page<string>> {
  const { descending } = query;
  const prefix = lowerAscii(query.q?.trim() ?? "");
  const from = query.cursor === null ? null : decode(query.cursor, descending);
  const compare = (from?.back ?? false) !== descending ? "<" : ">";
  const start = from
    ? step(actor, Prisma.sql`${from.email}::text`, compare)
    : descending
      ? step(actor, Prisma.sql`${prefix + lastCharacter}::text`, compare)
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
    rows: emails,
    page: {
      per_page: query.per_page,
      next_cursor: hasNext && last !== undefined ? encode(false, last, descending) : null,
      prev_cursor: hasPrevious && first !== undefined ? encode(true, first, descending) : null,
    },
  };
}
