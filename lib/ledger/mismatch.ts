import { type Db, execute, Prisma } from "@/lib/core/db";

/** A mismatch: staff recorded the payment as failed, but the gateway took the money. */
export const isMismatch = ({ status, mismatch_at }: { status: string; mismatch_at: Date | null }): boolean =>
  status === "failed" && mismatch_at !== null;

/**
 * Reverses a mismatch's postings, because they have the same money as its postings as a paid payment. Runs in the transaction that
 * counts it as one, after it is settled. The next import records its balance entries again, and imports its refunds.
 */
export async function unpostMismatch(tx: Db, paymentId: string): Promise<void> {
  await execute(
    tx,
    Prisma.sql`
    WITH entry AS (
      UPDATE balance_entry e SET recorded = false
       WHERE payment_id = ${paymentId} AND recorded
         AND EXISTS (SELECT FROM posting j WHERE j.balance_entry_id = e.id AND j.kind = 'mismatch')
      RETURNING id, type
    )
    INSERT INTO posting (business_id, livemode, kind, balance_entry_id, debit, credit, amount_cents, currency, created_at)
    SELECT j.business_id, j.livemode, j.kind || '_counted', j.balance_entry_id, j.credit, j.debit, j.amount_cents, j.currency,
           business_time(j.business_id, j.livemode)
      FROM posting j JOIN entry ON entry.id = j.balance_entry_id
     WHERE j.kind = 'mismatch' OR (j.kind = 'gateway_fee' AND entry.type = 'charge')`,
  );
}
