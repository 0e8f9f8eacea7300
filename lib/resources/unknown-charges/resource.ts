import { Prisma } from "@/lib/core/db";
import { iso } from "@/lib/http/list";
import { facet } from "@/lib/http/list-filters";
import type { Facet } from "@/lib/http/list-streams";
import { column, defineResource, instant } from "@/lib/resources/define";
import { openMismatch } from "@/lib/resources/payments/resource";
import type { UnknownCharge, UnknownChargeListQuery } from "./contract";

const status: Facet = { sql: "status", type: "text" };

export const unknownCharges = defineResource<UnknownCharge, UnknownChargeListQuery>({
  name: "Unknown charge",
  table: "unknown_charge",
  idPrefix: "uch",
  fields: {
    _id: Prisma.sql`id`,
    gateway_account_id: column,
    gateway_ref: column,
    payment_id: Prisma.sql`gateway_key`,
    payment_link_id: column,
    subscription_id: column,
    period_index: column,
    amount: Prisma.sql`amount_cents / 100::float8`,
    currency: column,
    status: column,
    problem: column,
    note: column,
    business_id: column,
    livemode: column,
    charged_at: Prisma.sql`${iso("least(on_business_clock(charged_at, business_id, livemode), created_at)")}`,
    resolved_at: instant,
    created_at: instant,
    amount_cents: column,
  },
  filters: { status: facet(status) },
  facets: [[status]],
});

/**
 * Unresolved charges `u` of the same business and mode. What a charge is for is what the gateway's records say, and these may name
 * another business's link.
 * @param row the alias of the link or subscription
 */
const unresolvedOf = (row: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`u.resolved_at IS NULL AND (u.business_id, u.livemode) = (${row}.business_id, ${row}.livemode)`;

/** SQL: whether an unresolved unknown charge is for the subscription. @param subscription its alias */
export const subscriptionHasUnknownCharge = (subscription: string): Prisma.Sql => {
  const s = Prisma.raw(subscription);
  return Prisma.sql`EXISTS (SELECT FROM unknown_charge u WHERE ${unresolvedOf(s)} AND u.subscription_id = ${s}.id)`;
};

/**
 * SQL: whether the link or its period has an unresolved unknown charge or mismatch: money at the gateway that is not a payment
 * here. Then the link must not be charged again.
 * @param link the alias of `payment_link`
 */
export const hasUnknownCharge = (link: string): Prisma.Sql => {
  const l = Prisma.raw(link);
  // `failed` and `settled_by` are the condition of the index payment_failed_by_hand_of.
  return Prisma.sql`
    (EXISTS (SELECT FROM unknown_charge u WHERE ${unresolvedOf(l)}
               AND (u.payment_link_id = ${l}.id OR (u.subscription_id = ${l}.subscription_id AND u.period_index = ${l}.period_index)))
     OR EXISTS (SELECT FROM payment m WHERE m.payment_link_id = ${l}.id AND m.status = 'failed' AND m.settled_by IS NOT NULL
                   AND ${openMismatch("m")}))`;
};
