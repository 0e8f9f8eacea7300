import { tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { db, execute, Prisma, queryRows, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { EntriesOf, KnownPayout } from "@/lib/gateways/balance";
import { type Gateway, KeyRefused } from "@/lib/gateways/gateway";
import { type NewEvent, record } from "@/lib/outbox/record";
import { payouts } from "@/lib/resources/payouts/resource";
import { type BalanceAccount, ofAccount, shownTime } from "./balance-account";
import { findUnbooked, isWaiting } from "./balance-differences";
import { recordEntries, storeEntries } from "./balance-entries";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { gatewayFor } from "./gateways";

const dayMs = 86_400_000;
/** Each import starts this long before the end of the previous one, because gateways list some entries late. */
const lookbackMs = 2 * dayMs;
/** A step of the first import: a crash repeats one step, not everything. */
const windowMs = 7 * dayMs;
/** Payouts can fail for this long after they were created. */
const payoutLookbackMs = 35 * dayMs;
/** An import that failed, or could not compare the balance, is repeated after this time. */
const retryMinutes = 60;
const dailyMinutes = 24 * 60;

/** Makes the import of an account due: its new key may read what the old one could not. */
export async function importBalanceSoon(accountId: string): Promise<void> {
  await db.balanceImport.updateMany({ where: { gateway_account_id: accountId }, data: { next_at: new Date(0) } });
}

interface Claimed {
  id: string;
  business_id: number;
  livemode: boolean;
  gateway_account_id: string | null;
  until: Date | null;
  opened: boolean;
  checked_until: Date | null;
  since: Date;
  ahead: number;
}

/** SQL: adds an import for each gateway account and each business's sandbox that has none. */
const addAccounts = Prisma.sql`
  INSERT INTO balance_import (business_id, livemode, gateway_account_id)
  SELECT business_id, livemode, id FROM gateway_account a
   WHERE NOT EXISTS (SELECT FROM balance_import i WHERE i.gateway_account_id = a.id)
  UNION ALL
  SELECT id, false, NULL FROM business b
   WHERE NOT EXISTS (SELECT FROM balance_import i WHERE i.business_id = b.id AND i.gateway_account_id IS NULL)
  ON CONFLICT DO NOTHING`;

/**
 * Imports the balance entries and payouts of one account whose import is due: once a day, or after a refresh. Safe to run
 * concurrently: a claim postpones the next run.
 * @returns whether more imports may be due
 */
export async function importBalances(): Promise<boolean> {
  await execute(db, addAccounts);
  const [claimed] = await queryRows<Claimed>(
    db,
    Prisma.sql`
    UPDATE balance_import i SET next_at = clock_timestamp() + make_interval(mins => ${retryMinutes}::int)
      FROM business b
     WHERE b.id = i.business_id AND i.id = (
       SELECT id FROM balance_import WHERE next_at <= now() ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING i.id::text, i.business_id, i.livemode, i.gateway_account_id, i.until, i.opened, i.checked_until,
              coalesce((SELECT started_at FROM gateway_account a WHERE a.id = i.gateway_account_id), b.created_at) AS since,
              CASE WHEN i.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead`,
  );
  if (!claimed) return false;
  await clock.ahead(claimed.ahead, () => importAccount(claimed));
  return true;
}

async function importAccount(claimed: Claimed): Promise<void> {
  const { id, business_id, livemode, gateway_account_id } = claimed;
  const account = { tenant: { businessId: business_id, livemode }, accountId: gateway_account_id };
  let problem: string | null = null;
  let isStill = true;
  try {
    const gateway = await gatewayFor({ business_id, livemode, gateway_account_id });
    if (gateway) isStill = await runImport(account, gateway, claimed);
  } catch (err) {
    problem = err instanceof KeyRefused ? "forbidden" : "unreachable";
    log.warn({ err, account: gateway_account_id, business: business_id }, "the balance was not imported");
  }
  // The first import is repeated soon, until it knows the opening balance. If money moved meanwhile, the balance is compared
  // again within the hour.
  const minutes = isStill ? dailyMinutes : claimed.opened ? retryMinutes : 1;
  const inMinutes = (wait: Prisma.Sql) => Prisma.sql`clock_timestamp() + make_interval(mins => ${wait})`;
  const waiting = Prisma.sql`CASE WHEN ${isWaiting(account)} THEN ${retryMinutes}::int ELSE ${dailyMinutes}::int END`;
  // If the gateway is unreachable, the claim's `next_at` stays.
  const next =
    problem === "unreachable" ? Prisma.sql`next_at` : inMinutes(Prisma.sql`least(${minutes}::int, ${waiting})`);
  await execute(
    db,
    Prisma.sql`
    UPDATE balance_import SET problem = ${problem}, next_at = ${next}, still = ${problem === null && isStill},
           refreshed_at = CASE WHEN ${problem === null} THEN ${clock.now()}::timestamptz ELSE refreshed_at END
     WHERE id = ${id}::bigint`,
  );
}

/** @returns whether no money moved meanwhile, so that balance and entries are of the same time */
async function runImport(account: BalanceAccount, gateway: Gateway, state: Claimed): Promise<boolean> {
  const start = clock.outside(() => clock.now());
  let from = state.until ? new Date(state.until.getTime() - lookbackMs) : new Date(state.since.getTime() - dayMs);
  const known = await listPayouts(gateway, from);
  while (from.getTime() + windowMs < start.getTime()) {
    const before = new Date(from.getTime() + windowMs);
    await importEntries(account, gateway, { from, before });
    await setUntil(state.id, before);
    from = before;
  }
  let isStill = false;
  for (let tries = 0; tries < 3 && !isStill; tries++) {
    const before = await askBalance(gateway);
    await importEntries(account, gateway, { from, before: null });
    const after = await askBalance(gateway);
    await storeBalance(account, after);
    isStill = JSON.stringify(before) === JSON.stringify(after);
  }
  // Otherwise the opening balance would include money that moved during the import.
  if (!state.opened && isStill) await open(account, state, from);
  await setUntil(state.id, start);
  for (const payout of known) await storePayout(account, gateway, payout);
  await importPaidEntries(account, gateway, known);
  await recordEntries(account);
  await findUnbooked(account, state);
  return isStill;
}

const setUntil = (id: string, until: Date) =>
  execute(db, Prisma.sql`UPDATE balance_import SET until = ${until}::timestamptz WHERE id = ${id}::bigint`);

/** By currency, in a stable order. */
async function askBalance(gateway: Gateway): Promise<{ currency: string; cents: number }[]> {
  const held = await withDeadline(gateway.balance(), lookupDeadlineMs);
  return held
    .map(({ currency, amountCents: cents }) => ({ currency, cents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

async function importEntries(
  account: BalanceAccount,
  gateway: Gateway,
  of: EntriesOf,
  payoutId: string | null = null,
): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Gateway["balanceEntries"]>> = await withDeadline(
      gateway.balanceEntries(of, cursor),
      lookupDeadlineMs,
    );
    // Stripe lists the payout itself among its entries.
    const inside = payoutId ? page.rows.filter(({ type }) => type !== "payout") : page.rows;
    await storeEntries(account, inside, payoutId);
    cursor = page.next;
  } while (cursor !== null);
}

async function storeBalance(account: BalanceAccount, held: { currency: string; cents: number }[]): Promise<void> {
  const { business_id, livemode } = tenantOf(account.tenant);
  await execute(
    db,
    Prisma.sql`
    WITH held AS (SELECT * FROM json_to_recordset(${JSON.stringify(held)}::json) AS held (currency text, cents bigint)),
    missing AS (
      INSERT INTO gateway_balance (business_id, livemode, gateway_account_id, currency, gateway_cents, as_of)
      SELECT ${business_id}, ${livemode}, ${account.accountId}::text, currency, cents, ${clock.now()}::timestamptz FROM held
       ORDER BY currency
      ON CONFLICT (business_id, livemode, gateway_account_id, currency) DO NOTHING
    )
    UPDATE gateway_balance b
       SET gateway_cents = coalesce((SELECT cents FROM held WHERE held.currency = b.currency), 0), as_of = ${clock.now()}::timestamptz
     WHERE ${ofAccount(account, Prisma.sql`b.`)}`,
  );
}

/**
 * Stores what the account held before its first entry as one `opening` entry: an account at Stripe is often older than its
 * connection. Created once, so that a later difference stays visible.
 */
async function open(account: BalanceAccount, { id, since }: Claimed, from: Date): Promise<void> {
  const rows = await queryRows<{ currency: string; cents: number }>(
    db,
    Prisma.sql`
    SELECT trim(currency) AS currency, (gateway_cents - entries_cents)::float8 AS cents FROM gateway_balance
     WHERE ${ofAccount(account)} AND gateway_cents <> entries_cents`,
  );
  const none = { feeCents: 0, sourceRef: null, chargeRef: null, gatewayKey: null };
  const createdAt = since < from ? since : from;
  const entries = rows.map(({ currency, cents }) => ({
    ...none,
    ...{ ref: `opening ${currency}`, type: "opening" as const, amountCents: cents, currency, createdAt },
  }));
  await storeEntries(account, entries);
  await execute(db, Prisma.sql`UPDATE balance_import SET opened = true WHERE id = ${id}::bigint`);
}

async function listPayouts(gateway: Gateway, from: Date): Promise<KnownPayout[]> {
  const known: KnownPayout[] = [];
  const of = { since: new Date(from.getTime() - payoutLookbackMs), now: clock.now() };
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Gateway["payouts"]>> = await withDeadline(
      gateway.payouts(of, cursor),
      lookupDeadlineMs,
    );
    known.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
  return known;
}

/** SQL: a payout's states, none of which it goes back to. Banks return payouts that were paid. */
const payoutOrder = Prisma.sql`ARRAY['pending', 'in_transit', 'paid', 'canceled', 'failed']::text[]`;

/** Stores a payout, or its new status, with its events in one transaction. */
async function storePayout(account: BalanceAccount, { name }: Gateway, payout: KnownPayout): Promise<void> {
  const { business_id, livemode } = tenantOf(account.tenant);
  const { ref, amountCents, currency, status, arrivalDate, bankReference, createdAt, entries } = payout;
  await transaction(db, async (tx) => {
    const [was] = await queryRows<{ status: string }>(
      tx,
      Prisma.sql`SELECT status FROM payout WHERE ${ofAccount(account)} AND gateway_ref = ${ref} FOR UPDATE`,
    );
    const [changed] = await queryRows<{ id: string }>(
      tx,
      Prisma.sql`
      INSERT INTO payout AS known (id, business_id, livemode, gateway, gateway_account_id, gateway_ref, amount_cents, currency,
                                   status, arrival_date, bank_reference, complete, created_at)
      VALUES (${newId("po")}, ${business_id}, ${livemode}, ${name}, ${account.accountId}, ${ref}, ${amountCents}::bigint, ${currency},
              ${status}, ${arrivalDate}::date, ${bankReference}, ${entries === "none"},
              ${shownTime(account, Prisma.sql`${createdAt}::timestamptz`)})
      ON CONFLICT (business_id, livemode, gateway_account_id, gateway_ref)
      DO UPDATE SET status = excluded.status, arrival_date = excluded.arrival_date, bank_reference = excluded.bank_reference
        WHERE (known.status, known.arrival_date, known.bank_reference)
              IS DISTINCT FROM (excluded.status, excluded.arrival_date, excluded.bank_reference)
          -- Another import may have listed it later than this one.
          AND array_position(${payoutOrder}, excluded.status) >= array_position(${payoutOrder}, known.status)
      RETURNING id`,
    );
    if (!changed || was?.status === status) return;
    const data = await payouts.get(tx, account.tenant, changed.id);
    const events: NewEvent[] = was ? [] : [{ type: "payout.created", data }];
    if (status === "paid") events.push({ type: "payout.paid", data });
    if (status === "failed" || status === "canceled") events.push({ type: "payout.failed", data });
    await record(tx, account.tenant, events);
  });
}

/**
 * Imports the entries of each payout whose entries are not known yet and ready, or do not add up to its amount.
 * @param known the payouts that the gateway has just listed
 */
async function importPaidEntries(account: BalanceAccount, gateway: Gateway, known: KnownPayout[]): Promise<void> {
  const refsOf = (state: KnownPayout["entries"]) =>
    known.filter(({ entries }) => entries === state).map(({ ref }) => ref);
  const rows = await queryRows<{ id: string; gateway_ref: string }>(
    db,
    Prisma.sql`
    SELECT id, gateway_ref FROM payout
     WHERE ${ofAccount(account)} AND NOT complete AND gateway_ref <> ALL(${refsOf("in_progress")}::text[])
     UNION ALL
    SELECT id, gateway_ref FROM payout
     WHERE ${ofAccount(account)} AND complete AND gateway_ref = ANY(${refsOf("ready")}::text[])
       AND amount_cents <> (SELECT coalesce(sum((total ->> 'net_cents')::bigint), 0) FROM jsonb_array_elements(totals) AS total)
     ORDER BY id`,
  );
  for (const { id, gateway_ref: payoutRef } of rows) {
    await importEntries(account, gateway, { payoutRef }, id);
    await execute(db, Prisma.sql`UPDATE payout SET complete = true, totals = ${totalsOf(id)} WHERE id = ${id}`);
  }
}

/** SQL: the sums of a payout's entries, by type, in cents. */
const totalsOf = (payoutId: string): Prisma.Sql => Prisma.sql`
  coalesce((SELECT json_agg(total)::jsonb FROM (
    SELECT type, count(*)::int AS count, sum(amount_cents) AS amount_cents, sum(fee_cents) AS fee_cents, sum(net_cents) AS net_cents
      FROM balance_entry WHERE payout_id = ${payoutId} GROUP BY type ORDER BY type) AS total), '[]')`;
