import { ApiError, notFound } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { equals, iso, listRows, matches } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { clock } from "@/lib/clock";
import { type Db, Prisma, queryRows, transaction } from "@/lib/db";
import { isId, newId } from "@/lib/id";
import { toUnits } from "@/lib/money";
import type { Package, PackageInput, PackageListQuery, PackageUpdate, PackageWithCounts } from "./contract";

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

/** Counted when asked for, by an index over those that have not ended. */
const counted = Prisma.sql`${columns}, (
  SELECT count(*)::int FROM subscription
   WHERE package_id = package.id AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed')) AS subscriber_count`;

interface CountedRow extends Row {
  subscriber_count: number;
}

function presentCounted({ subscriber_count, ...row }: CountedRow): PackageWithCounts {
  return { ...present(row), subscriber_count };
}

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** Creates a package; its amount is in cents and charged every period. */
export async function createPackage(tx: Db, actor: Actor, input: PackageInput): Promise<PackageWithCounts> {
  const { business_id, livemode } = owner(actor);
  const [row] = await queryRows<CountedRow>(
    tx,
    Prisma.sql`
    INSERT INTO package (id, business_id, livemode, name, description, amount_cents, frequency, currency,
      date_charge_start)
    VALUES (${newId("pkg")}, ${business_id}, ${livemode}, ${input.name}, ${input.description}, ${input.amount},
      ${input.frequency}, ${input.currency}, ${input.date_charge_start}::date)
    RETURNING ${counted}`,
  );
  return presentCounted(found(row));
}

/** @throws ApiError not_found */
export async function getPackage(tx: Db, actor: Actor, id: string): Promise<PackageWithCounts> {
  if (!isId("pkg", id)) throw notFound("Package");
  const [row] = await queryRows<CountedRow>(
    tx,
    Prisma.sql`
    SELECT ${counted} FROM package WHERE id = ${id} AND ${mine(actor)} AND deleted_at IS NULL`,
  );
  return presentCounted(found(row));
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
export async function listPackages(tx: Db, actor: Actor, query: PackageListQuery): Promise<Page<PackageWithCounts>> {
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

/**
 * Replaces the writable fields. A new amount applies from each subscription's next period; while there are subscriptions,
 * currency and schedule stand: customers agreed to them.
 * @throws ApiError not_found, package_in_use, conflict (a cancelled package does not come back)
 */
export async function updatePackage(
  tx: Db,
  actor: Actor,
  id: string,
  input: PackageUpdate,
): Promise<PackageWithCounts> {
  return whileLocked(tx, actor, id, (tx) => update(tx, actor, id, input));
}

async function update(tx: Db, actor: Actor, id: string, input: PackageUpdate): Promise<PackageWithCounts> {
  const [row] = await queryRows<CountedRow>(
    tx,
    Prisma.sql`
    UPDATE package SET name = ${input.name}, description = ${input.description}, amount_cents = ${input.amount},
      currency = ${input.currency}, frequency = ${input.frequency},
      date_charge_start = ${input.date_charge_start}::date, status = coalesce(${input.status}, status)
    WHERE id = ${id} AND ${mine(actor)} AND deleted_at IS NULL
      AND NOT (status = 'cancel' AND coalesce(${input.status}, status) = 'active')
      AND ((currency, frequency, date_charge_start) IS NOT DISTINCT FROM
           (${input.currency}::char(3), ${input.frequency}, ${input.date_charge_start}::date)
        OR NOT EXISTS (SELECT FROM subscription WHERE package_id = package.id))
    RETURNING ${counted}`,
  );
  if (row) return presentCounted(row);
  const current = await getPackage(tx, actor, id);
  if (current.status === "cancel" && input.status === "active")
    throw new ApiError("conflict", "A cancelled package can not become active again. Create a new one.");
  throw new ApiError(
    "package_in_use",
    "The package has subscriptions, so its currency, frequency and date_charge_start can not change.",
  );
}

/**
 * Deletes a package that nobody subscribed to.
 * @throws ApiError not_found, package_in_use
 */
export async function removePackage(tx: Db, actor: Actor, id: string): Promise<PackageWithCounts & { deleted: true }> {
  return whileLocked(tx, actor, id, async (tx) => {
    const [row] = await queryRows<CountedRow>(
      tx,
      Prisma.sql`
      UPDATE package SET deleted_at = ${clock.now()} WHERE id = ${id} AND ${mine(actor)} AND deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM subscription WHERE package_id = package.id AND subscription.deleted_at IS NULL)
      RETURNING ${counted}`,
    );
    if (row) return { ...presentCounted(row), deleted: true };
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

function found(row: CountedRow | undefined): CountedRow {
  if (!row) throw notFound("Package");
  return row;
}
