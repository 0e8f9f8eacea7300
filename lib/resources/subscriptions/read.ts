import { owner, type Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows, type SqlTransaction } from "@/lib/core/db";
import { notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { emailIs, equals, iso, listRows, matches } from "@/lib/http/list";
import {
  type Row as PackageRow,
  columns as packageColumns,
  packagesOf,
  present as presentPackage,
} from "@/lib/resources/packages/read";
import {
  type Row as LinkRow,
  columns as linkColumns,
  linksOfSubscriptions,
  present as presentLink,
} from "@/lib/resources/payment-links/read";
import type { Subscription, SubscriptionListQuery } from "./contract";

export interface Row extends Omit<Subscription, "_id" | "package" | "payment_links"> {
  id: string;
}

interface WholeRow extends Row {
  package: PackageRow;
  payment_links: LinkRow[];
}

/** How many of its links a subscription shows; the rest through GET /payment-links?subscription_id= (contract). */
const shownLinks = 12;

export const columns = Prisma.sql`
  id, package_id, email, phone_no, status, ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at,
  business_id, livemode, cancel_at_period_end, ${iso("current_period_start")} AS current_period_start,
  ${iso("current_period_end")} AS current_period_end, ${iso("next_charge_at")} AS next_charge_at`;

const searched = `to_tsvector('simple', regexp_replace(lower(email || ' ' || coalesce(phone_no, '')), '[^[:alnum:]]+', ' ', 'g'))`;

export function mine(actor: Tenant): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode} AND deleted_at IS NULL`;
}

/** Rows with their packages and links: two more queries, however many rows. */
async function present(tx: Db | SqlTransaction, actor: Tenant, rows: Row[]): Promise<Subscription[]> {
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

export async function presentOne(tx: Db | SqlTransaction, actor: Tenant, row: Row | undefined): Promise<Subscription> {
  const [subscription] = await present(tx, actor, row ? [row] : []);
  if (!subscription) throw notFound("Subscription");
  return subscription;
}

/** @throws ApiError not_found */
export async function getSubscription(tx: Db | SqlTransaction, actor: Tenant, id: string): Promise<Subscription> {
  if (!isId("sub", id)) throw notFound("Subscription");
  // One statement: every charge reads its subscription, to tell of it.
  const [row] = await queryRows<WholeRow>(
    tx,
    Prisma.sql`
    SELECT ${columns},
           (SELECT row_to_json(p) FROM (
              SELECT ${packageColumns} FROM package WHERE id = subscription.package_id) AS p) AS package,
           (SELECT coalesce(json_agg(l), '[]') FROM (
              SELECT ${linkColumns(clock.now())} FROM payment_link
               WHERE subscription_id = subscription.id AND ${mine(actor)}
               ORDER BY payment_link.created_at DESC, id DESC LIMIT ${shownLinks}) AS l) AS payment_links
      FROM subscription WHERE id = ${id} AND ${mine(actor)}`,
  );
  if (!row) throw notFound("Subscription");
  const { id: _id, package: embedded, payment_links, ...rest } = row;
  return { ...rest, _id, package: presentPackage(embedded), payment_links: payment_links.map(presentLink) };
}

/** Newest first unless asked otherwise. */
export async function listSubscriptions(
  tx: Db,
  actor: Tenant,
  query: SubscriptionListQuery,
): Promise<Page<Subscription>> {
  const { status, email, package_id } = query;
  const where = [mine(actor), ...emailIs(email), ...equals({ status, package_id }), ...matches(searched, query.q)];
  const { rows, page } = await listRows<Row>(tx, { table: "subscription", columns, where, query });
  return { rows: await present(tx, actor, rows), page };
}
