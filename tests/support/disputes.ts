import { db } from "@/lib/core/db";
import { noteOf, signCallback } from "@/lib/gateways/sandbox/callbacks";
import { baseUrl } from "./http";

/** Disputes a payment at the sandbox, without a callback. */
export async function disputeInSandbox(
  payment: { gateway_ref: string | null },
  at: Date,
  outcome = "won",
): Promise<void> {
  const charge = String(payment.gateway_ref);
  const tomorrow = new Date(at.getTime() + 86_400_000);
  await db.sandboxDispute.create({
    data: {
      ...{
        ref: `sbx_dp_${charge}`,
        charge_ref: charge,
        amount_cents: 1050,
        fee_cents: 1500,
        reason: "general",
        outcome,
      },
      ...{ opened_at: at, withdrawn_at: at, respond_by: tomorrow, decided_at: tomorrow },
    },
  });
}

/** Sends the sandbox's callback about the disputes of a payment: the server looks them up. */
export async function sendDisputeCallback(payment: { business_id: number; gateway_key: string }): Promise<void> {
  const { body } = noteOf("dispute", payment.gateway_key, "decided", new Date());
  const account = String(payment.business_id);
  const address = `${baseUrl()}/api/gateways/sandbox/webhook?account=${account}`;
  const { status } = await fetch(address, { method: "POST", headers: signCallback(account, body), body });
  if (status !== 200) throw new Error(`The callback got ${status}.`);
}
