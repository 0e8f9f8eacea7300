import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { instant } from "./fields";
import type { Page } from "./handle";
import type { ListQuery } from "./list-query";

/** SQL for an instant in the API's format, with PostgreSQL's microseconds; a JavaScript Date would lose them. */
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
   * SELECTs with the same columns whose union is listed in place of the table. Each part is limited to one page and uses its
   * own index, so that the cost does not grow with the parts' size.
   */
  parts?: Prisma.Sql[];
  columns: Prisma.Sql;
  where: Prisma.Sql[];
  query: ListQuery;
}

/**
 * Reads one page by keyset, so that the cost does not grow with the page's depth. ORDER BY qualifies created_at with
 * the table: the bare name is the text column of `iso`, which no index serves.
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
  const fetched = await queryRows<Row>(tx, page(source(table, parts?.map(pageOf)), columns));
  const more = fetched.length > query.per_page;
  const rows = fetched.slice(0, query.per_page);
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
      ...(query.with_total ? { total: await count(tx, source(table, parts), conditions) } : {}),
    },
  };
}

function source(table: string, parts: Prisma.Sql[] | undefined): Prisma.Sql {
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

/** A bare day counts as the whole day in UTC: `created_to=2026-01-31` includes that day's last microsecond. */
function createdBetween({ created_from, created_to }: ListQuery): Prisma.Sql[] {
  const bounds: Prisma.Sql[] = [];
  if (created_from) bounds.push(Prisma.sql`created_at >= ${utc(created_from)}::timestamptz`);
  if (created_to && created_to.length > 10) bounds.push(Prisma.sql`created_at <= ${created_to}::timestamptz`);
  else if (created_to) bounds.push(Prisma.sql`created_at < ${utc(created_to)}::timestamptz + interval '1 day'`);
  return bounds;
}

const utc = (value: string): string => (value.length === 10 ? `${value}T00:00:00Z` : value);

/** Rows of one e-mail address, ignoring the case of A to Z. Indexes that end in "_customer" serve it. */
export const emailIs = (email: string): Prisma.Sql =>
  Prisma.sql`lower(email COLLATE "C") = lower(${email} COLLATE "C")`;

/**
 * Full-text search: every search word must be a prefix of a word in the columns.
 * @param columns SQL that equals the expression of the migration's index; otherwise the index is not used
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
