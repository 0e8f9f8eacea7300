import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { tryOldest } from "./after-settlement";

interface Saver {
  business_id: number;
  livemode: boolean;
  email: string;
}

/**
 * A payer has saved a card: what the payer's subscriptions owe in vain is charged to it at once, also after a hard decline of
 * the card before (docs/billing.md). In the transaction that makes the card usable.
 */
export async function afterCardSaved(tx: Db, { business_id, livemode, email }: Saver): Promise<void> {
  const owing = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    SELECT id FROM subscription s
     WHERE business_id = ${business_id} AND livemode = ${livemode} AND lower(email COLLATE "C") = lower(${email}::text COLLATE "C") AND deleted_at IS NULL
       AND status IN ('created', 'active', 'past_due', 'unpaid')
       AND EXISTS (SELECT FROM payment_link l WHERE l.subscription_id = s.id AND l.status = 'Active'
                      AND l.deleted_at IS NULL AND l.period_start <= ${clock.now()})
     ORDER BY id FOR NO KEY UPDATE OF s`,
  );
  for (const { id } of owing) await tryOldest(tx, id, clock.now());
}
