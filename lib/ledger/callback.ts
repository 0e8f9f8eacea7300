import { withClockOf } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import type { CallbackNotice, Gateway } from "@/lib/gateways/gateway";
import type { Payment } from "@/lib/generated/prisma/client";
import { openStatuses, recordFee } from "./attempt";
import { lookupDeadline, withDeadline } from "./deadline";
import { findAttempt, reconcilePayment } from "./reconcile";
import { reconcileRefunds } from "./refund";
import { finishSetup } from "./save-card";

/**
 * Acts on a callback whose signature was checked: asks the gateway what it is about and writes that down. So the order and
 * number of callbacks do not matter, and the account that signed one can only cause questions about its own payments.
 * @throws when the gateway or the database cannot be reached: the gateway is to send it again.
 */
export async function onCallback(gateway: Gateway, { about, key }: CallbackNotice, businessId: number): Promise<void> {
  if (about === "card") return finishSetup(gateway, key, businessId);
  const payment = await db.payment.findUnique({ where: { gateway_key: key } });
  const its = payment?.gateway === gateway.name && payment.gateway_account_id === gateway.accountId;
  if (!payment || !its || payment.business_id !== businessId) return;
  await withClockOf(businessId, payment.livemode, () => refresh(payment));
}

async function refresh({ id, status: before }: Payment): Promise<void> {
  if (openStatuses.some((open) => open === before)) await reconcilePayment(id);
  // As it is now: a callback about a refund may be what settles the payment, and the last that tells of it.
  const { status } = await db.payment.findUniqueOrThrow({ where: { id }, select: { status: true } });
  if (status === "succeeded") await refreshSettled(id);
}

/** What a gateway has to tell about a payment after it was settled: refunds, also returned ones, and its fee. */
export async function refreshSettled(paymentId: string): Promise<void> {
  await reconcileRefunds({ paymentId });
  const { fee_cents } = await db.payment.findUniqueOrThrow({ where: { id: paymentId }, select: { fee_cents: true } });
  if (fee_cents === null) await askFee(paymentId);
}

/** Gateways tell what they keep some time after the charge. */
async function askFee(paymentId: string): Promise<void> {
  const attempt = await findAttempt(paymentId);
  if (!attempt) return;
  const known = await withDeadline(attempt.gateway.lookup(attempt.sent), lookupDeadline);
  if (known.outcome === "succeeded" && known.fee) await recordFee(paymentId, known.fee);
}
