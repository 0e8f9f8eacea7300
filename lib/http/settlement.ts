/** Lists by the time at which payments or refunds settled. They are read by the time of creation. */
import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { type Db, Prisma, planAndQueryRows } from "@/lib/core/db";
import { iso } from "./list";
import type { ListQuery } from "./list-query";
import { endOf, inOrderOf, startOf } from "./list-streams";

type SettlementQuery = ListQuery & { settled_from: string | null; settled_to: string | null };

/** Checked row by row. */
export const settlementFilters = {
  settled_from: (value: string) => Prisma.sql`settled_at >= ${startOf(value)}`,
  settled_to: (value: string) => Prisma.sql`settled_at < ${endOf(value)}`,
};

/** With more late rows than this, the list begins with the oldest row. */
const maxLate = 1_000;

/**
 * Adds the bounds of the time of creation. A row settles after it was created, most of them within a day.
 * The index "<table>_settled_late" has the others: the list goes back to the oldest of them that settled in the period.
 */
export async function withinSettlement<Query extends SettlementQuery>(
  tx: Db,
  table: "payment" | "refund",
  tenant: Tenant,
  query: Query,
): Promise<Query> {
  const { settled_from, settled_to } = query;
  const created_to = query.created_to ?? settled_to;
  if (settled_from === null || query.created_from !== null) return { ...query, created_to };
  const { business_id, livemode } = tenantOf(tenant);
  const late = [
    Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`,
    Prisma.sql`settled_at - created_at > interval '24 hours'`,
    settlementFilters.settled_from(settled_from),
    ...(settled_to === null ? [] : [settlementFilters.settled_to(settled_to)]),
  ];
  const [row] = await planAndQueryRows<{ created_from: string | null }>(
    tx,
    Prisma.sql`
    SELECT CASE WHEN count <= ${maxLate}::int THEN ${iso("since")} END AS created_from FROM (
      SELECT count(*), least(min(created_at), ${startOf(settled_from)} - interval '24 hours') AS since
        FROM (${inOrderOf(table, late, Prisma.raw("settled_at"), maxLate + 1)}) AS late) AS oldest`,
  );
  return { ...query, created_to, created_from: row?.created_from ?? null };
}
