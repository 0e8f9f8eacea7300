import { Prisma } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { declineReasons } from "@/lib/gateways/gateway";
import { emailIs, iso, matches } from "@/lib/http/list";
import { isHard, noCard } from "@/lib/periods/dunning";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { PaymentLink, PaymentLinkListQuery } from "./contract";

/** Failures after which a period is not charged again, although dunning goes on. */
const waitsForPayer = [noCard, ...Object.keys(declineReasons).filter(isHard)];

/** "Expired" is computed, never stored: no job can be late with it. */
const status = (now: Date) => Prisma.sql`
  CASE WHEN status IN ('Active', 'Inactive') AND expires_at <= ${now} THEN 'Expired' ELSE status END`;

/** The same rule as a condition that the index on status serves. */
function statusIs(wanted: PaymentLink["status"], now: Date): Prisma.Sql {
  if (wanted === "Expired") return Prisma.sql`status IN ('Active', 'Inactive') AND expires_at <= ${now}`;
  if (wanted === "Paid" || wanted === "Processing") return Prisma.sql`status = ${wanted}`;
  return Prisma.sql`status = ${wanted} AND (expires_at IS NULL OR expires_at > ${now})`;
}

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
    subscription_id: column,
    period_start: instant,
    period_end: instant,
    attempt_count: column,
    next_attempt_at: Prisma.sql`CASE WHEN failure = ANY(${waitsForPayer}::text[]) THEN NULL ELSE ${iso("next_step_at")} END`,
    internal_note: column,
  },
  filters: {
    status: (wanted, _, now) => statusIs(wanted, now),
    paid: (paid) => (paid ? Prisma.sql`status = 'Paid'` : Prisma.sql`status <> 'Paid'`),
    email: emailIs,
    currency: column,
    reference: column,
    reference_2: column,
    subscription_id: column,
    q: matches(
      "title || ' ' || email || ' ' || coalesce(reference, '') ||\n ' ' || coalesce(reference_2, '') || ' ' || coalesce(description, '')",
    ),
  },
});
