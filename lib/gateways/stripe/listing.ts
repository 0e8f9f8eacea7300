import type Stripe from "stripe";
import type { KnownCharge } from "@/lib/gateways/gateway";
import { fromStripeAmount } from "./amounts";

const created = (from: Date) => ({ gte: Math.floor(from.getTime() / 1000) });

/** Intents in these states have taken the money, or may take it without another request from Paydesk. */
const moving = new Set(["succeeded", "processing", "requires_action", "requires_capture", "requires_confirmation"]);

/** Lists open pages first: one that is paid meanwhile has its intent by the time that intents are listed. */
export async function* chargesSince(stripe: Stripe, from: Date): AsyncIterable<KnownCharge> {
  for await (const session of stripe.checkout.sessions.list({ created: created(from), status: "open", limit: 100 })) {
    const { amount_total: amount, currency } = session;
    if (session.mode !== "payment" || amount === null || currency === null) continue;
    const charge = known({ ...session, amount, currency }, "open");
    if (charge) yield charge;
  }
  for await (const intent of stripe.paymentIntents.list({ created: created(from), limit: 100 })) {
    const charge = moving.has(intent.status) && known(intent, intent.status === "succeeded" ? "succeeded" : "open");
    if (charge) yield charge;
  }
}

/** Includes refunds made in Stripe's dashboard: only their payment intent has our metadata. */
export async function* refundsSince(stripe: Stripe, from: Date): AsyncIterable<{ ref: string; chargeKey: string }> {
  const listed = { created: created(from), limit: 100, expand: ["data.payment_intent"] };
  for await (const { id: ref, payment_intent: intent } of stripe.refunds.list(listed)) {
    const chargeKey = intent && typeof intent === "object" ? intent.metadata.paydesk_payment : undefined;
    if (chargeKey) yield { ref, chargeKey };
  }
}

interface Listed {
  id: string;
  amount: number;
  currency: string;
  created: number;
  metadata: Stripe.Metadata | null;
}

/** Null for an object that Paydesk did not create. */
function known(listed: Listed, status: KnownCharge["status"]): KnownCharge | null {
  const { id: ref, amount, currency, metadata } = listed;
  if (!metadata?.paydesk_payment) return null;
  return {
    gatewayKey: metadata.paydesk_payment,
    ref,
    accountId: metadata.paydesk_account || null,
    linkId: metadata.paydesk_link || null,
    subscriptionId: metadata.paydesk_subscription || null,
    periodIndex: /^\d{1,9}$/.test(metadata.paydesk_period ?? "") ? Number(metadata.paydesk_period) : null,
    amountCents: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
    status,
    createdAt: new Date(listed.created * 1000),
  };
}
