import { db } from "@/lib/core/db";
import type { Gateway } from "@/lib/gateways/gateway";
import { gatewayOf } from "./gateways";
import { isMismatch } from "./mismatch";

export interface Charge {
  paymentId: string;
  ref: string;
  gateway: Gateway;
}

/** @throws Error when the payment took no money */
export async function findCharge(paymentId: string): Promise<Charge> {
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const tookMoney = payment.status === "succeeded" || isMismatch(payment);
  if (!tookMoney || payment.gateway_ref === null) throw new Error(`Payment ${paymentId} took no money.`);
  return { paymentId, ref: payment.gateway_ref, gateway: await gatewayOf(payment) };
}
