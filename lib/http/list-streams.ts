/** The SQL that reads a list's rows along one index (docs/decisions/0019-lists-at-scale.md). */
import { Prisma } from "@/lib/core/db";
import type { ListQuery } from "./list-query";

/** A column or expression of few different values. It leads an index: (tenant, facets, created_at, id). */
export interface Facet {
  sql: string;
  type: "text" | "int" | "bpchar";
  /** All values that exist. Without them, the list looks them up in the index. */
  values?: readonly (string | number)[];
}

/** A column or expression of an index, and the value that the rows must have there. */
export type Place = readonly [column: Prisma.Sql, value: Prisma.Sql];

/** An order by a column, then by the time. Its index is (tenant, column, created_at, id). */
export interface SortKey {
  sql: string;
  /** The row's field with the column's value. */
  field: string;
  /** SQL: a value of the field, as the index has it. */
  value: (of: string | number) => Prisma.Sql;
  type: "int" | "text" | "time";
  /** Whether rows without a value are left out, because the index has no others. */
  partial?: true;
}

/** A filter with its value. A list reads its rows along one filter and checks the others row by row. */
export interface Condition {
  /** What a row must fulfil. */
  rows: Prisma.Sql;
  /** A column with an index (tenant, key, created_at, id). The index has the rows of `indexWhere`, by default those with a value. */
  key?: { column: string; value: Prisma.Sql; indexWhere?: Prisma.Sql };
  /** SELECTs the few rows that match, possibly of other tenants, too. The list narrows and sorts them. */
  few?: Prisma.Sql;
  /** The values of a facet. `and`: what their rows must fulfil as well. `also`: few rows of other values. */
  facet?: { of: Facet; values: readonly (string | number)[]; and?: Prisma.Sql; also?: ExtraRows };
  /** Finds the rows of a day ("day.at") by an index of words. `one`: those with the word that is probably the rarest. */
  words?: { all: Prisma.Sql; one: Prisma.Sql | null };
  /** A list in this order begins (">") or ends ("<") at these rows. */
  bounds?: readonly [of: SortKey, side: ">" | "<"];
}

/** Rows to add: as a condition, and as a SELECT by an index, possibly of other tenants, too. */
export interface ExtraRows {
  rows: Prisma.Sql;
  select: Prisma.Sql;
}

/**
 * One SELECT of a union. `lead`: the value of its column "lead", the first column of its index, before the time. `each`: a SELECT
 * of few values of "id"; the part is read for each of them, with "subject.id" as its lead.
 */
export interface Part {
  sql: Prisma.Sql;
  lead?: Prisma.Sql;
  each?: Prisma.Sql;
}

/** SQL for a row's amount and its currency. */
export interface Amounts {
  cents: Prisma.Sql;
  currency: Prisma.Sql;
}

export interface List {
  table: string;
  /**
   * SELECTs with the same columns whose union is listed in place of the table. Each part is limited to one page and uses its
   * own index, so that the cost does not grow with the parts' size.
   */
  parts?: Part[];
  columns: Prisma.Sql;
  /** Conditions that every index of the list begins with. */
  where: Prisma.Sql[];
  filters?: Condition[];
  /** Indexes by facets, those with the most facets first. */
  facets?: readonly (readonly Facet[])[];
  /** The amounts that a total sums up; absent if it only counts. */
  amounts?: Amounts;
  query: ListQuery;
  /** The order that `query.sort` names; absent for the order by time. */
  sortKey?: SortKey;
}

export interface Position {
  back: boolean;
  at: string;
  id: string;
  /** The sort key's value. */
  key?: string | number;
}

type Order = "ASC" | "DESC";

/** SELECTs at most `limit` rows of the table: in the list's order, from a position on, or for counting in any order. */
export type Stream = (limit: number, at?: { order: Order; from: Position | null }) => Prisma.Sql;

export const and = (conditions: Prisma.Sql[]) =>
  conditions.length > 0 ? Prisma.join(conditions, " AND ") : Prisma.sql`true`;

const byTime = (table: string, order: Order) => Prisma.raw(`${table}.created_at ${order}, ${table}.id ${order}`);

/** @param key the order's column before the time */
export const inSort = (table: string, order: Order, key?: SortKey) =>
  key ? Prisma.sql`${Prisma.raw(`${key.sql} ${order}`)}, ${byTime(table, order)}` : byTime(table, order);

/** Chooses the filter along which the list reads. The others become checks. */
export function streamOf(list: List): { stream: Stream; checks: Prisma.Sql[] } {
  const { filters = [], parts, sortKey } = list;
  if (sortKey) return sorted(list, sortKey);
  if (parts) return { stream: union(list, parts), checks: [] };
  const along = (driver: Condition, stream: Stream) => ({
    stream,
    checks: filters.filter((filter) => filter !== driver).map(({ rows }) => rows),
  });
  const few = filters.find(({ few }) => few);
  if (few?.few) return along(few, byFew(list, few.few));
  const keyed = filters.find(({ key }) => key);
  if (keyed?.key) return along(keyed, byKey(list, keyed.key));
  const searched = filters.find(({ words }) => words);
  if (searched?.words) return along(searched, byWords(list, searched.words));
  const others = filters.filter(({ facet }) => !facet);
  const facets = others.length < filters.length ? facetsFor(list) : undefined;
  // Each combination of facets reads as many candidates. With checks there are many, so the values must be given.
  const given = (of: Facet) => filters.some(({ facet }) => facet?.of === of);
  if (facets && (others.length === 0 || facets.every(given)))
    return { stream: byFacets(list, facets), checks: others.map(({ rows }) => rows) };
  return { stream: byTimeOnly(list), checks: filters.map(({ rows }) => rows) };
}

/** Reads in the order of a sort key: along its index, or from a filter that finds few rows. Checks the other filters row by row. */
function sorted(list: List, sortKey: SortKey): { stream: Stream; checks: Prisma.Sql[] } {
  const { table, where, filters = [], query } = list;
  const few = filters.find(({ few }) => few);
  const name = Prisma.raw(table);
  const rest = filters.filter((filter) => filter !== few).map(({ rows }) => rows);
  const kept = sortKey.partial ? [Prisma.sql`${Prisma.raw(sortKey.sql)} IS NOT NULL`] : [];
  const stream: Stream = (limit, { order, from } = newestFirst) => {
    // One condition for each end: of several, PostgreSQL starts at any of them. The checks include the filter's, too.
    const position = order === "DESC" ? "<" : ">";
    const ends = filters.filter(({ bounds }) => bounds?.[0] === sortKey && !(from && bounds[1] === position));
    const conditions = [
      ...where,
      ...kept,
      ...ends.map(({ rows }) => rows),
      ...(from ? [beyond(sortKey, order, from)] : []),
    ];
    const by = inSort(table, order, sortKey);
    return few?.few
      ? Prisma.sql`SELECT * FROM (${few.few}) AS ${name} WHERE ${and(conditions)} ORDER BY ${by} LIMIT ${limit}`
      : inOrderOf(table, conditions, by, limit);
  };
  return { stream, checks: [...rest, ...within([], query, "DESC", null)] };
}

const beyond = ({ sql, value }: SortKey, order: Order, { key = "", at, id }: Position): Prisma.Sql => {
  const side = Prisma.raw(order === "DESC" ? "<" : ">");
  return Prisma.sql`(${Prisma.raw(sql)}, created_at, id) ${side} (${value(key)}, ${at}::timestamptz, ${id})`;
};

/** An index that has all facets of the filters, if possible one that begins with one of them. */
function facetsFor({ filters = [], facets = [] }: List): readonly Facet[] | undefined {
  const given = filters.flatMap(({ facet }) => (facet ? [facet.of] : []));
  const usable = facets.filter((index) => given.every((facet) => index.includes(facet)));
  return usable.find(([first]) => first && given.includes(first)) ?? usable[0];
}

const byTimeOnly =
  (list: List): Stream =>
  (limit, at = newestFirst) =>
    alongIndex(list, [], limit, at);

const newestFirst: { order: Order; from: Position | null } = { order: "DESC", from: null };

/** At most `limit` rows with these values in an index that goes on with the time and the id. */
function alongIndex({ table, where, query }: List, places: Place[], limit: number, at: typeof newestFirst): Prisma.Sql {
  const { order, from } = at;
  const conditions = [...where, ...within(places, query, order, from)];
  return inOrderOf(table, conditions, Prisma.sql`${columnsIn(places, order)}${byTime(table, order)}`, limit);
}

const columnsIn = (places: Place[], order: Order) =>
  places.length > 0
    ? Prisma.sql`${Prisma.join(places.map(([column]) => Prisma.sql`${column} ${Prisma.raw(order)}`))}, `
    : Prisma.empty;

/**
 * SELECTs rows along the index that has this order. Without help, PostgreSQL reads another index and sorts where it expects few
 * rows, and its statistics may not know a large tenant. So each row is joined with one row that PostgreSQL expects to be a
 * billion. Reading the first `limit` rows of the right index then seems almost free, and a sort seems to read everything.
 * The index must have the whole order: PostgreSQL would compile (JIT) a query that also sorts groups of rows.
 * @param limit is part of the SQL text, because the planner must know it
 */
export const inOrderOf = (table: string, conditions: Prisma.Sql[], order: Prisma.Sql, limit: number): Prisma.Sql =>
  Prisma.sql`
    SELECT ${Prisma.raw(table)}.* FROM ${Prisma.raw(table)} CROSS JOIN ${expectedBillion}
     WHERE ${and(conditions)} ORDER BY ${order} LIMIT ${Prisma.raw(String(limit))}`;

const expectedThousand = "generate_series(1, (SELECT 1))";
const expectedBillion = Prisma.raw(
  `(SELECT FROM ${expectedThousand} a, ${expectedThousand} b, ${expectedThousand} c OFFSET 0) AS one_row`,
);

/** A LIMIT for reading all rows of a filter that finds few. Rows beyond it are missing. */
export const maxFewRows = 500_000;

/** All rows with this value in an index, by this index. */
export const rowsAt = (table: string, [column, value]: Place, where: Prisma.Sql[] = []): Prisma.Sql =>
  inOrderOf(
    table,
    [...where, Prisma.sql`${column} >= ${value}`, Prisma.sql`${column} <= ${value}`],
    column,
    maxFewRows,
  );

function union({ table, where, query }: List, parts: Part[]): Stream {
  return (limit, { order, from } = newestFirst) => {
    const name = Prisma.raw(table);
    const selected = parts.map(({ sql, lead, each }) => {
      const places: Place[] = lead ? [[Prisma.raw("lead"), lead]] : [];
      const conditions = and([...where, ...within(places, query, order, from)]);
      const rows = Prisma.sql`
      (SELECT * FROM (${sql}) AS ${name} WHERE ${conditions}
        ORDER BY ${columnsIn(places, order)}${byTime(table, order)} LIMIT ${Prisma.raw(String(limit))})`;
      return each ? Prisma.sql`(SELECT found.* FROM (${each}) AS subject CROSS JOIN LATERAL ${rows} AS found)` : rows;
    });
    return Prisma.sql`SELECT * FROM (${Prisma.join(selected, " UNION ALL ")}) AS ${name} ORDER BY ${byTime(table, order)} LIMIT ${limit}`;
  };
}

const byKey =
  (list: List, { column, value, indexWhere }: NonNullable<Condition["key"]>): Stream =>
  (limit, at = newestFirst) => {
    const key = Prisma.raw(column);
    const indexed = indexWhere ?? Prisma.sql`${key} IS NOT NULL`;
    return alongIndex({ ...list, where: [...list.where, indexed] }, [[key, value]], limit, at);
  };

const byFew =
  ({ table, where, query }: List, rows: Prisma.Sql): Stream =>
  (limit, at) => {
    const conditions = [...where, ...within([], query, at?.order ?? "DESC", at?.from ?? null)];
    return Prisma.sql`
    SELECT * FROM (${rows}) AS ${Prisma.raw(table)} WHERE ${and(conditions)} ${inOrder(table, at?.order)} LIMIT ${limit}`;
  };

/**
 * Goes from day to day that has rows, and within each by the index of words, whose entries begin with the tenant and the day.
 * So a rare word costs a lookup a day, and a frequent one the rows of a day. Of several words, a day without the first one ends
 * there: the index reads all entries of each word before it compares them. The loop over the days gives the order. OFFSET 0
 * keeps PostgreSQL from reading the rows by time instead.
 */
function byWords(list: List, { all, one }: NonNullable<Condition["words"]>): Stream {
  const { table, where, query } = list;
  const name = Prisma.raw(table);
  return (limit, at) => {
    const { order, from } = at ?? newestFirst;
    const positioned = and([...where, ...within([], query, order, from)]);
    // With ORDER BY, PostgreSQL does not plan for the first row alone: it would read the table until it finds one.
    const gate = one
      ? Prisma.sql`(SELECT true AS found FROM (SELECT FROM ${name} WHERE ${one} OFFSET 0) AS day_rows ORDER BY found LIMIT 1)`
      : Prisma.sql`true`;
    const dayOf = (conditions: Prisma.Sql) => Prisma.sql`
      SELECT (created_at AT TIME ZONE 'UTC')::date AS at
        FROM (${inOrderOf(table, [conditions], byTime(table, order), 1)}) AS ${name}`;
    const later =
      order === "DESC"
        ? [Prisma.sql`created_at < day.at::timestamp AT TIME ZONE 'UTC'`, ...bound(">", query)]
        : [Prisma.sql`created_at >= (day.at + 1)::timestamp AT TIME ZONE 'UTC'`, ...bound("<", query)];
    return Prisma.sql`
    WITH RECURSIVE day AS (
      (${dayOf(positioned)})
      UNION ALL SELECT next.at FROM day CROSS JOIN LATERAL (${dayOf(and([...where, ...later]))}) AS next)
    SELECT found.* FROM day CROSS JOIN LATERAL (
      SELECT * FROM (SELECT * FROM ${name} WHERE ${all} OFFSET 0) AS ${name}
       WHERE ${gate} AND ${positioned} ${inOrder(table, at?.order)} LIMIT ${limit}) AS found
     LIMIT ${limit}`;
  };
}

/** Merges the rows of each combination of the facets' values; each has its place in the index. */
function byFacets(list: List, facets: readonly Facet[]): Stream {
  const { table, where, filters = [], query } = list;
  const name = Prisma.raw(table);
  const given = filters.flatMap(({ facet }) => (facet ? [facet] : []));
  const groups = facets.map((facet, n) => {
    const wanted = given.filter(({ of }) => of === facet).map(({ values }) => values);
    const values = [...(wanted.length > 0 ? wanted : [facet.values])].reduce((both, more) =>
      both?.filter((value) => more?.includes(value)),
    );
    const alias = Prisma.raw(`f${n}(value)`);
    return values
      ? Prisma.sql`unnest(${values}::${Prisma.raw(facet.type)}[]) AS ${alias}`
      : Prisma.sql`(${present(list, facet)}) AS ${alias}`;
  });
  const places = facets.map(({ sql }, n): Place => [Prisma.raw(sql), Prisma.raw(`f${n}.value`)]);
  const each = given.flatMap(({ and: rows }) => rows ?? []);
  return (limit, at) => {
    const { order, from } = at ?? newestFirst;
    const combination = alongIndex({ ...list, where: [...where, ...each] }, places, limit, { order, from });
    const merged = Prisma.sql`
      SELECT found.* FROM ${Prisma.join(groups, " CROSS JOIN ")} CROSS JOIN LATERAL (${combination}) AS found`;
    const others = filters.flatMap((filter) => {
      const also = filter.facet?.also;
      if (!also) return [];
      const rest = filters.filter((other) => other !== filter).map(({ rows }) => rows);
      const conditions = [...where, ...rest, ...within([], query, order, from)];
      return Prisma.sql`
      SELECT * FROM (${also.select}) AS ${name}
       WHERE ${and(conditions)}`;
    });
    return Prisma.sql`
    SELECT * FROM (${Prisma.join([merged, ...others], " UNION ALL ")}) AS ${name} ${inOrder(table, at?.order)} LIMIT ${limit}`;
  };
}

/** The values of a facet that have rows, by one lookup each. */
export function present({ table, where }: Pick<List, "table" | "where">, { sql }: Facet): Prisma.Sql {
  const facet = Prisma.raw(sql);
  const next = (conditions: Prisma.Sql[]) => Prisma.sql`
    SELECT ${facet} AS value FROM (${inOrderOf(table, conditions, facet, 1)}) AS ${Prisma.raw(table)}`;
  return Prisma.sql`
    WITH RECURSIVE seen AS (
      (${next(where)}) UNION ALL SELECT next.value FROM seen CROSS JOIN LATERAL (
        ${next([...where, Prisma.sql`${facet} > seen.value`])}) AS next)
    SELECT value FROM seen`;
}

const inOrder = (table: string, order: Order | undefined) =>
  order ? Prisma.sql`ORDER BY ${byTime(table, order)}` : Prisma.empty;

/**
 * The rows of one place of an index, from a position on, as a comparison of all its columns. With `=`, PostgreSQL would choose by
 * its statistics between this index and the one by time, and read all rows of the tenant where it expects the value to be
 * frequent. Each end has one condition, because PostgreSQL begins to read at one of several.
 */
function within(places: Place[], query: ListQuery, order: Order, from: Position | null): Prisma.Sql[] {
  const side = order === "DESC" ? "<" : ">";
  return [
    ...bound(">", query, places, side === ">" ? from : null),
    ...bound("<", query, places, side === "<" ? from : null),
  ];
}

/** One end: created_from, created_to or the cursor, whichever is narrower. Ids are greater than "". */
function bound(side: "<" | ">", query: ListQuery, places: Place[] = [], from: Position | null = null): Prisma.Sql[] {
  const given = side === ">" ? query.created_from : query.created_to;
  if (places.length === 0 && !given && !from) return [];
  const created = side === ">" ? since(query) : until(query);
  const at = Prisma.sql`${from?.at}::timestamptz`;
  const narrower = side === ">" ? Prisma.sql`${at} >= ${created}` : Prisma.sql`${at} < ${created}`;
  const position = !from
    ? [created, Prisma.sql`''`]
    : !given
      ? [at, Prisma.sql`${from.id}`]
      : [
          Prisma.sql`CASE WHEN ${narrower} THEN ${at} ELSE ${created} END`,
          Prisma.sql`CASE WHEN ${narrower} THEN ${from.id} ELSE '' END`,
        ];
  const columns = Prisma.join([...places.map(([column]) => column), Prisma.raw("created_at, id")]);
  const values = Prisma.join([...places.map(([, value]) => value), ...position]);
  return [Prisma.sql`(${columns}) ${Prisma.raw(side)} (${values})`];
}

const since = ({ created_from }: ListQuery) => startOf(created_from ?? "-infinity");

const until = ({ created_to }: ListQuery) => (created_to ? endOf(created_to) : Prisma.sql`'infinity'::timestamptz`);

/** SQL: the first instant of a day in UTC, or the instant. */
export const startOf = (value: string): Prisma.Sql => Prisma.sql`${utc(value)}::timestamptz`;

/** SQL: the instant after the last one. A bare day counts as the whole day in UTC: `2026-01-31` includes its last microsecond. */
export function endOf(value: string): Prisma.Sql {
  const after = Prisma.raw(value.length > 10 ? "interval '1 microsecond'" : "interval '1 day'");
  return Prisma.sql`(${utc(value)}::timestamptz + ${after})`;
}

const utc = (value: string): string => (value.length === 10 ? `${value}T00:00:00Z` : value);
