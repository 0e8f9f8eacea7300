import { ApiError, notFound } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { equals, iso, listRows, matches } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { clock } from "@/lib/clock";
import { type Db, Prisma, queryRows, transaction } from "@/lib/db";
import { isId, newId } from "@/lib/id";
import { toUnits } from "@/lib/money";
import type { Package, PackageInput, PackageListQuery, PackageUpdate } from "./contract";

interface Row extends Omit<Package, "_id" | "amount"> {
  id: string;
}

const columns = Prisma.sql`
  id, name, description, frequency, currency, to_char(date_charge_start, 'YYYY-MM-DD') AS date_charge_start,
  business_id, status, ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at, amount_cents, livemode`;

const searched = `to_tsvector('simple', regexp_replace(lower(name || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g'))`;

function present({ id, ...row }: Row): Package {
  return { ...row, _id: id, amount: toUnits(row.amount_cents) };
}

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** Creates a package; its amount is in cents and charged every period. */
export async function createPackage(tx: Db, actor: Actor, input: PackageInput): Promise<Package> {
  const { business_id, livemode } = owner(actor);
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    INSERT INTO package (id, business_id, livemode, name, description, amount_cents, frequency, currency,
      date_charge_start)
    VALUES (${newId("pkg")}, ${business_id}, ${livemode}, ${input.name}, ${input.description}, ${input.amount},
      ${input.frequency}, ${input.currency}, ${input.date_charge_start}::date)
    RETURNING ${columns}`,
  );
  return present(found(row));
}

/** @throws ApiError not_found */
export async function getPackage(tx: Db, actor: Actor, id: string): Promise<Package> {
  if (!isId("pkg", id)) throw notFound("Package");
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT ${columns} FROM package WHERE id = ${id} AND ${mine(actor)} AND deleted_at IS NULL`,
  );
  return present(found(row));
}

/** The packages with these ids, whatever became of them: subscriptions show the package they were made for. */
export async function packagesOf(tx: Db, actor: Actor, ids: string[]): Promise<Map<string, Package>> {
  const rows = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT ${columns} FROM package WHERE id = ANY(${[...new Set(ids)]}::text[]) AND ${mine(actor)}`,
  );
  return new Map(rows.map((row) => [row.id, present(row)]));
}

/** Newest first unless asked otherwise. */
export async function listPackages(tx: Db, actor: Actor, query: PackageListQuery): Promise<Page<Package>> {
  const { status, currency, frequency } = query;
  const where = [
    mine(actor),
    Prisma.sql`deleted_at IS NULL`,
    ...equals({ status, currency, frequency }),
    ...matches(searched, query.q),
  ];
  const { rows, page } = await listRows<Row>(tx, { table: "package", columns, where, query });
  return { rows: rows.map(present), page };
}

/**
 * Replaces the writable fields. While a package has subscriptions its price and schedule stand: customers agreed to
 * them.
 * @throws ApiError not_found, package_in_use, conflict (a cancelled package does not come back)
 */
export async function updatePackage(tx: Db, actor: Actor, id: string, input: PackageUpdate): Promise<Package> {
  return whileLocked(tx, actor, id, (tx) => update(tx, actor, id, input));
}

async function update(tx: Db, actor: Actor, id: string, input: PackageUpdate): Promise<Package> {
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    UPDATE package SET name = ${input.name}, description = ${input.description}, amount_cents = ${input.amount},
      currency = ${input.currency}, frequency = ${input.frequency},
      date_charge_start = ${input.date_charge_start}::date, status = coalesce(${input.status}, status)
    WHERE id = ${id} AND ${mine(actor)} AND deleted_at IS NULL
      AND NOT (status = 'cancel' AND coalesce(${input.status}, status) = 'active')
      AND ((amount_cents, currency, frequency, date_charge_start) IS NOT DISTINCT FROM
           (${input.amount}::int, ${input.currency}, ${input.frequency}, ${input.date_charge_start}::date)
        OR NOT EXISTS (SELECT FROM subscription WHERE package_id = package.id))
    RETURNING ${columns}`,
  );
  if (row) return present(row);
  const current = await getPackage(tx, actor, id);
  if (current.status === "cancel" && input.status === "active")
    throw new ApiError("conflict", "A cancelled package can not become active again. Create a new one.");
  throw new ApiError(
    "package_in_use",
    "The package has subscriptions, so its amount, currency, frequency and date_charge_start can not change.",
  );
}

/**
 * Deletes a package that nobody subscribed to.
 * @throws ApiError not_found, package_in_use
 */
export async function removePackage(tx: Db, actor: Actor, id: string): Promise<Package & { deleted: true }> {
  return whileLocked(tx, actor, id, async (tx) => {
    const [row] = await queryRows<Row>(
      tx,
      Prisma.sql`
      UPDATE package SET deleted_at = ${clock.now()} WHERE id = ${id} AND ${mine(actor)} AND deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM subscription WHERE package_id = package.id AND subscription.deleted_at IS NULL)
      RETURNING ${columns}`,
    );
    if (row) return { ...present(row), deleted: true };
    await getPackage(tx, actor, id);
    throw new ApiError("package_in_use", "The package has subscriptions. Cancel it instead of deleting it.");
  });
}

/**
 * Holds the package's row while `work` looks for its subscriptions: one that is being created shares the lock until
 * it is there to be seen.
 */
function whileLocked<T>(tx: Db, actor: Actor, id: string, work: (tx: Db) => Promise<T>): Promise<T> {
  if (!isId("pkg", id)) throw notFound("Package");
  return transaction(tx, async (tx) => {
    await tx.$queryRaw`SELECT FROM package WHERE id = ${id} AND ${mine(actor)} FOR UPDATE`;
    return work(tx);
  });
}

function found(row: Row | undefined): Row {
  if (!row) throw notFound("Package");
  return row;
}
