import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, inserted, lookUp, Prisma, queryRows } from "@/lib/core/db";
import { notFound } from "@/lib/core/errors";
import { type IdPrefix, isId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { iso, listRows, shownIso } from "@/lib/http/list";
import type { ListQuery } from "@/lib/http/list-query";
import type { Amounts, Condition, Facet, SortKey } from "@/lib/http/list-streams";

/** The table's column of the field's or filter's own name. */
export const column = Symbol("column");

/** The table's column of the field's own name, an instant. */
export const instant = Symbol("instant");

/** The same, of a column in system time: as the clock of the row's business shows it (docs/decisions/0033-one-clock.md). */
export const systemInstant = Symbol("systemInstant");

/** Where a field of the contract comes from. */
type Source = typeof column | typeof instant | typeof systemInstant | Prisma.Sql | ((now: Date) => Prisma.Sql);

/** `column` and plain SQL are checked row by row; a `Condition` says how an index finds its rows. */
type Filter<Value, Owner> = typeof column | ((value: Value, owner: Owner, now: Date) => Prisma.Sql | Condition);

type Own<Query> = Exclude<keyof Query, keyof ListQuery>;

interface Definition<Row, Query, Owner> {
  /** In the text of a 404. */
  name: string;
  table: string;
  /** Null if ids have no prefix. */
  idPrefix: IdPrefix | null;
  /** Every field of the contract, in its order: PostgreSQL names and shapes them, so that a row is the resource. */
  fields: { readonly [Field in keyof Row]-?: Source };
  /** Whether a deleted row stays in the table, with its deleted_at. */
  keepsDeleted?: boolean;
  /** By default, a row belongs to a business and a mode. */
  ownedBy?: (owner: Owner) => Prisma.Sql;
  filters: { readonly [Name in Own<Query>]-?: Filter<NonNullable<Query[Name]>, Owner> };
  /** Indexes (tenant, facets, created_at, id), those with the most facets first. */
  facets?: readonly (readonly Facet[])[];
  /** What the list can be sorted by besides the time of creation, as in its query. */
  orders?: Readonly<Record<string, SortKey>>;
  /** The amounts that totals of the list sum up; absent if they only count. */
  amounts?: (now: Date) => Amounts;
}

export interface Resource<Row, Query, Owner> {
  /** As `fields` defines them, for SELECT and RETURNING. */
  columns(now?: Date): Prisma.Sql;
  /** The condition that a row belongs to the tenant and is not deleted. */
  ownedBy(owner: Owner): Prisma.Sql;
  /** @throws ApiError not_found for an id of another kind */
  checkId(id: string): void;
  /** @throws ApiError not_found where there is no row */
  orNotFound(row: Row | undefined): Row;
  /** @param and SQL after the condition: a further condition, or a lock @throws ApiError not_found */
  get(tx: Db, owner: Owner, id: string, and?: Prisma.Sql): Promise<Row>;
  /** An INSERT that returns the row. A column whose value is undefined gets its default. */
  inserting(values: Readonly<Record<string, unknown>>): Prisma.Sql;
  /** Inserts a row. */
  insert(tx: Db, values: Readonly<Record<string, unknown>>): Promise<Row>;
  /**
   * Updates a row if it meets the condition.
   * @returns the row as it is now; undefined if none was updated
   */
  update(tx: Db, owner: Owner, id: string, set: Prisma.Sql, condition?: Prisma.Sql): Promise<Row | undefined>;
  /** One page, newest first unless the query says otherwise. */
  list(tx: Db, owner: Owner, query: Query, and?: Prisma.Sql[]): Promise<Page<Row>>;
  /** The same resource with more fields. */
  extend<Wide extends Row>(
    fields: {
      readonly [Field in Exclude<keyof Wide, keyof Row>]-?: Source;
    },
  ): Resource<Wide, Query, Owner>;
  /** The same resource without a field that costs much, for a file that leaves it out. */
  without<Field extends Exclude<keyof Row, "_id" | "created_at">>(
    field: Field,
  ): Resource<Omit<Row, Field>, Query, Owner>;
  readonly definition: Definition<Row, Query, Owner>;
}

/** The amounts of a table with the columns `amount_cents` and `currency`. */
export const ownAmounts = (): Amounts => ({ cents: Prisma.raw("amount_cents"), currency: Prisma.raw("currency") });

/** Rows of the tenant, also deleted ones. Throws without a tenant. */
export function ownedBy(tenant: Tenant): Prisma.Sql {
  const { business_id, livemode } = tenantOf(tenant);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** Rows of the business in both modes. Throws without a business. */
export function ownedByBusiness({ businessId }: { businessId: number }): Prisma.Sql {
  if (!Number.isInteger(businessId)) throw new Error("no business");
  return Prisma.sql`business_id = ${businessId}`;
}

function selected(field: string, source: Source): Prisma.Sql | ((now: Date) => Prisma.Sql) {
  if (source === column) return Prisma.raw(`"${field}"`);
  const as = Prisma.raw(`AS "${field}"`);
  if (source === instant) return Prisma.sql`${iso(field)} ${as}`;
  if (source === systemInstant) return Prisma.sql`${shownIso(field)} ${as}`;
  if (typeof source !== "function") return Prisma.sql`${source} ${as}`;
  return (now) => Prisma.sql`${source(now)} ${as}`;
}

/**
 * The columns of a SELECT or RETURNING, by field of the contract. Joins the parts that do not depend on the time once,
 * because every request builds a list's SQL.
 */
export function columnsOf<Row>(fields: { readonly [Field in keyof Row]-?: Source }): (now: Date) => Prisma.Sql {
  const parts: (Prisma.Sql | ((now: Date) => Prisma.Sql))[] = [];
  for (const [field, source] of Object.entries<Source>(fields)) {
    const next = selected(field, source);
    const last = parts.at(-1);
    if (typeof next === "function" || last === undefined || typeof last === "function") parts.push(next);
    else parts[parts.length - 1] = Prisma.sql`${last}, ${next}`;
  }
  const [only] = parts;
  if (parts.length === 1 && only && typeof only !== "function") return () => only;
  return (now) => Prisma.join(parts.map((part) => (typeof part === "function" ? part(now) : part)));
}

/**
 * Defines a table's API resource: its columns, tenant, get, list and filters. A missing field of the contract or filter
 * of its query does not compile.
 */
export function defineResource<
  Row extends { _id: string; created_at: string },
  Query extends ListQuery,
  Owner = Tenant,
>(definition: Definition<Row, Query, Owner>): Resource<Row, Query, Owner> {
  const { name, table, idPrefix, fields, keepsDeleted, filters, facets, orders = {}, amounts } = definition;
  const from = Prisma.raw(table);
  const ownerCondition = definition.ownedBy ?? (ownedBy as unknown as (owner: Owner) => Prisma.Sql);
  const select = columnsOf<Row>(fields);
  const conditions = Object.entries(filters) as [Own<Query> & string, Filter<unknown, Owner>][];

  const resource: Resource<Row, Query, Owner> = {
    definition,
    columns: (now = clock.now()) => select(now),
    ownedBy: (owner) =>
      keepsDeleted ? Prisma.sql`${ownerCondition(owner)} AND deleted_at IS NULL` : ownerCondition(owner),
    checkId: (id) => {
      if (idPrefix !== null && !isId(idPrefix, id)) throw notFound(name);
    },
    orNotFound: (row) => {
      if (!row) throw notFound(name);
      return row;
    },
    get: async (tx, owner, id, and = Prisma.empty) => {
      resource.checkId(id);
      // One JSON value instead of some thirty columns: the driver reads it in less than half of the time.
      const [found] = await lookUp<{ row: Row }>(
        tx,
        Prisma.sql`
        SELECT to_json(r) AS row
          FROM (SELECT ${resource.columns()} FROM ${from} WHERE id = ${id} AND ${resource.ownedBy(owner)} ${and}) AS r`,
      );
      return resource.orNotFound(found?.row);
    },
    inserting: (values) => Prisma.sql`INSERT INTO ${from} ${inserted(values)} RETURNING ${resource.columns()}`,
    insert: async (tx, values) => resource.orNotFound((await queryRows<Row>(tx, resource.inserting(values)))[0]),
    update: async (tx, owner, id, set, condition = Prisma.sql`true`) => {
      const [row] = await queryRows<Row>(
        tx,
        Prisma.sql`
        UPDATE ${from} SET ${set} WHERE id = ${id} AND ${resource.ownedBy(owner)} AND ${condition}
        RETURNING ${resource.columns()}`,
      );
      return row;
    },
    list: (tx, owner, query, and = []) => {
      const now = clock.now();
      const given: Condition[] = [];
      for (const [filter, condition] of conditions) {
        const value = query[filter];
        if (value === null) continue;
        const rows =
          condition === column ? Prisma.sql`${Prisma.raw(`"${filter}"`)} = ${value}` : condition(value, owner, now);
        given.push("rows" in rows ? rows : { rows });
      }
      const where = [resource.ownedBy(owner), ...and];
      const sort = query.sort.replace("-", "");
      const sortKey = orders[sort];
      if (!sortKey && sort !== "created_at") throw new Error(`No index has ${table} by ${sort}.`);
      const list = { table, columns: select(now), where, filters: given, facets, query, sortKey };
      return listRows<Row>(tx, { ...list, amounts: amounts?.(now) });
    },
    extend: (more) => defineResource({ ...definition, fields: { ...fields, ...more } } as never),
    without: (field) => {
      const kept = Object.entries(fields).filter(([name]) => name !== field);
      return defineResource({ ...definition, fields: Object.fromEntries(kept) } as never) as never;
    },
  };
  return resource;
}
