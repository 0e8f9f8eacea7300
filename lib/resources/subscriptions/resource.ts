import type { Tenant } from "@/lib/auth/actor";
import { isoMicros } from "@/lib/core/clock";
import { Prisma } from "@/lib/core/db";
import { iso } from "@/lib/http/list";
import { among, byEmail, byMetadata, facet, search, timeOrder } from "@/lib/http/list-filters";
import { type Condition, endOf, type Facet, inOrderOf, maxFewRows, startOf } from "@/lib/http/list-streams";
import { annotationColumns } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant, ownedBy } from "@/lib/resources/define";
import { embeddedPackages } from "@/lib/resources/packages/resource";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import {
  type Subscription,
  type SubscriptionListQuery,
  type SubscriptionStatus,
  subscriptionStatuses,
} from "./contract";

/** The links that a subscription shows; GET /payment-links?subscription_id= has all of them. */
const shownLinks = 12;

/** A range, not `=`: PostgreSQL drops a column with `=` from the order, and could then use another index. */
const newestLinks = inOrderOf(
  "payment_link",
  [
    Prisma.sql`business_id = subscription.business_id AND livemode = subscription.livemode AND deleted_at IS NULL`,
    Prisma.sql`subscription_id >= subscription.id AND subscription_id <= subscription.id`,
  ],
  Prisma.sql`subscription_id DESC, period_index DESC`,
  shownLinks,
);

/** The least notice of a new price, also where renewal notices are off or shorter. */
const minNoticeDays = 3;

/**
 * SQL: the least number of days between the announcement of a new price and its first period.
 * @param business alias of a row of `business`
 */
export const noticeDays = (business: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(${business}.renewal_notice_days, ${minNoticeDays}::int)`;

/**
 * The price in cents of a subscription's period that begins at `start`.
 * @param subscription alias of a row with its price columns
 */
export const priceAt = (subscription: Prisma.Sql, start: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${start} >= ${subscription}.next_amount_from THEN ${subscription}.next_amount_cents
       ELSE ${subscription}.amount_cents END`;

/**
 * SQL: the start of the first period without a payment link, or `now` if that is earlier. Prices before it do not matter any more.
 * @param subscription alias of a row
 */
export const openingAt = (subscription: Prisma.Sql, now: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`least(${subscription}.next_charge_at, ${now})`;

const self = Prisma.sql`subscription`;

const presentPrice = (now: Date): Prisma.Sql => priceAt(self, Prisma.sql`${now}::timestamptz`);

const priceChange = (price: "announced_amount" | "next_amount", told: boolean): Prisma.Sql => {
  const cents = Prisma.raw(`${price}_cents`);
  return Prisma.sql`
    json_build_object('amount', ${cents} / 100::float8, 'amount_cents', ${cents}, 'from', ${iso(`${price}_from`)}, 'told', ${told}::boolean)`;
};

/** A `price_change` of this price in cents. */
export const priceChangeOf = (cents: number, from: Date, told: boolean) => ({
  amount: cents / 100,
  amount_cents: cents,
  from: isoMicros(from),
  told,
});

/** SQL: whether the mail with the new price could not be sent, so that the subscription keeps its price. */
export const untoldPrice = Prisma.sql`
  (announced_amount_cents IS NOT NULL AND announced_amount_from IS NULL AND NOT cancel_at_period_end
   AND status NOT IN ('cancel', 'completed') AND deleted_at IS NULL)`;

/** The index subscription_untold has these rows only. */
const withUntoldPrice = (tenant: Tenant): Condition => ({
  rows: untoldPrice,
  few: Prisma.sql`SELECT * FROM subscription WHERE ${ownedBy(tenant)} AND ${untoldPrice} LIMIT ${maxFewRows}`,
});

/** SQL about a payment link. The index payment_link_first_failed has such links only. */
const firstThatFailed = Prisma.sql`period_index = 0 AND attempt_count > 0 AND status = 'Active' AND deleted_at IS NULL`;

/** SQL about a payment link: whether it is the first of a subscription that has not started, and its charge failed. */
export const failedFirst = Prisma.sql`
  ${firstThatFailed}
  AND EXISTS (SELECT FROM subscription s WHERE s.id = payment_link.subscription_id AND s.status = 'created' AND s.deleted_at IS NULL)`;

/** One lookup for each of these links: a join could read all subscriptions. */
const withFailedFirst = (tenant: Tenant): Condition => {
  const ids = Prisma.sql`
    SELECT subscription_id FROM payment_link WHERE ${ownedBy(tenant)} AND ${firstThatFailed} LIMIT ${maxFewRows}`;
  return {
    rows: Prisma.sql`(status = 'created' AND id = ANY (ARRAY(${ids})))`,
    few: Prisma.sql`
      SELECT found.* FROM unnest(ARRAY(${ids})) AS failed(id) CROSS JOIN LATERAL (
        SELECT * FROM subscription WHERE subscription.id = failed.id AND status = 'created' OFFSET 0) AS found`,
  };
};

/** Those whose price is recurring revenue. The index subscription_recurring has them only. */
const recurringStatuses: readonly SubscriptionStatus[] = ["active", "past_due"];

/** The index subscription_ended serves it. */
const endedOrder = timeOrder("ended_at");

const package_id: Facet = { sql: "package_id", type: "text" };
export const status: Facet = { sql: "status", type: "text", values: subscriptionStatuses };

export const subscriptions = defineResource<Subscription, SubscriptionListQuery>({
  name: "Subscription",
  table: "subscription",
  idPrefix: "sub",
  keepsDeleted: true,
  fields: {
    _id: Prisma.sql`id`,
    package_id: column,
    email: column,
    phone_no: column,
    status: column,
    // Also if it is deleted.
    package: (now) => Prisma.sql`
      (SELECT row_to_json(p) FROM (
         SELECT ${embeddedPackages.columns(now)} FROM package WHERE id = subscription.package_id) AS p)`,
    payment_links: (now) => Prisma.sql`
      (SELECT coalesce(json_agg(l), '[]') FROM (
         SELECT ${paymentLinks.columns(now)} FROM (${newestLinks}) AS payment_link
          ORDER BY payment_link.created_at DESC, id DESC) AS l)`,
    created_at: instant,
    updated_at: instant,
    business_id: column,
    livemode: column,
    cancel_at_period_end: column,
    current_period_start: instant,
    current_period_end: instant,
    next_charge_at: instant,
    next_charge_amount_cents: Prisma.sql`CASE WHEN next_charge_at IS NOT NULL THEN ${priceAt(self, Prisma.sql`next_charge_at`)} END`,
    ended_at: instant,
    ended_reason: column,
    paused_reason: column,
    amount: (now) => Prisma.sql`(${presentPrice(now)}) / 100::float8`,
    amount_cents: presentPrice,
    price_change: (now) => Prisma.sql`
      CASE WHEN announced_amount_from IS NOT NULL
                AND (next_amount_from > ${now}::timestamptz AND next_amount_from < announced_amount_from) IS NOT TRUE
             THEN ${priceChange("announced_amount", false)}
           WHEN next_amount_from > ${now}::timestamptz THEN ${priceChange("next_amount", true)} END`,
    ...annotationColumns,
  },
  filters: {
    status: facet(status),
    email: byEmail,
    package_id: facet(package_id),
    untold_price: (untold, tenant) => (untold ? withUntoldPrice(tenant) : Prisma.sql`NOT ${untoldPrice}`),
    first_payment_failed: (failed, tenant) => {
      const condition = withFailedFirst(tenant);
      return failed ? condition : Prisma.sql`NOT ${condition.rows}`;
    },
    recurring: (recurring) =>
      among(
        status,
        subscriptionStatuses.filter((name) => recurringStatuses.includes(name) === recurring),
      ),
    churned: (churned) => (churned ? Prisma.sql`churned` : Prisma.sql`churned IS NOT TRUE`),
    ended_reason: column,
    ended_from: (value) => ({ rows: Prisma.sql`ended_at >= ${startOf(value)}`, bounds: [endedOrder, ">"] }),
    ended_to: (value) => ({ rows: Prisma.sql`ended_at < ${endOf(value)}`, bounds: [endedOrder, "<"] }),
    // Read row by row: few businesses have packages of several currencies.
    currency: (currency) =>
      Prisma.sql`EXISTS (SELECT FROM package WHERE package.id = subscription.package_id AND package.currency = ${currency})`,
    // By the present price, as `amount_cents` shows it. Read row by row, because the time changes it.
    amount_from: (cents, _, now) => Prisma.sql`(${presentPrice(now)}) >= ${cents}::int`,
    amount_to: (cents, _, now) => Prisma.sql`(${presentPrice(now)}) <= ${cents}::int`,
    q: search("email || ' ' || coalesce(phone_no, '')"),
    metadata: byMetadata,
  },
  facets: [[package_id, status], [status]],
  orders: { ended_at: endedOrder, next_charge_at: timeOrder("next_charge_at") },
  amounts: (now) => ({
    cents: presentPrice(now),
    currency: Prisma.sql`(SELECT currency FROM package WHERE package.id = subscription.package_id)`,
  }),
});

/**
 * SQL: whether a bank is deciding a dispute about an unpaid subscription, and the business wants no charges meanwhile. A dispute
 * that was opened before the last pause does not count: staff have resumed the subscription in spite of it.
 * @param subscription its alias
 */
export const isUnpaidAndDisputed = (subscription: string): Prisma.Sql => {
  const s = Prisma.raw(subscription);
  return Prisma.sql`
    (${s}.status = 'unpaid' AND (SELECT pause_disputed FROM business WHERE id = ${s}.business_id)
     AND EXISTS (SELECT FROM payment_link l JOIN dispute d ON d.payment_link_id = l.id
                  WHERE l.subscription_id = ${s}.id AND d.status IN ('needs_response', 'under_review')
                    AND (${s}.paused_at IS NULL OR d.opened_at > ${s}.paused_at)))`;
};
