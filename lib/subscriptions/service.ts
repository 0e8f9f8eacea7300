import { ApiError, invalidSelection, notFound } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { equals, iso, listRows, matches } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { clock } from "@/lib/clock";
import { type Db, Prisma, queryRows } from "@/lib/db";
import { isId, newId } from "@/lib/id";
import { packagesOf } from "@/lib/packages/service";
import { linksOfSubscriptions } from "@/lib/payment-links/service";
import {
  requestableMoves,
  type Subscription,
  type SubscriptionInput,
  type SubscriptionListQuery,
  type SubscriptionUpdate,
} from "./contract";

interface Row extends Omit<Subscription, "_id" | "package" | "payment_links"> {
  id: string;
}

/** How many of its links a subscription shows; the rest through GET /payment-links?subscription_id= (contract). */
const shownLinks = 12;

const columns = Prisma.sql`
  id, package_id, email, phone_no, status, ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at,
  business_id, livemode, cancel_at_period_end, ${iso("current_period_start")} AS current_period_start,
  ${iso("current_period_end")} AS current_period_end, ${iso("next_charge_at")} AS next_charge_at`;

const searched = `to_tsvector('simple', regexp_replace(lower(email || ' ' || coalesce(phone_no, '')), '[^[:alnum:]]+', ' ', 'g'))`;

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode} AND deleted_at IS NULL`;
}

/** Rows with their packages and links: two more queries, however many rows. */
async function present(tx: Db, actor: Actor, rows: Row[]): Promise<Subscription[]> {
  const packages = await packagesOf(
    tx,
    actor,
    rows.map((row) => row.package_id),
  );
  const links = await linksOfSubscriptions(
    tx,
    actor,
    rows.map((row) => row.id),
    shownLinks,
  );
  return rows.map(({ id, ...row }) => {
    const embedded = packages.get(row.package_id);
    if (!embedded) throw new Error(`subscription ${id} without its package`);
    return { ...row, _id: id, package: embedded, payment_links: links.filter((link) => link.subscription_id === id) };
  });
}

async function presentOne(tx: Db, actor: Actor, row: Row | undefined): Promise<Subscription> {
  const [subscription] = await present(tx, actor, row ? [row] : []);
  if (!subscription) throw notFound("Subscription");
  return subscription;
}

/** @throws ValidationError when the package does not exist, is another business's, or takes no new subscriptions */
export async function createSubscription(tx: Db, actor: Actor, input: SubscriptionInput): Promise<Subscription> {
  const { business_id, livemode } = owner(actor);
  // The package is locked for the blink of the insert, so that it is not cancelled or repriced in between.
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    WITH chosen AS (
      SELECT id FROM package WHERE id = ${input.package_id} AND business_id = ${business_id} AND livemode = ${livemode}
        AND status = 'active' AND deleted_at IS NULL FOR SHARE)
    INSERT INTO subscription (id, business_id, livemode, package_id, email, phone_no)
    SELECT ${newId("sub")}, ${business_id}::int, ${livemode}::boolean, chosen.id, ${input.email}, ${input.phone_no}
    FROM chosen
    RETURNING ${columns}`,
  );
  if (!row) throw invalidSelection("package_id");
  return presentOne(tx, actor, row);
}

/** @throws ApiError not_found */
export async function getSubscription(tx: Db, actor: Actor, id: string): Promise<Subscription> {
  if (!isId("sub", id)) throw notFound("Subscription");
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`SELECT ${columns} FROM subscription WHERE id = ${id} AND ${mine(actor)}`,
  );
  return presentOne(tx, actor, row);
}

/** Newest first unless asked otherwise. */
export async function listSubscriptions(
  tx: Db,
  actor: Actor,
  query: SubscriptionListQuery,
): Promise<Page<Subscription>> {
  const { status, email, package_id } = query;
  const where = [mine(actor), ...equals({ status, email, package_id }), ...matches(searched, query.q)];
  const { rows, page } = await listRows<Row>(tx, { table: "subscription", columns, where, query });
  return { rows: await present(tx, actor, rows), page };
}

/**
 * Changes what is given, and moves the status along the contract's arrows.
 * @throws ApiError not_found, conflict for a move that the present status does not allow
 */
export async function updateSubscription(
  tx: Db,
  actor: Actor,
  id: string,
  input: SubscriptionUpdate,
): Promise<Subscription> {
  if (!isId("sub", id)) throw notFound("Subscription");
  const { status } = input;
  const set = [
    ...(input.email === undefined ? [] : [Prisma.sql`email = ${input.email}`]),
    ...(input.phone_no === undefined ? [] : [Prisma.sql`phone_no = ${input.phone_no}`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ];
  if (set.length === 0) return getSubscription(tx, actor, id);
  const movable = status ? [status, ...requestableMoves[status]] : null;
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    UPDATE subscription SET ${Prisma.join(set, ", ")}
    WHERE id = ${id} AND ${mine(actor)} AND ${movable ? Prisma.sql`status = ANY(${movable}::text[])` : Prisma.sql`true`}
    RETURNING ${columns}`,
  );
  if (row) return presentOne(tx, actor, row);
  const current = await getSubscription(tx, actor, id);
  throw new ApiError("conflict", `A subscription that is ${current.status} can not become ${status}.`);
}

/**
 * Deletes for good: stops all charging and closes the links of its unpaid periods; the payments stay in the books.
 * @throws ApiError not_found, link_processing while a period's payment is in flight
 */
export async function removeSubscription(tx: Db, actor: Actor, id: string): Promise<Subscription & { deleted: true }> {
  const last = await getSubscription(tx, actor, id);
  const now = clock.now();
  const rows = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    WITH gone AS (
      UPDATE subscription SET deleted_at = ${now} WHERE id = ${id} AND ${mine(actor)}
        AND NOT EXISTS (SELECT FROM payment_link WHERE subscription_id = ${id} AND status = 'Processing')
      RETURNING id),
    closed AS (
      UPDATE payment_link SET deleted_at = ${now}
      WHERE subscription_id IN (SELECT id FROM gone) AND status IN ('Active', 'Inactive') AND deleted_at IS NULL)
    SELECT id FROM gone`,
  );
  if (rows.length > 0) return { ...last, deleted: true };
  await getSubscription(tx, actor, id);
  throw new ApiError("link_processing");
}
