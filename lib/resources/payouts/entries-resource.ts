import { Prisma } from "@/lib/core/db";
import { few, key } from "@/lib/http/list-filters";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { BalanceEntry, BalanceEntryListQuery } from "./entries-contract";

export const balanceEntries = defineResource<BalanceEntry, BalanceEntryListQuery>({
  name: "Balance entry",
  table: "balance_entry",
  idPrefix: "bal",
  fields: {
    _id: Prisma.sql`id`,
    business_id: column,
    type: column,
    amount: Prisma.sql`amount_cents / 100::float8`,
    amount_cents: Prisma.sql`amount_cents::float8`,
    fee_cents: Prisma.sql`fee_cents::float8`,
    net_cents: Prisma.sql`net_cents::float8`,
    currency: column,
    payment_id: column,
    refund_id: column,
    payout_id: column,
    gateway_account_id: column,
    gateway_reference: Prisma.sql`gateway_ref`,
    recorded: column,
    livemode: column,
    created_at: instant,
    title: Prisma.sql`
      (SELECT l.title FROM payment p JOIN payment_link l ON l.id = p.payment_link_id WHERE p.id = balance_entry.payment_id)`,
  },
  filters: {
    payout_id: key("payout_id"),
    payment_id: few("balance_entry", "payment_id"),
  },
});
