import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { periodStart } from "./calendar";
import type { SubscriptionEvent } from "./events";
import type { Period } from "./lock";
import { pauseDisputed, skipPeriods } from "./pause";
import { restartDunning } from "./steps";

/**
 * Makes the subscription active once it has no failed open period left. A payment makes an unpaid one active at once, and its
 * other open periods are then charged as new ones. An unpaid one with an undecided dispute is paused instead.
 */
export async function recover(tx: Db, period: Period, now: Date, paid: boolean): Promise<SubscriptionEvent[]> {
  const { subscription_id, status } = period;
  if (period.deleted || (status !== "created" && status !== "past_due" && status !== "unpaid")) return [];
  if (status === "unpaid" && paid) await restartDunning(tx, subscription_id);
  else if (status !== "created" && (await hasFailed(tx, subscription_id))) return [];
  if (status === "unpaid" && (await pauseDisputed(tx, subscription_id, now)))
    return ["subscription.recovered", "subscription.paused"];
  // While unpaid, no periods were opened. They are skipped, not billed later.
  const set =
    status === "unpaid"
      ? skipPeriods(period, now)
      : Prisma.sql`next_charge_at = ${periodStart(period, period.next_period)}`;
  await queryRows(tx, Prisma.sql`UPDATE subscription SET status = 'active', ${set} WHERE id = ${subscription_id}`);
  return ["subscription.recovered"];
}

async function hasFailed(tx: Db, subscriptionId: string): Promise<boolean> {
  const [open] = await queryRows<{ failed: boolean }>(
    tx,
    Prisma.sql`
    SELECT EXISTS (SELECT FROM payment_link WHERE subscription_id = ${subscriptionId} AND failed_at IS NOT NULL
                      AND status IN ('Active', 'Processing') AND deleted_at IS NULL) AS failed`,
  );
  return open?.failed ?? false;
}
