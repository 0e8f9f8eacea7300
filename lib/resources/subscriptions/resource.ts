import { Prisma } from "@/lib/core/db";
import { iso } from "@/lib/http/list";
import { byEmail, facet, search } from "@/lib/http/list-filters";
import { type Facet, inOrderOf } from "@/lib/http/list-streams";
import { column, defineResource, instant } from "@/lib/resources/define";
import { embeddedPackages } from "@/lib/resources/packages/resource";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { type Subscription, type SubscriptionListQuery, subscriptionStatuses } from "./contract";

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

/**
 * The price in cents of a subscription's period that begins at `start`.
 * @param subscription alias of a row with its price columns
 */
export const priceAt = (subscription: Prisma.Sql, start: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${start} >= ${subscription}.next_amount_from THEN ${subscription}.next_amount_cents
       ELSE ${subscription}.amount_cents END`;

const self = Prisma.sql`subscription`;

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
    paused_reason: column,
    amount: (now) => Prisma.sql`(${priceAt(self, Prisma.sql`${now}::timestamptz`)}) / 100::float8`,
    amount_cents: (now) => priceAt(self, Prisma.sql`${now}::timestamptz`),
    price_change: (now) => Prisma.sql`
      CASE WHEN next_amount_from > ${now}::timestamptz THEN json_build_object(
        'amount', next_amount_cents / 100::float8, 'amount_cents', next_amount_cents, 'from', ${iso("next_amount_from")}) END`,
  },
  filters: {
    status: facet(status),
    email: byEmail,
    package_id: facet(package_id),
    q: search("email || ' ' || coalesce(phone_no, '')"),
  },
  facets: [[package_id, status], [status]],
});
