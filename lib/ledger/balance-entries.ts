import { tenantOf } from "@/lib/auth/actor";
import { db, execute, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { KnownEntry } from "@/lib/gateways/balance";
import { recordBooked } from "./attempt";
import { type BalanceAccount, ofAccount, shownTime } from "./balance-account";
import { reconcileDisputes } from "./dispute";
import { type ChargeOfEntry, chargeOf } from "./entry-charge";
import { reconcileRefunds } from "./refund";
import { recordBookedRefund } from "./refund-postings";

type StoredEntry = Omit<KnownEntry, "type"> & { type: KnownEntry["type"] | "opening" };

const entryColumns = Prisma.sql`
  id text, ref text, type text, amount bigint, fee bigint, currency text, source_ref text, charge_ref text, gateway_key text,
  created_at timestamptz, payout_id text`;

/**
 * Stores entries that are not known yet, and adds them to the account's sum. One statement.
 * @param payoutId the payout that has paid them out
 */
export async function storeEntries(
  account: BalanceAccount,
  entries: StoredEntry[],
  payoutId: string | null = null,
): Promise<void> {
  if (entries.length === 0) return;
  const { business_id, livemode } = tenantOf(account.tenant);
  const rows = entries.map((entry) => ({
    ...{ id: newId("bal"), ref: entry.ref, type: entry.type, amount: entry.amountCents, fee: entry.feeCents },
    ...{ currency: entry.currency, source_ref: entry.sourceRef, charge_ref: entry.chargeRef },
    ...{ gateway_key: entry.gatewayKey, created_at: entry.createdAt, payout_id: payoutId },
  }));
  await execute(
    db,
    Prisma.sql`
    WITH stored AS (
      INSERT INTO balance_entry AS known (id, business_id, livemode, gateway_account_id, gateway_ref, type, amount_cents, fee_cents,
                                 net_cents, currency, source_ref, charge_ref, gateway_key, payout_id, created_at)
      SELECT id, ${business_id}, ${livemode}, ${account.accountId}::text, ref, type, amount, fee, amount - fee, currency, source_ref,
             charge_ref, gateway_key, payout_id, ${shownTime(account, Prisma.sql`created_at`)}
        FROM ${rowsOfEntries(rows)} AS given ORDER BY ref
      ON CONFLICT (business_id, livemode, gateway_account_id, gateway_ref) DO UPDATE SET payout_id = excluded.payout_id
        WHERE known.payout_id IS NULL AND excluded.payout_id IS NOT NULL
      RETURNING currency, CASE WHEN xmax = 0 THEN net_cents ELSE 0 END AS cents
    )
    INSERT INTO gateway_balance AS known (business_id, livemode, gateway_account_id, currency, entries_cents)
    SELECT ${business_id}, ${livemode}, ${account.accountId}::text, currency, sum(cents) FROM stored GROUP BY currency ORDER BY currency
    ON CONFLICT (business_id, livemode, gateway_account_id, currency)
    DO UPDATE SET entries_cents = known.entries_cents + excluded.entries_cents`,
  );
}

const rowsOfEntries = (rows: object[]): Prisma.Sql =>
  Prisma.sql`(SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (${entryColumns}))`;

/** How many unrecorded entries are read at a time. */
const batchSize = 200;

/**
 * Records each entry of the account in the journal: fees and exchanges of payments and refunds, and postings of entries that
 * only the gateway knew. An entry waits for the next run while its payment or refund has no outcome, and while its charge is
 * neither a payment nor acknowledged (lib/ledger/entry-charge.ts).
 */
export async function recordEntries(account: BalanceAccount): Promise<void> {
  await execute(db, knownCharges(account));
  await execute(db, knownRefunds(account));
  await execute(db, knownDisputes(account));
  let last = "";
  for (;;) {
    const entries = await queryRows<Unrecorded>(
      db,
      Prisma.sql`
      SELECT id, type, amount_cents::float8 AS amount, fee_cents::float8 AS fee, currency, source_ref, charge_ref, gateway_key
        FROM balance_entry WHERE ${ofAccount(account)} AND NOT recorded AND id > ${last} ORDER BY id LIMIT ${batchSize}::int`,
    );
    for (const entry of entries) {
      last = entry.id;
      await recordEntry(account, entry).catch((err: unknown) =>
        log.warn({ err, entry: entry.id }, "a balance entry was not recorded"),
      );
    }
    if (entries.length < batchSize) return;
  }
}

/** SQL: marks charges as recorded whose settlement already has the same fee and exchange: most of them. */
const knownCharges = (account: BalanceAccount): Prisma.Sql => Prisma.sql`
  UPDATE balance_entry e SET recorded = true, payment_id = p.id FROM payment p
   WHERE ${ofAccount(account, Prisma.sql`e.`)} AND NOT e.recorded AND e.type = 'charge' AND p.gateway_key = e.gateway_key
     AND ${ofAccount(account, Prisma.sql`p.`)} AND p.status = 'succeeded'
     AND (p.fee_currency, p.fee_cents) = (e.currency, e.fee_cents)
     AND coalesce(p.booked_cents, p.amount_cents) = e.amount_cents AND (p.booked_cents IS NOT NULL OR p.currency = e.currency)`;

const knownRefunds = (account: BalanceAccount): Prisma.Sql => Prisma.sql`
  UPDATE balance_entry e SET recorded = true, payment_id = r.payment_id, refund_id = r.id FROM refund r, posting j
   WHERE ${ofAccount(account, Prisma.sql`e.`)} AND NOT e.recorded AND e.type IN ('refund', 'refund_failure')
     AND r.gateway_ref = e.source_ref AND (r.business_id, r.livemode) = (e.business_id, e.livemode)
     AND e.fee_cents = 0 AND abs(e.amount_cents) = r.amount_cents AND e.currency = r.currency
     AND j.payment_id = r.payment_id AND j.refund_id = r.id
     AND j.kind = CASE e.type WHEN 'refund' THEN 'refund' ELSE 'refund_returned' END`;

const knownDisputes = (account: BalanceAccount): Prisma.Sql => Prisma.sql`
  UPDATE balance_entry e SET recorded = true, payment_id = j.payment_id FROM posting j
   WHERE ${ofAccount(account, Prisma.sql`e.`)} AND NOT e.recorded AND e.type IN ('dispute', 'dispute_reversal')
     AND j.movement_ref = e.gateway_ref AND (j.business_id, j.livemode) = (e.business_id, e.livemode)`;

interface Unrecorded {
  id: string;
  type: StoredEntry["type"];
  amount: number;
  fee: number;
  currency: string;
  source_ref: string | null;
  charge_ref: string | null;
  gateway_key: string | null;
}

async function recordEntry(account: BalanceAccount, entry: Unrecorded): Promise<void> {
  switch (entry.type) {
    case "charge":
      return recordCharge(account, entry);
    case "refund":
    case "refund_failure":
      return recordRefund(account, entry);
    case "dispute":
    case "dispute_reversal":
      return recordDispute(account, entry);
    default:
      return post(entry);
  }
}

const bookedOf = ({ amount, fee, currency }: Unrecorded) => ({
  grossCents: Math.abs(amount),
  feeCents: fee,
  currency: currency.trim(),
});

async function recordCharge(account: BalanceAccount, entry: Unrecorded): Promise<void> {
  const charge = await chargeOf(account, entry);
  if (charge.is !== "succeeded") return recordOther(entry, charge);
  const { paymentId: payment_id } = charge;
  // An entry that is not recorded stays visible as a difference between the balance and the books.
  if (!(await recordBooked(payment_id, bookedOf(entry)))) return;
  await db.balanceEntry.update({ where: { id: entry.id }, data: { recorded: true, payment_id } });
}

/** Imports the dispute, whose postings carry the references of the entries. */
async function recordDispute(account: BalanceAccount, entry: Unrecorded): Promise<void> {
  const charge = await chargeOf(account, entry);
  if (charge.is === "elsewhere") return post(entry);
  if (charge.is === "waiting") return;
  await reconcileDisputes(charge.paymentId);
  await execute(db, knownDisputes(account));
}

async function recordRefund(account: BalanceAccount, entry: Unrecorded): Promise<void> {
  const charge = await chargeOf(account, entry);
  if (charge.is !== "succeeded") return recordOther(entry, charge);
  const { paymentId } = charge;
  const returned = entry.type === "refund_failure";
  const done = (row: { status: string } | null) =>
    row?.status === "failed" || (row?.status === "succeeded" && !returned);
  const find = () =>
    db.refund.findFirst({ where: { gateway_ref: entry.source_ref, payment_id: paymentId }, select: refundColumns });
  let refund = await find();
  if (!done(refund)) {
    await reconcileRefunds({ paymentId });
    refund = await find();
  }
  // The refund failed before Paydesk saw it succeed, so the journal has no posting for it.
  if (!refund || (refund.status === "failed" && refund.returned_at === null)) return post(entry, { paymentId });
  if (!done(refund)) return;
  await recordBookedRefund(refund, bookedOf(entry), returned);
  if (entry.fee === 0)
    await db.balanceEntry.update({
      where: { id: entry.id },
      data: { recorded: true, payment_id: paymentId, refund_id: refund.id },
    });
  else await post({ ...entry, amount: 0 }, { paymentId, refundId: refund.id });
}

const refundColumns = { id: true, payment_id: true, status: true, returned_at: true } as const;

/** Posts an entry of a charge that is not a paid payment. A `waiting` one is left for the next run. */
async function recordOther(entry: Unrecorded, charge: Exclude<ChargeOfEntry, { is: "succeeded" }>): Promise<void> {
  if (charge.is === "elsewhere") await post(entry);
  if (charge.is === "mismatch") await post(entry, { paymentId: charge.paymentId }, unmatched);
}

/** Debit and credit of an entry that adds to the balance. One that takes from it has them swapped. */
const accounts: Record<string, { kind: string; other: string }> = {
  payout: { kind: "payout", other: "bank" },
  payout_failure: { kind: "payout_failed", other: "bank" },
  fee: { kind: "gateway_fee", other: "fees" },
};
const adjustment = { kind: "adjustment", other: "adjustments" };
/** Money that staff have to decide about. */
const unmatched = { kind: "mismatch", other: "unmatched" };

/** Posts an entry that has no posting of a payment, refund or dispute, and its fee. */
async function post(
  entry: Unrecorded,
  { paymentId = null, refundId = null }: { paymentId?: string | null; refundId?: string | null } = {},
  { kind, other } = accounts[entry.type] ?? adjustment,
): Promise<void> {
  await execute(
    db,
    Prisma.sql`
    -- Locked, because staff may be counting the mismatch as a payment: that posts the same money (countMismatch).
    WITH mismatch AS MATERIALIZED (
      SELECT FROM payment WHERE id = ${paymentId} AND status = 'failed' FOR SHARE
    ), marked AS (
      UPDATE balance_entry SET recorded = true, payment_id = ${paymentId}, refund_id = ${refundId}
       WHERE id = ${entry.id} AND NOT recorded AND (${kind} <> 'mismatch' OR EXISTS (SELECT FROM mismatch)) RETURNING *
    )
    INSERT INTO posting (business_id, livemode, kind, balance_entry_id, debit, credit, amount_cents, currency, created_at)
    SELECT business_id, livemode, moved.kind, id, CASE WHEN cents > 0 THEN 'gateway' ELSE other END,
           CASE WHEN cents > 0 THEN other ELSE 'gateway' END, abs(cents), currency, created_at
      FROM marked, LATERAL (VALUES
        (${kind}::text, ${other}::text, ${entry.amount}::bigint),
        ('gateway_fee', 'fees', -${entry.fee}::bigint)
      ) AS moved(kind, other, cents)
     WHERE cents <> 0
    -- A mismatch that now counts as a payment: the fee of its refund was posted before and stays (unpostMismatch).
    ON CONFLICT (balance_entry_id, kind) WHERE balance_entry_id IS NOT NULL DO NOTHING`,
  );
}
