import type { Tenant } from "@/lib/auth/actor";
import { Prisma } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { idStartOf } from "@/lib/core/transfer-reference";
import { declineReasons } from "@/lib/gateways/reasons";
import { iso } from "@/lib/http/list";
import {
  among,
  amountOrder,
  amountRangeFilters,
  amountWords,
  byEmail,
  byMetadata,
  emailOrder,
  expiredOf,
  facet,
  few,
  key,
  search,
  timeOrder,
} from "@/lib/http/list-filters";
import { type Condition, type Facet, maxFewRows } from "@/lib/http/list-streams";
import { isHard, noCard } from "@/lib/periods/dunning";
import { annotationColumns } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant, ownAmounts, ownedBy } from "@/lib/resources/define";
import { type PaymentLink, type PaymentLinkListQuery, paymentLinkStatuses } from "./contract";

/** Failures after which a period is not charged again, although dunning goes on. */
const waitsForPayer = [noCard, ...Object.keys(declineReasons).filter(isHard)];

/** "Expired" is computed, never stored: no job can be late with it. */
const status = (now: Date) => Prisma.sql`
  CASE WHEN status IN ('Active', 'Inactive') AND expires_at <= ${now} THEN 'Expired' ELSE status END`;

const currency: Facet = { sql: "currency", type: "bpchar" };

/** The status, with "Expired" where the expiry is recorded. No recorded expiry is in the future: clocks only advance. */
const recordedStatus: Facet = {
  sql: "(CASE WHEN expiry_recorded AND status IN ('Active', 'Inactive') THEN 'Expired' ELSE status END)",
  type: "text",
  values: paymentLinkStatuses,
};

/** Links without a subscription; an index has only these. */
const standalone: Facet = { sql: "(CASE WHEN subscription_id IS NULL THEN 'none' END)", type: "text" };
export const standaloneFacets = [standalone, currency, recordedStatus] as const;

/** A job records an expiry soon after it happens, so few are not recorded. */
const unrecorded = Prisma.sql`
  expires_at IS NOT NULL AND NOT expiry_recorded AND status IN ('Active', 'Inactive') AND deleted_at IS NULL`;

/** The same rule as a condition that an index serves. */
function statusIs(wanted: PaymentLink["status"], tenant: Tenant, now: Date): Condition {
  if (wanted === "Expired")
    return among(recordedStatus, [wanted], { also: expiredOf("payment_link", unrecorded, tenant, now) });
  if (wanted === "Paid" || wanted === "Processing") return among(recordedStatus, [wanted]);
  return among(recordedStatus, [wanted], {
    and: Prisma.sql`(expires_at IS NULL OR expires_at > ${now}::timestamptz)`,
  });
}

/** Links with an awaited transfer, read along an index that has only these. */
const awaitingTransfer = (tenant: Tenant): Condition => ({
  rows: Prisma.sql`awaiting_transfer_since IS NOT NULL`,
  few: Prisma.sql`
    SELECT * FROM payment_link
     WHERE ${ownedBy(tenant)} AND awaiting_transfer_since IS NOT NULL AND deleted_at IS NULL LIMIT ${maxFewRows}`,
});

const words = search(
  `title || ' ' || email || ' ' || coalesce(reference, '') || ' ' || coalesce(reference_2, '') || ' ' ||
   coalesce(description, '') || ' ' || ${amountWords}`,
);

/** Links by the beginning of their ids, read by the primary key. Ids have 36 characters after their prefix, at most `z`. */
const startingWith = (idStart: string, tenant: Tenant): Condition => ({
  rows: Prisma.sql`left(id, ${idStart.length}::int) = ${idStart}`,
  few: Prisma.sql`
    SELECT * FROM payment_link
     WHERE ${ownedBy(tenant)} AND id >= ${idStart} AND id <= ${idStart.padEnd(39, "z")} LIMIT ${maxFewRows}`,
});

export const paymentLinks = defineResource<PaymentLink, PaymentLinkListQuery>({
  name: "Payment link",
  table: "payment_link",
  idPrefix: "pl",
  keepsDeleted: true,
  fields: {
    _id: Prisma.sql`id`,
    email: column,
    phone_no: column,
    currency: column,
    amount: Prisma.sql`amount_cents / 100::float8`,
    title: column,
    description: column,
    redirect_url: column,
    reference: column,
    reference_2: column,
    status,
    payment_url: () => Prisma.sql`${env().APP_URL}::text || '/pay?id=' || id`,
    business_id: column,
    paid: Prisma.sql`status = 'Paid'`,
    created_at: instant,
    updated_at: instant,
    amount_cents: column,
    livemode: column,
    expires_at: instant,
    paid_at: instant,
    refunded_amount: Prisma.sql`refunded_cents / 100::float8`,
    tax_percent: Prisma.sql`tax_basis_points / 100::float8`,
    tax_amount: Prisma.sql`tax_cents / 100::float8`,
    subscription_id: column,
    period_start: instant,
    period_end: instant,
    attempt_count: column,
    next_attempt_at: Prisma.sql`CASE WHEN failure = ANY(${waitsForPayer}::text[]) THEN NULL ELSE ${iso("next_step_at")} END`,
    internal_note: column,
    language: column,
    awaiting_transfer_since: instant,
    ...annotationColumns,
  },
  filters: {
    status: statusIs,
    paid: (paid) => among(recordedStatus, paid ? ["Paid"] : ["Active", "Inactive", "Processing", "Expired"]),
    subscription_id: few("payment_link", "subscription_id"),
    subscription: (none) => among(standalone, [none], { and: Prisma.sql`subscription_id IS NULL` }),
    reference: key("reference"),
    reference_2: key("reference_2"),
    email: byEmail,
    currency: facet(currency),
    awaiting_transfer: (awaiting, tenant) =>
      awaiting ? awaitingTransfer(tenant) : Prisma.sql`awaiting_transfer_since IS NULL`,
    ...amountRangeFilters,
    metadata: byMetadata,
    q: (q, tenant) => {
      const idStart = idStartOf(q);
      return idStart === null ? words(q, tenant) : startingWith(idStart, tenant);
    },
  },
  // The index of all links comes first: it serves every filter but that by subscription.
  facets: [[currency, recordedStatus], standaloneFacets],
  orders: { amount: amountOrder, email: emailOrder, expires_at: timeOrder("expires_at") },
  amounts: ownAmounts,
});
