import type { Actor } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, execute, Prisma, queryRows } from "@/lib/core/db";
import { toUnits } from "@/lib/core/money";
import { iso } from "@/lib/http/list";
import { ownedBy } from "@/lib/resources/define";
import type { Balance } from "./contract";

interface Row {
  gateway: string;
  gateway_account_id: string | null;
  refreshed_at: string | null;
  problem: "forbidden" | "unreachable" | null;
  is_due: boolean;
  unrecorded_entries: number;
  currencies: { currency: string; amount_cents: number; difference_cents: number }[];
}

/** The sandbox is shown only where it has been used. */
export async function readBalance(tx: Db, actor: Actor): Promise<Balance> {
  const rows = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT coalesce((SELECT gateway FROM gateway_account a WHERE a.id = i.gateway_account_id), 'sandbox') AS gateway,
           gateway_account_id, ${iso("refreshed_at")} AS refreshed_at, problem,
           next_at <= clock_timestamp() OR (refreshed_at IS NULL AND problem IS NULL) AS is_due,
           (SELECT count(*)::int FROM (
             SELECT FROM balance_entry e WHERE (e.business_id, e.livemode) = (i.business_id, i.livemode)
                AND e.gateway_account_id IS NOT DISTINCT FROM i.gateway_account_id AND NOT e.recorded LIMIT 1000) AS waiting
           ) AS unrecorded_entries,
           (SELECT coalesce(json_agg(json_build_object('currency', trim(currency), 'amount_cents', gateway_cents,
                                                       'difference_cents', gateway_cents - entries_cents) ORDER BY currency), '[]')
              FROM gateway_balance b
             WHERE (b.business_id, b.livemode) = (i.business_id, i.livemode) AND b.gateway_cents IS NOT NULL
               AND b.gateway_account_id IS NOT DISTINCT FROM i.gateway_account_id) AS currencies
      FROM balance_import i WHERE ${ownedBy(actor)} ORDER BY id`,
  );
  const used = rows.filter((row) => row.gateway_account_id !== null || row.currencies.length > 0);
  return {
    _id: "balance",
    created_at: clock.now().toISOString().replace("Z", "000Z"),
    refreshing: used.some(({ is_due }) => is_due),
    accounts: used.map(({ is_due: _, currencies, ...row }) => ({
      ...row,
      currencies: currencies.map(({ currency, amount_cents, difference_cents }) => ({
        currency,
        amount: toUnits(amount_cents),
        amount_cents,
        difference_cents,
      })),
    })),
  };
}

/** Makes the imports of the business due, so that the job runs them within seconds. */
export async function refreshBalance(tx: Db, actor: Actor): Promise<Balance> {
  await execute(
    tx,
    Prisma.sql`UPDATE balance_import SET next_at = least(next_at, clock_timestamp()) WHERE ${ownedBy(actor)}`,
  );
  return { ...(await readBalance(tx, actor)), refreshing: true };
}
