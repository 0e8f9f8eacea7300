import { Prisma } from "@/lib/core/db";
import { byMetadata, facet, few } from "@/lib/http/list-filters";
import type { Facet } from "@/lib/http/list-streams";
import { annotationColumns } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant, ownAmounts, systemInstant } from "@/lib/resources/define";
import { ofLinksTo } from "@/lib/resources/payments/resource";
import { type Dispute, type DisputeListQuery, disputeStatusNames } from "./contract";

const currency: Facet = { sql: "currency", type: "bpchar" };
const status: Facet = { sql: "status", type: "text", values: disputeStatusNames };

const booked = (cents: string) => Prisma.sql`
  CASE WHEN ${Prisma.raw(cents)} <> 0
       THEN json_build_object('amount_cents', ${Prisma.raw(cents)}, 'currency', booked_currency) END`;

const ofLink = (field: string) =>
  Prisma.sql`(SELECT ${Prisma.raw(field)} FROM payment_link l WHERE l.id = dispute.payment_link_id)`;

export const disputes = defineResource<Dispute, DisputeListQuery>({
  name: "Dispute",
  table: "dispute",
  idPrefix: "dsp",
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
    respond_by: systemInstant,
    withdrawn: booked("withdrawn_cents"),
    returned: booked("returned_cents"),
    fee: booked("fee_cents"),
    gateway: Prisma.sql`(SELECT gateway FROM payment WHERE id = dispute.payment_id)`,
    gateway_reference: Prisma.sql`gateway_ref`,
    gateway_url: Prisma.sql`
      (SELECT 'https://dashboard.stripe.com/' || CASE WHEN dispute.livemode THEN '' ELSE 'test/' END || 'payments/' || gateway_ref
         FROM payment WHERE id = dispute.payment_id AND gateway = 'stripe')`,
    livemode: column,
    created_at: instant,
    updated_at: instant,
    opened_at: instant,
    closed_at: instant,
    title: ofLink("title"),
    email: ofLink("email"),
    ...annotationColumns,
  },
  filters: {
    status: facet(status),
    payment_id: few("dispute", "payment_id"),
    payment_link_id: few("dispute", "payment_link_id"),
    email: ofLinksTo("dispute"),
    currency: facet(currency),
    metadata: byMetadata,
  },
  facets: [[currency, status]],
  amounts: ownAmounts,
});
