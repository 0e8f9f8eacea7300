import { Prisma } from "@/lib/core/db";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { Payout, PayoutListQuery } from "./contract";

export const payouts = defineResource<Payout, PayoutListQuery>({
  name: "Payout",
  table: "payout",
  idPrefix: "po",
  fields: {
    _id: Prisma.sql`id`,
    business_id: column,
    gateway: column,
    gateway_account_id: column,
    gateway_reference: Prisma.sql`gateway_ref`,
    amount: Prisma.sql`amount_cents / 100::float8`,
    amount_cents: Prisma.sql`amount_cents::float8`,
    currency: column,
    status: column,
    arrival_date: Prisma.sql`to_char(arrival_date, 'YYYY-MM-DD')`,
    livemode: column,
    created_at: instant,
    updated_at: instant,
    external_id: Prisma.sql`(SELECT external_id FROM gateway_account a WHERE a.id = payout.gateway_account_id)`,
    bank_reference: column,
    totals: column,
  },
  filters: { status: column, currency: column },
});
