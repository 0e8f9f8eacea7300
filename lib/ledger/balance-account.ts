import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { Prisma } from "@/lib/core/db";

/** An account at a gateway; `accountId` is null for the sandbox. */
export interface BalanceAccount {
  tenant: Tenant;
  accountId: string | null;
}

/** SQL: whether a row belongs to the account. */
export function ofAccount({ tenant, accountId }: BalanceAccount, table = Prisma.empty): Prisma.Sql {
  const { business_id, livemode } = tenantOf(tenant);
  return Prisma.sql`${table}business_id = ${business_id} AND ${table}livemode = ${livemode}
    AND ${table}gateway_account_id IS NOT DISTINCT FROM ${accountId}::text`;
}

/**
 * SQL: a gateway's time as the business's clock shows it, and never later than now: the sandbox makes payouts by the business's days.
 */
export function shownTime({ tenant }: BalanceAccount, at: Prisma.Sql): Prisma.Sql {
  const { business_id, livemode } = tenantOf(tenant);
  return Prisma.sql`CASE WHEN ${livemode}::boolean THEN ${at}
    ELSE least(on_business_clock(${at}, ${business_id}::int, false), business_time(${business_id}::int, false)) END`;
}
