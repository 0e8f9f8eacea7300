import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { assigned, type Db, execute, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { createRecorded, record } from "@/lib/outbox/record";
import { assertFewKeys, changedAnnotations, newAnnotations } from "@/lib/resources/annotations/resource";
import type { PackageInput, PackageUpdate, PackageWithCounts } from "./contract";
import { packages } from "./resource";

const written = ({ amount, metadata: _, notes: __, ...fields }: PackageInput) => ({ ...fields, amount_cents: amount });

export async function createPackage(tx: Db, actor: Actor, input: PackageInput): Promise<PackageWithCounts> {
  const insert = packages.inserting({
    id: newId("pkg"),
    ...tenantOf(actor),
    ...written(input),
    ...newAnnotations(input),
  });
  return createRecorded(tx, actor, { type: "package.created", insert });
}

/**
 * Replaces the writable fields. Existing subscriptions get the amount only on request. Currency and schedule can not change
 * while there are subscriptions, because customers agreed to them.
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
  const { status, existing_subscriptions, ...fields } = input;
  const before = await packages.get(tx, actor, id);
  const after = await packages.update(
    tx,
    actor,
    id,
    Prisma.join([
      Prisma.sql`${assigned(written(fields))}, status = coalesce(${status}, status)`,
      ...changedAnnotations(fields),
    ]),
    Prisma.sql`
      NOT (status = 'cancel' AND coalesce(${status}, status) = 'active')
      AND ((currency, frequency, date_charge_start) IS NOT DISTINCT FROM
           (${input.currency}::char(3), ${input.frequency}, ${input.date_charge_start}::date)
        OR NOT EXISTS (SELECT FROM subscription WHERE package_id = package.id))`,
  );
  if (after) {
    assertFewKeys(after);
    const announces = existing_subscriptions === "new_price";
    if (announces || after.amount_cents !== before.amount_cents) await reprice(tx, actor, after, announces);
    const type = after.status === before.status ? "package.updated" : "package.canceled";
    if (after.updated_at !== before.updated_at) await record(tx, actor, [{ type, data: after }]);
    return after;
  }
  const current = await packages.get(tx, actor, id);
  if (current.status === "cancel" && status === "active")
    throw new ApiError("conflict", "A cancelled package can not become active again. Create a new one.");
  throw new ApiError(
    "package_in_use",
    "The package has subscriptions, so its currency, frequency and date_charge_start can not change.",
  );
}

/**
 * A worker announces the price to the subscriptions, or withdraws what was announced before (lib/billing/price-changes.ts). A price
 * whose mail was sent stays. Mails that are not sent yet are dropped, because the package has another amount (lib/outbox/mail/current.ts).
 */
async function reprice(
  tx: Db,
  actor: Actor,
  { _id, amount_cents }: PackageWithCounts,
  announces: boolean,
): Promise<void> {
  const { business_id, livemode } = tenantOf(actor);
  await execute(
    tx,
    Prisma.sql`
    INSERT INTO package_repricing (package_id, business_id, livemode, amount_cents, announces)
    SELECT ${_id}::text, ${business_id}::int, ${livemode}::boolean, ${amount_cents}::int, ${announces}::boolean
     WHERE ${announces}::boolean
        OR EXISTS (SELECT FROM package_repricing WHERE package_id = ${_id})
        OR EXISTS (SELECT FROM subscription WHERE package_id = ${_id} AND announced_amount_cents IS NOT NULL
                      AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed'))
    ON CONFLICT (package_id) DO UPDATE SET amount_cents = excluded.amount_cents, announces = excluded.announces, after = ''`,
  );
}

/**
 * Deletes a package without subscriptions.
 * @throws ApiError not_found, package_in_use
 */
export async function removePackage(tx: Db, actor: Actor, id: string): Promise<PackageWithCounts & { deleted: true }> {
  return whileLocked(tx, actor, id, async (tx) => {
    const last = await packages.update(
      tx,
      actor,
      id,
      Prisma.sql`deleted_at = ${clock.now()}`,
      Prisma.sql`NOT EXISTS (SELECT FROM subscription WHERE package_id = package.id AND subscription.deleted_at IS NULL)`,
    );
    if (last) {
      await record(tx, actor, [{ type: "package.deleted", data: last }]);
      return { ...last, deleted: true };
    }
    await packages.get(tx, actor, id);
    throw new ApiError("package_in_use", "The package has subscriptions. Cancel it instead of deleting it.");
  });
}

/**
 * Locks the package's row while `work` reads its subscriptions. Creating a subscription holds a share lock on it, so that `work`
 * sees the subscription.
 */
function whileLocked<T>(tx: Db, actor: Actor, id: string, work: (tx: Db) => Promise<T>): Promise<T> {
  packages.checkId(id);
  return transaction(tx, async (tx) => {
    await queryRows(tx, Prisma.sql`SELECT FROM package WHERE id = ${id} AND ${packages.ownedBy(actor)} FOR UPDATE`);
    return work(tx);
  });
}
