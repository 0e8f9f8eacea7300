import { clock } from "@/lib/core/clock";
import { type Db, db, execute, lockUntilCommit, Prisma, queryRows, transaction } from "@/lib/core/db";
import type { EntriesOf, GatewayPage, KnownEntry, KnownPayout } from "@/lib/gateways/balance";
import { newRef } from "./charges";

const pageRows = 100;
/** Age in days after which money is paid out, once a day. It arrives on the next day. */
const holdDays = 2;
const dayMs = 86_400_000;

/**
 * Books charges and refunds in the account's balance. Looks back a day from the last booking, because a charge that waited for
 * its payer keeps the time of its start.
 */
async function book(account: string): Promise<void> {
  const now = clock.now();
  await execute(
    db,
    Prisma.sql`
    WITH last AS MATERIALIZED (
      SELECT coalesce(max(booked_at) - interval '1 day', '-infinity') AS at FROM sandbox_entry WHERE account = ${account}
    )
    INSERT INTO sandbox_entry (id, account, type, source_ref, charge_ref, gateway_key, amount_cents, fee_cents, currency, created_at)
    SELECT 'sbx_txn_' || ref, account, 'charge', ref, ref, gateway_key, amount_cents, fee_cents, currency,
           coalesce(settles_at, created_at)
      FROM sandbox_charge, last
     WHERE account = ${account} AND created_at > last.at AND amount_cents > 0
       AND (status = 'succeeded' OR (status = 'processing' AND reason IS NULL AND settles_at <= ${now}::timestamptz))
    UNION ALL
    SELECT 'sbx_txn_' || r.ref || moved.suffix, c.account, moved.type, r.ref, c.ref, c.gateway_key, moved.cents, 0, c.currency, moved.at
      FROM last CROSS JOIN sandbox_refund r JOIN sandbox_charge c ON c.ref = r.charge_ref, LATERAL (VALUES
        ('', 'refund', -r.amount_cents, CASE r.status WHEN 'pending' THEN r.settles_at ELSE r.created_at END,
         r.status = 'succeeded' OR (r.status = 'failed' AND r.settles_at IS NOT NULL) OR (r.status = 'pending' AND r.settles_at <= ${now}::timestamptz)),
        ('_back', 'refund_failure', r.amount_cents, r.settles_at,
         r.failure_reason IS NOT NULL AND r.settles_at <= ${now}::timestamptz)
      ) AS moved(suffix, type, cents, at, booked)
     WHERE c.account = ${account} AND r.created_at > last.at AND moved.booked
    UNION ALL
    SELECT d.ref || moved.suffix, c.account, moved.type, d.ref, c.ref, c.gateway_key, moved.cents, moved.fee, c.currency, moved.at
      FROM sandbox_dispute d JOIN sandbox_charge c ON c.ref = d.charge_ref, LATERAL (VALUES
        ('_out', 'dispute', -d.amount_cents, d.fee_cents, d.withdrawn_at, true),
        ('_in', 'dispute_reversal', d.amount_cents, 0, d.decided_at, d.outcome = 'won')
      ) AS moved(suffix, type, cents, fee, at, booked)
     WHERE c.account = ${account} AND d.withdrawn_at <= ${now}::timestamptz AND moved.booked AND moved.at <= ${now}::timestamptz
       AND NOT EXISTS (SELECT FROM sandbox_entry e WHERE e.id = d.ref || moved.suffix)
    ON CONFLICT (id) DO NOTHING`,
  );
}

export async function balance(account: string): Promise<{ amountCents: number; currency: string }[]> {
  await book(account);
  // A payout and the entries that it paid out add up to zero.
  return queryRows(
    db,
    Prisma.sql`
    SELECT currency, sum(amount_cents - fee_cents)::float8 AS "amountCents" FROM sandbox_entry
     WHERE account = ${account} AND payout_ref IS NULL GROUP BY currency ORDER BY currency`,
  );
}

interface EntryRow extends Omit<KnownEntry, "createdAt"> {
  created_at: Date;
  place: string;
}

export async function balanceEntries(
  account: string,
  of: EntriesOf,
  cursor: string | null,
): Promise<GatewayPage<KnownEntry>> {
  await book(account);
  const wanted =
    "payoutRef" in of
      ? Prisma.sql`payout_ref = ${of.payoutRef} AND type <> 'payout'`
      : Prisma.sql`booked_at >= ${of.from}::timestamptz AND booked_at < coalesce(${of.before}::timestamptz, 'infinity')`;
  const [bookedAt = "-infinity", id = ""] = cursor?.split(" ") ?? [];
  const rows = await queryRows<EntryRow>(
    db,
    Prisma.sql`
    SELECT id AS ref, type, amount_cents::float8 AS "amountCents", fee_cents AS "feeCents", currency, source_ref AS "sourceRef",
           charge_ref AS "chargeRef", gateway_key AS "gatewayKey", created_at,
           to_char(booked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || id AS place
      FROM sandbox_entry
     WHERE account = ${account} AND ${wanted} AND (booked_at, id) > (${bookedAt}::timestamptz, ${id}::text)
     ORDER BY booked_at, id LIMIT ${pageRows}::int`,
  );
  const next = rows.length === pageRows ? (rows.at(-1)?.place ?? null) : null;
  return { rows: rows.map(({ created_at: createdAt, place: _, ...entry }) => ({ ...entry, createdAt })), next };
}

/** Pays out what is due, then lists the payouts. */
export async function payouts(
  account: string,
  { since, now }: { since: Date; now: Date },
  cursor: string | null,
): Promise<GatewayPage<KnownPayout>> {
  await book(account);
  if (cursor === null) await payOut(account, now);
  const rows = await queryRows<PayoutRow>(
    db,
    Prisma.sql`
    SELECT * FROM sandbox_payout
     WHERE account = ${account} AND created_at >= ${since}::timestamptz AND ref > ${cursor ?? ""} ORDER BY ref LIMIT ${pageRows}::int`,
  );
  const next = rows.length === pageRows ? (rows.at(-1)?.ref ?? null) : null;
  return { rows: rows.map((row) => payoutOf(row, now)), next };
}

const payOut = (account: string, now: Date): Promise<void> =>
  transaction(db, async (tx) => {
    await lockUntilCommit(tx, `sandbox payouts of ${account}`);
    const due = await queryRows<{ currency: string }>(
      tx,
      Prisma.sql`
      SELECT currency FROM sandbox_entry e
       WHERE account = ${account} AND payout_ref IS NULL AND created_at <= ${held(now)}::timestamptz
         AND NOT EXISTS (SELECT FROM sandbox_payout p WHERE p.account = e.account AND p.currency = e.currency
                            AND p.created_at > ${new Date(now.getTime() - dayMs)}::timestamptz)
       GROUP BY currency HAVING sum(amount_cents - fee_cents) > 0`,
    );
    for (const { currency } of due) await payOutIn(tx, account, now, currency);
  });

const held = (now: Date): Date => new Date(now.getTime() - holdDays * dayMs);

async function payOutIn(tx: Db, account: string, now: Date, currency: string): Promise<void> {
  const ref = newRef("po");
  await execute(
    tx,
    Prisma.sql`
    WITH paid AS (
      UPDATE sandbox_entry SET payout_ref = ${ref}
       WHERE account = ${account} AND currency = ${currency} AND payout_ref IS NULL AND created_at <= ${held(now)}::timestamptz
      RETURNING amount_cents - fee_cents AS cents
    ), payout AS (
      INSERT INTO sandbox_payout (ref, account, amount_cents, currency, created_at)
      SELECT ${ref}::text, ${account}::text, sum(cents), ${currency}::text, ${now}::timestamptz FROM paid
      RETURNING *
    )
    INSERT INTO sandbox_entry (id, account, type, source_ref, amount_cents, currency, payout_ref, created_at)
    SELECT 'sbx_txn_' || ref, account, 'payout', ref, -amount_cents, currency, ref, created_at FROM payout`,
  );
}

interface PayoutRow {
  ref: string;
  /** PostgreSQL's bigint, as text. */
  amount_cents: string;
  currency: string;
  created_at: Date;
}

function payoutOf({ ref, amount_cents, currency, created_at: createdAt }: PayoutRow, now: Date): KnownPayout {
  const arrivalDate = new Date(createdAt.getTime() + dayMs).toISOString().slice(0, 10);
  const status = arrivalDate <= now.toISOString().slice(0, 10) ? "paid" : "in_transit";
  const bankReference = status === "paid" ? `SANDBOX ${ref.slice(-10).toUpperCase()}` : null;
  return {
    ref,
    amountCents: Number(amount_cents),
    currency,
    status,
    arrivalDate,
    bankReference,
    entries: "ready",
    createdAt,
  };
}
