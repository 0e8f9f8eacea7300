import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import type { GatewayName, manualGateway } from "@/lib/gateways/gateway";
import type { Page } from "@/lib/http/handle";
import { iso } from "@/lib/http/list";
import {
  amountOrder,
  amountRangeFilters,
  amountWords,
  byMetadata,
  emailPlace,
  facet,
  few,
  key,
  search,
} from "@/lib/http/list-filters";
import { type Condition, type Facet, inOrderOf, maxFewRows, rowsAt } from "@/lib/http/list-streams";
import { settlementFilters, withinSettlement } from "@/lib/http/settlement";
import { annotationColumns } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant, ownAmounts, ownedBy } from "@/lib/resources/define";
import { type PaymentListQuery, type PaymentOfLink, paymentStatuses } from "./contract";

const currency: Facet = { sql: "currency", type: "bpchar" };
/** A missing name does not compile: its payments would be missing in lists. */
const gateways: Record<GatewayName | typeof manualGateway, true> = { sandbox: true, stripe: true, manual: true };
const gateway: Facet = { sql: "gateway", type: "text", values: Object.keys(gateways) };
const status: Facet = { sql: "status", type: "text", values: ["created", ...paymentStatuses] };

/** Equals the expression of the index payment_refunded. */
const refundedPart = "(CASE WHEN refunded_cents < amount_cents THEN 'partly' ELSE 'fully' END)";

/** SQL: `isOpenMismatch`. The table's checks allow it on failed payments alone. @param payment the table's alias */
export const openMismatch = (payment = "payment"): Prisma.Sql =>
  Prisma.raw(`(${payment}.mismatch_at IS NOT NULL AND ${payment}.mismatch_resolved_at IS NULL)`);

const ofLink = (field: string) =>
  Prisma.sql`(SELECT ${Prisma.raw(field)} FROM payment_link WHERE id = payment.payment_link_id)`;
const ofPaid = (field: string) => Prisma.sql`CASE WHEN status = 'succeeded' THEN ${ofLink(field)} END`;

/** A filter by the payer's e-mail, of rows that have their link's id. Deleted links have an index of their own. */
export const ofLinksTo =
  (table: "payment" | "dispute") =>
  (email: string, tenant: Tenant): Condition => {
    const links = (state: Prisma.Sql) => rowsAt("payment_link", emailPlace(email), [ownedBy(tenant), state]);
    const kept = links(Prisma.sql`deleted_at IS NULL`);
    const deleted = links(Prisma.sql`deleted_at IS NOT NULL`);
    const ids = Prisma.sql`SELECT id FROM (${kept}) AS kept UNION ALL SELECT id FROM (${deleted}) AS deleted`;
    return {
      rows: Prisma.sql`payment_link_id = ANY (ARRAY(${ids}))`,
      few: Prisma.sql`
      SELECT found.* FROM unnest(ARRAY(${ids})) AS link(id) CROSS JOIN LATERAL (
        SELECT * FROM ${Prisma.raw(table)} WHERE payment_link_id = link.id OFFSET 0) AS found`,
    };
  };

export const payments = defineResource<PaymentOfLink, PaymentListQuery>({
  name: "Payment",
  table: "payment",
  idPrefix: "pay",
  fields: {
    _id: Prisma.sql`id`,
    payment_link_id: column,
    business_id: column,
    status: column,
    amount: Prisma.sql`amount_cents / 100::float8`,
    amount_cents: column,
    currency: column,
    gateway: column,
    gateway_reference: Prisma.sql`gateway_ref`,
    reason: column,
    card: Prisma.sql`
      CASE WHEN num_nulls(card_brand, card_last4) = 0
           THEN json_build_object('brand', card_brand, 'last4', card_last4,
                  'exp_month', card_exp_month, 'exp_year', card_exp_year) END`,
    tokenization_id: column,
    refunded_amount: Prisma.sql`refunded_cents / 100::float8`,
    refund_pending_amount: Prisma.sql`refund_pending_cents / 100::float8`,
    fee: Prisma.sql`
      CASE WHEN num_nulls(fee_cents, fee_currency) = 0
           THEN json_build_object('amount_cents', fee_cents, 'currency', fee_currency) END`,
    receipt_url: () => Prisma.sql`${env().APP_URL}::text || '/receipt/' || receipt_token`,
    livemode: column,
    created_at: instant,
    updated_at: instant,
    settled_at: instant,
    disputed_amount: Prisma.sql`disputed_cents / 100::float8`,
    dispute_status: column,
    settled_by: column,
    settled_reason: column,
    mismatch_at: instant,
    mismatch_resolved_at: instant,
    mismatch_note: column,
    manual: Prisma.sql`
      CASE WHEN method IS NOT NULL
           THEN json_build_object('method', method, 'paid_on', paid_on, 'reference', reference, 'note', note,
                  'marked_by', marked_by, 'reversed_at', ${iso("reversed_at")}, 'reversal_reason', reversal_reason,
                  'reversed_by', reversed_by) END`,
    gateway_code: column,
    net_amount: Prisma.sql`
      CASE WHEN status = 'succeeded'
           THEN (CASE WHEN fee_currency = currency THEN amount_cents ELSE booked_cents END - fee_cents) / 100::float8 END`,
    // One lookup in balance_entry_payment_id_idx for each paid row.
    payout_id: Prisma.sql`
      CASE WHEN status = 'succeeded' AND gateway <> 'manual' THEN (
        SELECT payout_id FROM balance_entry e WHERE e.payment_id = payment.id AND e.type = 'charge' LIMIT 1) END`,
    risk: column,
    ...annotationColumns,
    title: ofLink("title"),
    email: ofLink("email"),
    // A paid link keeps its tax.
    tax_percent: ofPaid("tax_basis_points / 100::float8"),
    tax_amount: ofPaid("tax_cents / 100::float8"),
  },
  filters: {
    status: facet(status),
    // There are few, because each was recorded as failed by hand. The index payment_mismatched has them.
    mismatch: (_, tenant) => {
      const place = Prisma.raw("mismatch_at");
      return { rows: openMismatch(), few: inOrderOf("payment", [ownedBy(tenant), openMismatch()], place, maxFewRows) };
    },
    email: ofLinksTo("payment"),
    payment_link_id: few("payment", "payment_link_id"),
    tokenization_id: key("tokenization_id"),
    currency: facet(currency),
    gateway: facet(gateway),
    method: key("method"),
    risk: key("risk", "risk <> 'normal'"),
    refunded: (part) => ({
      rows: Prisma.sql`(refunded_cents > 0 AND ${Prisma.raw(refundedPart)} = ${part})`,
      key: { column: refundedPart, value: Prisma.sql`${part}::text`, indexWhere: Prisma.sql`refunded_cents > 0` },
    }),
    ...amountRangeFilters,
    q: search(
      `link_words || ' ' || ${amountWords} || ' ' || coalesce(card_brand, '') || ' ' || coalesce(card_last4, '') || ' ' ||
       coalesce(gateway_ref, '') || ' ' || coalesce(reference, '')`,
      "status NOT IN ('created', 'sending')",
    ),
    ...settlementFilters,
    metadata: byMetadata,
  },
  facets: [[currency, gateway, status]],
  orders: { amount: amountOrder },
  amounts: ownAmounts,
});

export const listPayments = async (tx: Db, tenant: Tenant, query: PaymentListQuery): Promise<Page<PaymentOfLink>> =>
  payments.list(tx, tenant, await withinSettlement(tx, "payment", tenant, query));
