import { withClockOf } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import type { CallbackNotice, Gateway } from "@/lib/gateways/gateway";
import { recordBooked } from "./attempt";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { reconcileDisputes } from "./dispute";
import { findAttempt } from "./reconcile";
import { reconcileRefunds } from "./refund";
import { finishSetup } from "./save-card";
import { tookMoney } from "./took-money";

/**
 * Handles a verified callback: looks up the current state at the gateway and settles it. Because the callback's content
 * is not used, order and repetition do not matter. A callback can only affect payments of the account that signed it.
 * @throws when the gateway or the database is unreachable, so that the gateway sends the callback again
 */
export async function handleCallback(
  gateway: Gateway,
  { about, key }: CallbackNotice,
  businessId: number,
): Promise<void> {
  if (about === "card") return finishSetup(gateway, key, businessId);
  const payment = await db.payment.findUnique({ where: { gateway_key: key } });
  const belongs = payment?.gateway === gateway.name && payment.gateway_account_id === gateway.accountId;
  if (!payment || !belongs || payment.business_id !== businessId) return;
  await withClockOf(businessId, payment.livemode, () => refresh(payment.id, about));
}

/** A callback may be about a refund or a dispute and also the first to settle its payment. */
async function refresh(id: string, about: "payment" | "dispute"): Promise<void> {
  const took = await tookMoney(id);
  if (took && about === "dispute") await reconcileDisputes(id);
  // The balance's entries have the refunds of a mismatch.
  if (took === "succeeded" && about === "payment") await reconcileSettled(id);
}

export async function reconcileSettled(paymentId: string): Promise<void> {
  await reconcileRefunds({ paymentId });
  const { fee_cents } = await db.payment.findUniqueOrThrow({ where: { id: paymentId }, select: { fee_cents: true } });
  if (fee_cents === null) await fetchBooked(paymentId);
}

/** Gateways book a charge, and with it their fee, some time after it. */
async function fetchBooked(paymentId: string): Promise<void> {
  const attempt = await findAttempt(paymentId);
  if (!attempt) return;
  const known = await withDeadline(attempt.gateway.lookup(attempt.sent), lookupDeadlineMs);
  if (known.outcome === "succeeded" && known.booked) await recordBooked(paymentId, known.booked);
}
