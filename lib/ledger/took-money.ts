import { db } from "@/lib/core/db";
import { openStatuses } from "./attempt";
import { closeFailedByHand } from "./by-hand";
import { isMismatch } from "./mismatch";
import { reconcilePayment } from "./reconcile";

/**
 * Whether a payment took money: it succeeded, or is a mismatch. A payment that is open or was recorded as failed by hand is looked
 * up at the gateway first.
 * @throws when the gateway or the database is unreachable
 */
export async function tookMoney(paymentId: string): Promise<"succeeded" | "mismatch" | null> {
  const select = { status: true, settled_by: true, mismatch_at: true } as const;
  const find = () => db.payment.findUniqueOrThrow({ where: { id: paymentId }, select });
  let payment = await find();
  if (openStatuses.some((open) => open === payment.status)) {
    await reconcilePayment(paymentId);
    payment = await find();
  }
  if (payment.status === "failed" && payment.settled_by !== null && payment.mismatch_at === null) {
    await closeFailedByHand(paymentId);
    payment = await find();
  }
  if (payment.status === "succeeded") return "succeeded";
  return isMismatch(payment) ? "mismatch" : null;
}
