import { clock } from "@/lib/core/clock";
import { db, execute, Prisma } from "@/lib/core/db";
import { type BalanceAccount, ofAccount } from "./balance-account";

// How a gateway's balance can differ from the journal: a change without an entry, an entry that the journal does not have, or a
// payment of the journal without an entry.

const hourMs = 3_600_000;
/** Gateways book some payments late, and some outcomes arrive late. Newer entries and payments do not count as differences. */
const graceHours = 3;
/** How far back the first import looks for payments without an entry; `books -- --ask-gateways` looks at all of them. */
const firstCheckDays = 7;
/** Limits the statement: that many missing payments have one cause, and the first ones show it. */
const maxUnbooked = 1000;

/** Rows of the account that the import `i` is about. */
const ofImport = (table: string) => Prisma.sql`
  (${Prisma.raw(table)}.business_id, ${Prisma.raw(table)}.livemode) = (i.business_id, i.livemode)
  AND ${Prisma.raw(table)}.gateway_account_id IS NOT DISTINCT FROM i.gateway_account_id`;

/** Entries `e` of the import `i` that should be in the journal by now. */
export const unrecordedOf = Prisma.sql`
  ${ofImport("e")} AND NOT e.recorded AND e.created_at < i.refreshed_at - make_interval(hours => ${graceHours}::int)`;

/** Payments `p` of the import `i` that the gateway's balance should have by now. */
export const unbookedOf = Prisma.sql`${ofImport("p")} AND p.unbooked_since IS NOT NULL`;

/** SQL: whether the balance `b` belongs to the import `i` and has been read. */
export const balancesOf = Prisma.sql`${ofImport("b")} AND b.gateway_cents IS NOT NULL`;

/** SQL: whether balance and entries of the import `i` are of the same time, so that they can be compared. */
export const isComparable = Prisma.sql`(i.opened AND i.still)`;

/** SQL: whether the balance of the import `i` differs from the journal. Reads few rows: each condition has an index. */
export const differsFromBooks = Prisma.sql`
  ((${isComparable} AND EXISTS (SELECT FROM gateway_balance b WHERE ${balancesOf} AND b.gateway_cents <> b.entries_cents))
   OR EXISTS (SELECT FROM balance_entry e WHERE ${unrecordedOf})
   OR EXISTS (SELECT FROM payment p WHERE ${unbookedOf}))`;

/** SQL: whether entries of the account wait for the outcome of their payment or refund, or a payout for its entries. */
export const isWaiting = (account: BalanceAccount): Prisma.Sql => Prisma.sql`
  (EXISTS (SELECT FROM balance_entry WHERE ${ofAccount(account)} AND NOT recorded
              AND created_at > ${new Date(clock.now().getTime() - graceHours * hourMs)}::timestamptz)
   OR EXISTS (SELECT FROM payout WHERE ${ofAccount(account)} AND NOT complete))`;

/** Marks the payments since the last check that have no balance entry. Clears the mark of payments that have one by now. */
export async function findUnbooked(
  account: BalanceAccount,
  { id, checked_until }: { id: string; checked_until: Date | null },
): Promise<void> {
  const now = clock.now();
  const until = new Date(now.getTime() - graceHours * hourMs);
  const from = checked_until ?? new Date(until.getTime() - firstCheckDays * 24 * hourMs);
  const isBooked = Prisma.sql`EXISTS (SELECT FROM balance_entry e WHERE e.payment_id = p.id AND e.type = 'charge')`;
  await execute(
    db,
    Prisma.sql`
    UPDATE payment p SET unbooked_since = NULL
     WHERE ${ofAccount(account, Prisma.sql`p.`)} AND p.unbooked_since IS NOT NULL AND ${isBooked}`,
  );
  await execute(
    db,
    Prisma.sql`
    UPDATE payment SET unbooked_since = ${now}::timestamptz WHERE id IN (
      SELECT p.id FROM posting j JOIN payment p ON p.id = j.payment_id
       WHERE j.business_id = ${account.tenant.businessId} AND j.livemode = ${account.tenant.livemode} AND j.created_at >= ${from}::timestamptz AND j.created_at < ${until}::timestamptz
         AND j.kind = 'payment' AND j.debit = 'gateway' AND ${ofAccount(account, Prisma.sql`p.`)} AND NOT ${isBooked}
       ORDER BY p.id LIMIT ${maxUnbooked}::int)`,
  );
  await execute(
    db,
    Prisma.sql`UPDATE balance_import SET checked_until = ${until}::timestamptz WHERE id = ${id}::bigint`,
  );
}
