import { db, Prisma } from "@/lib/core/db";
import { formatMoney } from "@/lib/core/money";
import { KeyRefused } from "@/lib/gateways/gateway";
import { importBalances } from "./balance-import";
import { Comparison } from "./comparison";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { type GatewayChoice, gatewayFor } from "./gateways";
import { type Read, readAll } from "./read-all";

interface Difference {
  business_id: number;
  livemode: boolean;
  account: string | null;
  currency: string;
  gateway: number;
  entries: number;
  journal: number;
}

/** The maximum number of lines of each kind that explain a difference. */
const maxLines = 100;

/**
 * Imports every account's balance, then compares what the journal has at each gateway account with the gateway's own balance.
 * @returns `found`, with the differences and what explains them
 */
export async function compareBalances(found = new Comparison()): Promise<Comparison> {
  await db.balanceImport.updateMany({ data: { next_at: new Date(0) } });
  while (await importBalances());
  for (const failed of await db.balanceImport.findMany({ where: { NOT: { problem: null } } })) {
    const { business_id, gateway_account_id, problem } = failed;
    const name = `business ${business_id} ${gateway_account_id ?? "sandbox"}: balance`;
    await found.addFailure(name, gateway_account_id, await failureOf(failed, problem === "forbidden"), "optional");
  }
  await readAll(async (readRows) => {
    for (const difference of await readRows<Difference>(differencesSql))
      found.differences.push(...(await explain(readRows, difference)));
  });
  return found;
}

/** Why an import failed: asks again, because the import stores only whether the key was refused. */
async function failureOf(account: GatewayChoice, isForbidden: boolean): Promise<unknown> {
  const other = isForbidden ? new KeyRefused(null, false, true) : new Error("The import failed.");
  return gatewayFor(account)
    .then((gateway) => gateway && withDeadline(gateway.balance(), lookupDeadlineMs))
    .then(
      () => other,
      (error: unknown) => error,
    );
}

// Without the accounts whose import failed: their stored balance is of an earlier time.
const differencesSql = Prisma.sql`
  SELECT b.business_id, b.livemode, b.gateway_account_id AS account, trim(b.currency) AS currency,
         b.gateway_cents::float8 AS gateway, b.entries_cents::float8 AS entries, coalesce(j.cents, 0)::float8 AS journal
    FROM gateway_balance b LEFT JOIN (
      SELECT j.business_id, j.livemode, coalesce(p.gateway_account_id, e.gateway_account_id) AS account, j.currency,
             sum(CASE debit WHEN 'gateway' THEN j.amount_cents ELSE -j.amount_cents END) AS cents
        FROM posting j LEFT JOIN payment p ON p.id = j.payment_id LEFT JOIN balance_entry e ON e.id = j.balance_entry_id
       WHERE 'gateway' IN (debit, credit) GROUP BY 1, 2, 3, 4) j
      ON (j.business_id, j.livemode, j.currency) = (b.business_id, b.livemode, b.currency)
     AND j.account IS NOT DISTINCT FROM b.gateway_account_id
   WHERE b.gateway_cents IS NOT NULL AND (b.gateway_cents <> b.entries_cents OR b.gateway_cents <> coalesce(j.cents, 0))
     AND NOT EXISTS (SELECT FROM balance_import i WHERE (i.business_id, i.livemode) = (b.business_id, b.livemode)
                        AND i.gateway_account_id IS NOT DISTINCT FROM b.gateway_account_id AND i.problem IS NOT NULL)
   ORDER BY b.id`;

async function explain(readRows: Read, of: Difference): Promise<string[]> {
  const { business_id, livemode, account, currency, gateway, entries, journal } = of;
  const name = `business ${business_id} ${account ?? "sandbox"} ${currency}`;
  const money = (cents: number) => formatMoney(cents, currency);
  const lines = [`${name}: the journal has ${money(journal)} at the gateway, the gateway has ${money(gateway)}`];
  if (gateway !== entries)
    lines.push(`${name}: ${money(gateway - entries)} of the balance has no entry at the gateway`);
  const owned = Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}
    AND gateway_account_id IS NOT DISTINCT FROM ${account}::text`;
  const waiting = await readRows<{ type: string; gateway_ref: string; net: number }>(
    Prisma.sql`
    SELECT type, gateway_ref, net_cents::float8 AS net FROM balance_entry
     WHERE ${owned} AND NOT recorded AND currency = ${currency} ORDER BY id LIMIT ${maxLines}::int`,
  );
  for (const { type, gateway_ref, net } of waiting)
    lines.push(`${name}: ${type} ${gateway_ref} of ${money(net)} is not in the journal`);
  const unbooked = await readRows<{ id: string; cents: number }>(
    Prisma.sql`
    SELECT id, amount_cents AS cents FROM payment
     WHERE ${owned} AND status = 'succeeded' AND currency = ${currency} AND gateway <> 'manual'
       AND NOT EXISTS (SELECT FROM balance_entry e WHERE e.payment_id = payment.id AND e.type = 'charge')
     ORDER BY settled_at DESC LIMIT ${maxLines}::int`,
  );
  for (const { id, cents } of unbooked) lines.push(`${name}: ${id} of ${money(cents)} has no entry at the gateway`);
  return lines;
}
