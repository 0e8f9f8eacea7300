import { ApiError, invalidSelection, notFound } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { emailIs, equals, iso, listRows, matches } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { type Frequency, periodFrom, periodStart, wallTime } from "@/lib/billing/calendar";
import { tryOldest } from "@/lib/billing/settled";
import { clock } from "@/lib/clock";
import { type Db, Prisma, queryRows, transaction } from "@/lib/db";
import { isId, newId } from "@/lib/id";
import { addJob } from "@/lib/jobs/queue";
import { packagesOf } from "@/lib/packages/service";
import { linksOfSubscriptions } from "@/lib/payment-links/service";
import {
  type RequestableStatus,
  requestableMoves,
  type Subscription,
  type SubscriptionInput,
  type SubscriptionListQuery,
  type SubscriptionStatus,
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

interface Chosen {
  frequency: Frequency;
  date_charge_start: string | null;
  timezone: string;
}

/**
 * Attaches a customer to a package. The first charge is on the package's `date_charge_start` in the business's time zone; if
 * that is past, or there is none, now. Billing takes it from there.
 * @throws ValidationError when the package does not exist, is another business's, or takes no new subscriptions
 */
export async function createSubscription(tx: Db, actor: Actor, input: SubscriptionInput): Promise<Subscription> {
  return transaction(tx, async (tx) => {
    const { business_id, livemode } = owner(actor);
    // The package is locked for the blink of the insert, so that it is not cancelled or changed in between.
    const [chosen] = await queryRows<Chosen>(
      tx,
      Prisma.sql`
      SELECT p.frequency, to_char(p.date_charge_start, 'YYYY-MM-DD') AS date_charge_start, b.timezone
        FROM package p JOIN business b ON b.id = p.business_id
       WHERE p.id = ${input.package_id} AND p.business_id = ${business_id} AND p.livemode = ${livemode}
         AND p.status = 'active' AND p.deleted_at IS NULL FOR SHARE OF p`,
    );
    if (!chosen) throw invalidSelection("package_id");
    const schedule = { ...chosen, anchor: anchorOf(chosen, clock.now()) };
    const id = newId("sub");
    const [row] = await queryRows<Row>(
      tx,
      Prisma.sql`
      INSERT INTO subscription (id, business_id, livemode, package_id, email, phone_no, anchor, timezone, next_charge_at)
      VALUES (${id}, ${business_id}, ${livemode}, ${input.package_id}, ${input.email}, ${input.phone_no},
        ${schedule.anchor}, ${schedule.timezone}, ${periodStart(schedule, 0)})
      RETURNING ${columns}`,
    );
    await addJob(tx, "bill", { subscription: id }, `bill:${id}`);
    return presentOne(tx, actor, row);
  });
}

/** The wall time from which every period is counted. */
function anchorOf({ date_charge_start, timezone }: Chosen, now: Date): string {
  const today = wallTime(now, timezone);
  const wanted = `${date_charge_start}T00:00:00`;
  return date_charge_start !== null && wanted > today ? wanted : today;
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
  const where = [mine(actor), ...emailIs(email), ...equals({ status, package_id }), ...matches(searched, query.q)];
  const { rows, page } = await listRows<Row>(tx, { table: "subscription", columns, where, query });
  return { rows: await present(tx, actor, rows), page };
}

interface Movable {
  status: SubscriptionStatus;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
}

/**
 * Changes what is given, and moves the status along the contract's arrows (docs/billing.md says what each move does).
 * @throws ApiError not_found, conflict for a move that the present status does not allow
 */
export async function updateSubscription(
  tx: Db,
  actor: Actor,
  id: string,
  input: SubscriptionUpdate,
): Promise<Subscription> {
  if (!isId("sub", id)) throw notFound("Subscription");
  return transaction(tx, async (tx) => {
    const [current] = await queryRows<Movable>(
      tx,
      Prisma.sql`
      SELECT s.status, s.anchor, s.timezone, p.frequency, s.next_period
        FROM subscription s JOIN package p ON p.id = s.package_id
       WHERE s.id = ${id} AND s.business_id = ${owner(actor).business_id} AND s.livemode = ${owner(actor).livemode}
         AND s.deleted_at IS NULL FOR UPDATE OF s`,
    );
    if (!current) throw notFound("Subscription");
    const { email, phone_no, cancel_at_period_end } = input;
    const set = [
      ...(email === undefined ? [] : [Prisma.sql`email = ${email}`]),
      ...(phone_no === undefined ? [] : [Prisma.sql`phone_no = ${phone_no}`]),
      ...(cancel_at_period_end === undefined ? [] : [Prisma.sql`cancel_at_period_end = ${cancel_at_period_end}`]),
      ...move(current, input.status),
    ];
    if (cancel_at_period_end && isEnded(current.status))
      throw new ApiError("conflict", `A subscription that is ${current.status} has no period to end.`);
    if (set.length > 0) await tx.$executeRaw`UPDATE subscription SET ${Prisma.join(set, ", ")} WHERE id = ${id}`;
    if (email !== undefined) await moveOpenLinks(tx, id, email);
    if (input.status !== undefined && input.status !== current.status) await afterMove(tx, id, input.status);
    return getSubscription(tx, actor, id);
  });
}

const isEnded = (status: SubscriptionStatus): boolean => status === "cancel" || status === "completed";

/** What a requested status writes; nothing when it is the present one. */
function move(current: Movable, to: RequestableStatus | undefined): Prisma.Sql[] {
  if (to === undefined || to === current.status) return [];
  if (!requestableMoves[to].includes(current.status))
    throw new ApiError("conflict", `A subscription that is ${current.status} can not become ${to}.`);
  if (to !== "active") return [Prisma.sql`status = ${to}`, Prisma.sql`next_charge_at = NULL`];
  // Periods that began during the pause are skipped.
  const next = periodFrom(current, clock.now(), current.next_period);
  return [
    Prisma.sql`status = 'active'`,
    Prisma.sql`next_period = ${next}`,
    Prisma.sql`next_charge_at = ${periodStart(current, next)}`,
  ];
}

async function afterMove(tx: Db, id: string, to: RequestableStatus): Promise<void> {
  if (to === "active") {
    // Time stood still for what is owed: its days begin again.
    await tx.$executeRaw`
      UPDATE payment_link SET failed_at = NULL, failure = NULL
       WHERE subscription_id = ${id} AND status IN ('Active', 'Processing') AND deleted_at IS NULL`;
    return tryOldest(tx, id, clock.now());
  }
  await tx.$executeRaw`UPDATE payment_link SET next_step_at = NULL WHERE subscription_id = ${id} AND next_step_at IS NOT NULL`;
}

/** What is still to be paid is the new address's; its card may be another one. */
async function moveOpenLinks(tx: Db, id: string, email: string): Promise<void> {
  const moved = await tx.$executeRaw`
    UPDATE payment_link SET email = ${email}
     WHERE subscription_id = ${id} AND status IN ('Active', 'Inactive', 'Processing') AND deleted_at IS NULL AND email <> ${email}`;
  if (moved > 0) await tryOldest(tx, id, clock.now());
}

/**
 * Deletes for good: stops all charging and closes the links of its unpaid periods; the payments stay in the books.
 * @throws ApiError not_found, link_processing while a period's payment is in flight
 */
export async function removeSubscription(tx: Db, actor: Actor, id: string): Promise<Subscription & { deleted: true }> {
  return transaction(tx, (tx) => removeLocked(tx, actor, id));
}

async function removeLocked(tx: Db, actor: Actor, id: string): Promise<Subscription & { deleted: true }> {
  const last = await getSubscription(tx, actor, id);
  const now = clock.now();
  // Locked before its links are looked at: no period is opened and no charge begun in between.
  await tx.$queryRaw`SELECT FROM subscription WHERE id = ${id} FOR UPDATE`;
  const rows = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    WITH gone AS (
      UPDATE subscription SET deleted_at = ${now}, next_charge_at = NULL WHERE id = ${id} AND ${mine(actor)}
        AND NOT EXISTS (SELECT FROM payment_link WHERE subscription_id = ${id} AND status = 'Processing')
      RETURNING id),
    closed AS (
      UPDATE payment_link SET deleted_at = ${now}, next_step_at = NULL
      WHERE subscription_id IN (SELECT id FROM gone) AND status IN ('Active', 'Inactive') AND deleted_at IS NULL)
    SELECT id FROM gone`,
  );
  if (rows.length > 0) return { ...last, deleted: true };
  await getSubscription(tx, actor, id);
  throw new ApiError("link_processing");
}
