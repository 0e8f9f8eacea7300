import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { instant } from "./fields";
import type { Page } from "./handle";
import type { ListQuery } from "./list-query";

/** An instant as the API shows it, with PostgreSQL's microseconds; a JavaScript Date would lose them. */
export const iso = (column: string): Prisma.Sql =>
  Prisma.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

interface Position {
  back: boolean;
  at: string;
  id: string;
}

function encode(sort: string, back: boolean, row: { _id: string; created_at: string }): string {
  return Buffer.from(JSON.stringify([sort, back, row.created_at, row._id])).toString("base64url");
}

function decode(cursor: string, sort: string): Position {
  const invalid = new ValidationError({ cursor: ["The selected cursor is invalid."] });
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalid;
  }
  if (!Array.isArray(parts) || parts.length !== 4) throw invalid;
  const [of, back, at, id] = parts;
  const plausible = typeof at === "string" && /\.\d{6}Z$/.test(at) && instant.safeParse(at).success;
  if (of !== sort || typeof back !== "boolean" || !plausible || typeof id !== "string" || !/^[\w]{1,64}$/.test(id))
    throw invalid;
  return { back, at, id };
}

interface List {
  table: string;
  /**
   * What to read if it is more than a table, each part a SELECT with the same columns. Of each as much is read as the page
   * can need, by its own index: the page's cost does not grow with the parts.
   */
  parts?: Prisma.Sql[];
  columns: Prisma.Sql;
  where: Prisma.Sql[];
  query: ListQuery;
}

/**
 * One page's worth of rows by keyset, so that the cost does not grow with the page's depth. The order names the table's
 * created_at: the bare name would mean the text that `iso` makes of it, which no index serves.
 */
export async function listRows<Row extends { _id: string; created_at: string }>(
  tx: Db,
  { table, parts, columns, where, query }: List,
): Promise<Page<Row>> {
  const conditions = [...where, ...createdBetween(query)];
  const from = query.cursor === null ? null : decode(query.cursor, query.sort);
  const descending = (query.sort === "-created_at") !== (from?.back ?? false);
  const direction = Prisma.raw(descending ? "DESC" : "ASC");
  const beyond = from
    ? [Prisma.sql`(created_at, id) ${Prisma.raw(descending ? "<" : ">")} (${from.at}::timestamptz, ${from.id})`]
    : [];
  const page = (of: Prisma.Sql, columns: Prisma.Sql) => Prisma.sql`
    SELECT ${columns} FROM ${of} WHERE ${Prisma.join([...conditions, ...beyond], " AND ")}
    ORDER BY ${Prisma.raw(`${table}.created_at`)} ${direction}, id ${direction} LIMIT ${query.per_page + 1}`;
  const pageOf = (part: Prisma.Sql) => page(Prisma.sql`(${part}) AS ${Prisma.raw(table)}`, Prisma.sql`*`);
  const found = await queryRows<Row>(tx, page(together(table, parts?.map(pageOf)), columns));
  const more = found.length > query.per_page;
  const rows = found.slice(0, query.per_page);
  if (from?.back) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasNext = from?.back ? true : more;
  const hasPrevious = from?.back ? more : from !== null;
  return {
    rows,
    page: {
      per_page: query.per_page,
      next_cursor: hasNext && last ? encode(query.sort, false, last) : null,
      prev_cursor: hasPrevious && first ? encode(query.sort, true, first) : null,
      ...(query.with_total ? { total: await count(tx, together(table, parts), conditions) } : {}),
    },
  };
}

/** A table, or parts in its place. */
function together(table: string, parts: Prisma.Sql[] | undefined): Prisma.Sql {
  const name = Prisma.raw(table);
  return parts ? Prisma.sql`((${Prisma.join(parts, ") UNION ALL (")})) AS ${name}` : name;
}

async function count(tx: Db, from: Prisma.Sql, conditions: Prisma.Sql[]): Promise<number> {
  const [row] = await queryRows<{ total: number }>(
    tx,
    Prisma.sql`
    SELECT count(*)::int AS total FROM ${from} WHERE ${Prisma.join(conditions, " AND ")}`,
  );
  return row?.total ?? 0;
}

/** A bare day counts whole, in UTC: `created_to=2026-01-31` includes that day's last microsecond. */
function createdBetween({ created_from, created_to }: ListQuery): Prisma.Sql[] {
  const bounds: Prisma.Sql[] = [];
  if (created_from) bounds.push(Prisma.sql`created_at >= ${utc(created_from)}::timestamptz`);
  if (created_to && created_to.length > 10) bounds.push(Prisma.sql`created_at <= ${created_to}::timestamptz`);
  else if (created_to) bounds.push(Prisma.sql`created_at < ${utc(created_to)}::timestamptz + interval '1 day'`);
  return bounds;
}

const utc = (value: string): string => (value.length === 10 ? `${value}T00:00:00Z` : value);

/** Whose a row is, A to Z in either case; the indexes that end in "_customer" serve it. */
export const emailIs = (email: string): Prisma.Sql =>
  Prisma.sql`lower(email COLLATE "C") = lower(${email} COLLATE "C")`;

/**
 * Free text: every word must begin a word of the document.
 * @param columns SQL: what the migration's index joins, to the letter, or the index is not used
 */
export const matches = (columns: string) => {
  const document = Prisma.raw(`to_tsvector('simple', regexp_replace(lower(${columns}), '[^[:alnum:]]+', ' ', 'g'))`);
  return (words: string): Prisma.Sql => {
    const wanted = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (wanted.length === 0) return Prisma.sql`false`;
    const terms = wanted.slice(0, 10).map((word) => `'${word}':*`);
    return Prisma.sql`${document} @@ to_tsquery('simple', ${terms.join(" & ")})`;
  };
};
