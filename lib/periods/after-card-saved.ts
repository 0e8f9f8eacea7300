import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { record } from "@/lib/outbox/record";
import { subscriptionEventsOf } from "./events";
import { pauseDisputed } from "./pause";
import { retryOldest } from "./steps";

interface CardOwner {
  business_id: number;
  livemode: boolean;
  email: string;
}

/**
 * Makes the payer's owed periods due now, to be charged to the new card, also after a hard decline (docs/billing.md). Pauses an
 * unpaid subscription instead while a payment of it is disputed. Runs in the transaction that activates the card.
 */
export async function afterCardSaved(tx: Db, { business_id, livemode, email }: CardOwner): Promise<void> {
  const owing = await queryRows<{ id: string; status: string }>(
    tx,
    Prisma.sql`
    SELECT id, status FROM subscription s
     WHERE business_id = ${business_id} AND livemode = ${livemode} AND lower(email COLLATE "C") = lower(${email}::text COLLATE "C") AND deleted_at IS NULL
       AND status IN ('created', 'active', 'past_due', 'unpaid')
       AND EXISTS (SELECT FROM payment_link l WHERE l.subscription_id = s.id AND l.status IN ('Active', 'Processing')
                      AND l.deleted_at IS NULL AND l.period_start <= ${clock.now()})
     ORDER BY id FOR NO KEY UPDATE OF s`,
  );
  const now = clock.now();
  const tenant = { businessId: business_id, livemode };
  for (const { id, status } of owing)
    if (status === "unpaid" && (await pauseDisputed(tx, id, now)))
      await record(tx, tenant, await subscriptionEventsOf(tx, tenant, id, ["subscription.paused"]));
    else await retryOldest(tx, id, now);
}
