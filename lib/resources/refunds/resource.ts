import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import type { Page } from "@/lib/http/handle";
import { amountRangeFilters, byMetadata, facet, few } from "@/lib/http/list-filters";
import { type Facet, maxFewRows } from "@/lib/http/list-streams";
import { settlementFilters, withinSettlement } from "@/lib/http/settlement";
import { annotationColumns } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant, ownAmounts, ownedBy } from "@/lib/resources/define";
import type { Refund, RefundListQuery, RefundOfLink } from "./contract";

const status: Facet = { sql: "status", type: "text" };

/**
 * SQL: whether a refund failed in the last 30 days, and its payment was not refunded again since. The index refund_failed_of
 * has failed ones only.
 */
export const unresolved = (now: Date): Prisma.Sql => Prisma.sql`
  (status = 'failed' AND coalesce(returned_at, settled_at) > ${new Date(now.getTime() - 30 * 86_400_000)}::timestamptz
   AND NOT EXISTS (SELECT FROM refund again WHERE again.payment_id = refund.payment_id
                      AND again.status <> 'failed' AND again.created_at > refund.created_at))`;

export const refunds = defineResource<Refund, RefundListQuery>({
  name: "Refund",
  table: "refund",
  idPrefix: "ref",
  fields: {
    _id: Prisma.sql`id`,
    payment_id: column,
    payment_link_id: column,
    business_id: column,
    amount: Prisma.sql`amount_cents / 100::float8`,
    amount_cents: column,
    currency: column,
    status: column,
    reason: column,
    failure_reason: column,
    gateway_reference: Prisma.sql`gateway_ref`,
    livemode: column,
    created_at: instant,
    updated_at: instant,
    settled_at: instant,
    returned_at: instant,
    ...annotationColumns,
  },
  filters: {
    status: facet(status),
    payment_id: few("refund", "payment_id"),
    payment_link_id: few("refund", "payment_link_id"),
    unresolved: (wanted, tenant, now) =>
      wanted
        ? {
            rows: unresolved(now),
            few: Prisma.sql`SELECT * FROM refund WHERE ${ownedBy(tenant)} AND ${unresolved(now)} LIMIT ${maxFewRows}`,
          }
        : Prisma.sql`NOT ${unresolved(now)}`,
    currency: column,
    ...amountRangeFilters,
    ...settlementFilters,
    metadata: byMetadata,
  },
  facets: [[status]],
  amounts: ownAmounts,
});

const ofLink = (field: string) =>
  Prisma.sql`(SELECT ${Prisma.raw(field)} FROM payment_link WHERE id = refund.payment_link_id)`;

export const refundsOfLinks = refunds.extend<RefundOfLink>({ title: ofLink("title"), email: ofLink("email") });

export const listRefunds = async (tx: Db, tenant: Tenant, query: RefundListQuery): Promise<Page<RefundOfLink>> =>
  refundsOfLinks.list(tx, tenant, await withinSettlement(tx, "refund", tenant, query));
