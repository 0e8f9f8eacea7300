import { type Db, Prisma, planAndQueryRows, queryRows } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import type { Sum } from "./envelope";
import { instant } from "./fields";
import type { Page } from "./handle";
import { and, inSort, type List, type Position, type SortKey, type Stream, streamOf } from "./list-streams";

/** SQL for an instant in the API's format, with PostgreSQL's microseconds; a JavaScript Date would lose them. */
export const iso = (column: string): Prisma.Sql =>
  Prisma.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** The same for an instant of the system's time, as the clock of the row's business shows it. */
export const shownIso = (column: string): Prisma.Sql => iso(`on_business_clock(${column}, business_id, livemode)`);

/** A position in the order of a table's list. Another list refuses it: it would begin in its midst. */
export function cursorAt(table: string, sort: string, { back, at, id, key }: Position): string {
  const place = [table, sort, back, at, id, ...(key === undefined ? [] : [key])];
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function cursorOf({ table, query, sortKey }: List, back: boolean, row: { _id: string; created_at: string }): string {
  const key = sortKey && (row as unknown as Record<string, string | number>)[sortKey.field];
  return cursorAt(table, query.sort, { back, at: row.created_at, id: row._id, ...(key !== undefined && { key }) });
}

function decode(cursor: string, { table, query, sortKey }: List): Position {
  const invalid = new ValidationError({ cursor: ["The selected cursor is invalid."] });
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalid;
  }
  if (!Array.isArray(parts) || parts.length !== (sortKey ? 6 : 5)) throw invalid;
  const [of, sort, back, at, id, key] = parts;
  if (
    of !== table ||
    sort !== query.sort ||
    typeof back !== "boolean" ||
    !isInstant(at) ||
    typeof id !== "string" ||
    !/^[\w]{1,64}$/.test(id)
  )
    throw invalid;
  if (sortKey && !isKey(sortKey, key)) throw invalid;
  return { back, at, id, key };
}

const maxInt = 2 ** 31 - 1;

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && /\.\d{6}Z$/.test(value) && instant.safeParse(value).success;

function isKey({ type }: SortKey, key: unknown): boolean {
  if (type === "int") return Number.isInteger(key) && Math.abs(key as number) <= maxInt;
  if (type === "time") return isInstant(key);
  return typeof key === "string" && key.length <= 320 && !key.includes("\0");
}

/** Rows of which a page checks filters that no index serves together. Beyond them, the next page goes on. */
export const maxChecked = 5_000;

/** What with_total counts at most. */
export const maxTotal = 5_000;

/**
 * Reads one page by keyset, so that the cost grows neither with the page's depth nor with the table
 * (docs/decisions/0019-lists-at-scale.md). ORDER BY qualifies created_at with the table: the bare name is the text column
 * of `iso`, which no index serves.
 */
export async function listRows<Row extends { _id: string; created_at: string }>(
  tx: Db,
  list: List,
): Promise<Page<Row>> {
  const { table, columns, query, sortKey } = list;
  const { per_page, sort } = query;
  const from = query.cursor === null ? null : decode(query.cursor, list);
  const back = from?.back ?? false;
  const order = sort.startsWith("-") !== back ? "DESC" : "ASC";
  const { stream, checks } = streamOf(list);
  const candidates = stream(checks.length > 0 ? maxChecked : candidatesFor(per_page), { order, from });
  const name = Prisma.raw(table);
  const sql =
    checks.length > 0
      ? checked(name, columns, candidates, checks)
      : Prisma.sql`SELECT ${columns} FROM (${candidates}) AS ${name} ORDER BY ${inSort(table, order, sortKey)}`;
  const page = Prisma.sql`${sql} LIMIT ${per_page + 1}`;
  // Prepared only if few texts exist: each connection keeps all of them.
  const common = !sortKey && !list.filters?.length && !query.created_from && !query.created_to;
  const fetched = common ? await queryRows<Row & Checked>(tx, page) : await planAndQueryRows<Row & Checked>(tx, page);
  const matching = fetched.filter(({ _matches }) => _matches !== false);
  const full = matching.length > per_page;
  const end = full ? undefined : fetched.find(({ _nth }) => _nth === maxChecked);
  const rows: Row[] = matching.slice(0, per_page);
  if (back) rows.reverse();
  const more = full || end !== undefined;
  // The page's rows are gone since its cursor was made: the list begins with those behind it.
  if (back && rows.length === 0 && !more) return listRows(tx, { ...list, query: { ...query, cursor: null } });
  const whole = from === null && !more; // the page is the whole list
  const first = (back ? end : undefined) ?? rows[0] ?? end;
  const last = (back ? undefined : end) ?? rows.at(-1) ?? end;
  return {
    rows,
    page: {
      per_page,
      next_cursor: (back || more) && last ? cursorOf(list, false, last) : null,
      prev_cursor: (back ? more : from !== null) && first ? cursorOf(list, true, first) : null,
      ...(query.with_total
        ? whole && !list.amounts
          ? exactly(rows.length)
          : await count(tx, list, stream, checks)
        : {}),
    },
  };
}

/** At least one more than a page has. Few numbers, because each makes another text to prepare. The export has larger pages. */
const candidatesFor = (perPage: number): number => [26, 101].find((number) => number > perPage) ?? perPage + 1;

interface Checked {
  _matches?: boolean;
  _nth?: number;
}

/**
 * The candidates that fulfil the checks, and the last one in any case: there the next page goes on. Candidates are in order.
 * Sorting them again would read all of them before the first is checked.
 */
const checked = (name: Prisma.Sql, columns: Prisma.Sql, candidates: Prisma.Sql, checks: Prisma.Sql[]) => Prisma.sql`
  SELECT ${columns}, (${and(checks)}) IS TRUE AS _matches, nth AS _nth
    FROM (SELECT *, (row_number() OVER ())::int AS nth FROM (${candidates}) AS ${name}) AS ${name}
   WHERE (${and(checks)}) OR nth = ${maxChecked}`;

const exactly = (total: number) => ({ total, total_is_lower_bound: false });

async function count(tx: Db, { table, amounts }: List, stream: Stream, checks: Prisma.Sql[]) {
  const sums = Prisma.sql`
    (SELECT coalesce(json_agg(json_build_object('currency', currency, 'amount_cents', cents, 'count', count)), '[]')
       FROM (SELECT _currency AS currency, sum(_cents) AS cents, count(*) AS count FROM counted GROUP BY 1 ORDER BY 1) s)`;
  const [row] = await planAndQueryRows<{ read: number; total: number; sums: Sum[] }>(
    tx,
    Prisma.sql`
    WITH candidate AS MATERIALIZED (SELECT * FROM (${stream(maxTotal + 1)}) AS ${Prisma.raw(table)}), counted AS (
      SELECT ${amounts ? Prisma.sql`${amounts.cents} AS _cents, ${amounts.currency} AS _currency` : Prisma.sql`1`}
        FROM candidate AS ${Prisma.raw(table)} WHERE ${and([Prisma.sql`true`, ...checks])} LIMIT ${maxTotal}::int)
    SELECT (SELECT count(*) FROM candidate)::int AS read, (SELECT count(*) FROM counted)::int AS total,
           ${amounts ? sums : Prisma.sql`NULL`} AS sums`,
  );
  const { read = 0, total = 0 } = row ?? {};
  return { total, total_is_lower_bound: read > maxTotal, ...(amounts ? { sums: row?.sums ?? [] } : {}) };
}
