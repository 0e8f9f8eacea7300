import { withClockOf } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import type { CallbackNotice, Gateway } from "@/lib/gateways/gateway";
import type { Payment } from "@/lib/generated/prisma/client";
import { openStatuses, recordBooked } from "./attempt";
import { closeFailedByHand } from "./by-hand";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { reconcileDisputes } from "./dispute";
import { findAttempt, reconcilePayment } from "./reconcile";
import { reconcileRefunds } from "./refund";
import { finishSetup } from "./save-card";

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
  await withClockOf(businessId, payment.livemode, () => refresh(payment, about));
}

async function refresh({ id, status: before }: Payment, about: "payment" | "dispute"): Promise<void> {
  if (openStatuses.some((open) => open === before)) await reconcilePayment(id);
  // Read the status again: this callback may be about a refund or a dispute and also the first to settle its payment.
  const select = { status: true, settled_by: true };
  const { status, settled_by } = await db.payment.findUniqueOrThrow({ where: { id }, select });
  if (status === "succeeded") await (about === "dispute" ? reconcileDisputes(id) : reconcileSettled(id));
  if (status === "failed" && settled_by !== null) await closeFailedByHand(id);
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
