import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import type { Page } from "@/lib/http/handle";
import { amountRangeFilters, byMetadata, facet, few } from "@/lib/http/list-filters";
import type { Facet } from "@/lib/http/list-streams";
import { settlementFilters, withinSettlement } from "@/lib/http/settlement";
import { annotationColumns } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { Refund, RefundListQuery, RefundOfLink } from "./contract";

const status: Facet = { sql: "status", type: "text" };

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
    currency: column,
    ...amountRangeFilters,
    ...settlementFilters,
    metadata: byMetadata,
  },
  facets: [[status]],
  amounts: true,
});

const ofLink = (field: string) =>
  Prisma.sql`(SELECT ${Prisma.raw(field)} FROM payment_link WHERE id = refund.payment_link_id)`;

export const refundsOfLinks = refunds.extend<RefundOfLink>({ title: ofLink("title"), email: ofLink("email") });

export const listRefunds = async (tx: Db, tenant: Tenant, query: RefundListQuery): Promise<Page<RefundOfLink>> =>
  refundsOfLinks.list(tx, tenant, await withinSettlement(tx, "refund", tenant, query));
