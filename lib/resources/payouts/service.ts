import type { Actor } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, execute, Prisma, queryRows } from "@/lib/core/db";
import { toUnits } from "@/lib/core/money";
import { iso } from "@/lib/http/list";
import { balancesOf, differsFromBooks, isComparable, unbookedOf, unrecordedOf } from "@/lib/ledger/balance-differences";
import { ownedBy } from "@/lib/resources/define";
import type { Balance, Difference } from "./contract";

type Account = Balance["accounts"][number];

interface Row extends Omit<Account, "currencies" | "differences"> {
  is_due: boolean;
  differs: boolean;
  replaced: boolean;
  currencies: Omit<Account["currencies"][number], "amount">[];
}

const maxDifferences = 20;

/** The sandbox and replaced accounts are shown only where they have been used. */
export async function readBalance(tx: Db, actor: Actor): Promise<Balance> {
  const rows = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT coalesce(a.gateway, 'sandbox') AS gateway, i.gateway_account_id, ${iso("i.refreshed_at")} AS refreshed_at, i.problem,
           i.next_at <= clock_timestamp() OR (i.refreshed_at IS NULL AND i.problem IS NULL) AS is_due,
           (SELECT count(*)::int FROM (
             SELECT FROM balance_entry e WHERE (e.business_id, e.livemode) = (i.business_id, i.livemode)
                AND e.gateway_account_id IS NOT DISTINCT FROM i.gateway_account_id AND NOT e.recorded LIMIT 1000) AS waiting
           ) AS unrecorded_entries,
           (SELECT coalesce(json_agg(json_build_object(
                     'currency', trim(b.currency), 'amount_cents', b.gateway_cents, 'difference_cents', b.gateway_cents - b.entries_cents,
                     'on_its_way_cents', (
                       SELECT coalesce(sum(o.amount_cents), 0) FROM payout o
                        WHERE (o.business_id, o.livemode, o.currency) = (b.business_id, b.livemode, b.currency)
                          AND o.gateway_account_id IS NOT DISTINCT FROM b.gateway_account_id AND o.status IN ('pending', 'in_transit'))
                   ) ORDER BY b.currency), '[]')
              FROM gateway_balance b WHERE ${balancesOf}) AS currencies,
           a.external_id, a.replaced_at IS NOT NULL AS replaced,
           CASE WHEN ${differsFromBooks} THEN false WHEN ${isComparable} THEN true END AS equals_books,
           ${differsFromBooks} AS differs
      FROM balance_import i LEFT JOIN gateway_account a ON a.id = i.gateway_account_id
     WHERE i.business_id = ${actor.businessId} AND i.livemode = ${actor.livemode} ORDER BY i.id`,
  );
  const used = rows.filter(
    ({ gateway_account_id, replaced, currencies }) =>
      // The sandbox of a business that has a gateway account in test mode is not in use.
      currencies.length > 0 || rows.length === 1 || (gateway_account_id !== null && !replaced),
  );
  const differences = used.some(({ differs }) => differs) ? await readDifferences(tx, actor) : [];
  return {
    _id: "balance",
    created_at: isoMicros(clock.now()),
    refreshing: used.some(({ is_due }) => is_due),
    accounts: used.map(({ is_due: _, differs: __, replaced: ___, currencies, ...row }) => ({
      ...row,
      currencies: currencies.map(({ currency, amount_cents, ...cents }) => ({
        currency,
        amount: toUnits(amount_cents),
        amount_cents,
        ...cents,
      })),
      differences: differences
        .filter(({ gateway_account_id }) => gateway_account_id === row.gateway_account_id)
        .map(({ gateway_account_id: _, ...difference }) => difference),
    })),
  };
}

/** What makes each balance differ from the journal: at most `maxDifferences` of each kind and account. */
function readDifferences(tx: Db, actor: Actor): Promise<(Difference & { gateway_account_id: string | null })[]> {
  return queryRows(
    tx,
    Prisma.sql`
    SELECT d.kind, d.cents::float8 AS amount_cents, trim(d.currency) AS currency, d.balance_entry_id, d.type, d.gateway_reference,
           d.payment_id, ${iso("d.at")} AS created_at, i.gateway_account_id
      FROM balance_import i CROSS JOIN LATERAL (
        SELECT 'without_entry' AS kind, b.gateway_cents - b.entries_cents AS cents, b.currency, NULL AS balance_entry_id, NULL AS type,
               NULL AS gateway_reference, NULL AS payment_id, NULL::timestamptz AS at
          FROM gateway_balance b WHERE ${isComparable} AND ${balancesOf} AND b.gateway_cents <> b.entries_cents
        UNION ALL (
          SELECT 'unrecorded_entry', e.net_cents, e.currency, e.id, e.type, e.gateway_ref, e.payment_id, e.created_at
            FROM balance_entry e WHERE ${unrecordedOf} ORDER BY e.id LIMIT ${maxDifferences}::int)
        UNION ALL (
          SELECT 'unbooked_payment',
                 -(coalesce(p.booked_cents, p.amount_cents)
                   - CASE WHEN p.booked_cents IS NOT NULL OR p.fee_currency = p.currency THEN coalesce(p.fee_cents, 0) ELSE 0 END),
                 CASE WHEN p.booked_cents IS NULL THEN p.currency ELSE p.fee_currency END, NULL, NULL, p.gateway_ref, p.id, p.settled_at
            FROM payment p WHERE ${unbookedOf} ORDER BY p.id LIMIT ${maxDifferences}::int)
      ) AS d
     WHERE i.business_id = ${actor.businessId} AND i.livemode = ${actor.livemode} ORDER BY i.id`,
  );
}

/** Makes the imports of the business due, so that the job runs them within seconds. */
export async function refreshBalance(tx: Db, actor: Actor): Promise<Balance> {
  await execute(
    tx,
    Prisma.sql`UPDATE balance_import SET next_at = least(next_at, clock_timestamp()) WHERE ${ownedBy(actor)}`,
  );
  return { ...(await readBalance(tx, actor)), refreshing: true };
}
