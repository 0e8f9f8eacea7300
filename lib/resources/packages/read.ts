import { owner, type Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, type SqlTransaction } from "@/lib/core/db";
import { notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import { toUnits } from "@/lib/core/money";
import type { Page } from "@/lib/http/handle";
import { equals, iso, listRows, matches } from "@/lib/http/list";
import type { Package, PackageListQuery, PackageWithCounts } from "./contract";

export interface Row extends Omit<Package, "_id" | "amount"> {
  id: string;
}

export const columns = Prisma.sql`
  id, name, description, frequency, currency, to_char(date_charge_start, 'YYYY-MM-DD') AS date_charge_start,
  business_id, status, ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at, amount_cents, livemode`;

const searched = `to_tsvector('simple', regexp_replace(lower(name || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g'))`;

export function present({ id, ...row }: Row): Package {
  return { ...row, _id: id, amount: toUnits(row.amount_cents) };
}

/** Counted when asked for, by an index over those that have not ended. */
export const counted = Prisma.sql`${columns}, (
  SELECT count(*)::int FROM subscription
   WHERE package_id = package.id AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed')) AS subscriber_count`;

export interface CountedRow extends Row {
  subscriber_count: number;
}

export function presentCounted({ subscriber_count, ...row }: CountedRow): PackageWithCounts {
  return { ...present(row), subscriber_count };
}

export function mine(actor: Tenant): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** @throws ApiError not_found */
export async function getPackage(tx: Db, actor: Tenant, id: string): Promise<PackageWithCounts> {
  if (!isId("pkg", id)) throw notFound("Package");
  const [row] = await queryRows<CountedRow>(
    tx,
    Prisma.sql`
    SELECT ${counted} FROM package WHERE id = ${id} AND ${mine(actor)} AND deleted_at IS NULL`,
  );
  return presentCounted(found(row));
}

/** The packages with these ids, whatever became of them: subscriptions show the package they were made for. */
export async function packagesOf(tx: Db | SqlTransaction, actor: Tenant, ids: string[]): Promise<Map<string, Package>> {
  const rows = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT ${columns} FROM package WHERE id = ANY(${[...new Set(ids)]}::text[]) AND ${mine(actor)}`,
  );
  return new Map(rows.map((row) => [row.id, present(row)]));
}

/** Newest first unless asked otherwise. */
export async function listPackages(tx: Db, actor: Tenant, query: PackageListQuery): Promise<Page<PackageWithCounts>> {
  const { status, currency, frequency } = query;
  const where = [
    mine(actor),
    Prisma.sql`deleted_at IS NULL`,
    ...equals({ status, currency, frequency }),
    ...matches(searched, query.q),
  ];
  const { rows, page } = await listRows<CountedRow>(tx, { table: "package", columns: counted, where, query });
  return { rows: rows.map(presentCounted), page };
}

export function found(row: CountedRow | undefined): CountedRow {
  if (!row) throw notFound("Package");
  return row;
}
