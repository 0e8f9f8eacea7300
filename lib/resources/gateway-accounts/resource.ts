import { Prisma } from "@/lib/core/db";
import { callbackAddress, canReturn } from "@/lib/gateways/stripe/setup";
import { column, defineResource, instant, systemInstant } from "@/lib/resources/define";
import type { GatewayAccount, GatewayAccountListQuery } from "./contract";

export const gatewayAccounts = defineResource<GatewayAccount, GatewayAccountListQuery>({
  name: "Gateway account",
  table: "gateway_account",
  idPrefix: "gwa",
  fields: {
    _id: Prisma.sql`id`,
    gateway: column,
    external_id: column,
    key_last4: Prisma.sql`right(hint, 4)`,
    status: Prisma.sql`CASE WHEN replaced_at IS NULL THEN 'connected' ELSE 'replaced' END`,
    webhook_url: () => Prisma.sql`${callbackAddress("")}::text || id`,
    business_id: column,
    livemode: column,
    replaced_at: instant,
    created_at: instant,
    updated_at: instant,
    broken_at: systemInstant,
    broken_code: column,
    refused_calls: Prisma.sql`to_json(refused_calls)`,
    needs_https: () => Prisma.sql`(livemode AND ${!canReturn(true)}::boolean)`,
  },
  filters: { status: (status) => Prisma.sql`(replaced_at IS NULL) = ${status === "connected"}::boolean` },
});
