import type Stripe from "stripe";
import type { Incoming } from "@/lib/core/incoming";
import { type CallbackNotice, ForgedCallback } from "@/lib/gateways/gateway";

/** Stripe's events that our endpoint subscribes to: everything that can change a payment, refund, dispute or saved card. */
export const eventTypes = [
  "checkout.session.async_payment_failed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.completed",
  "checkout.session.expired",
  "payment_intent.canceled",
  "payment_intent.payment_failed",
  "payment_intent.processing",
  "payment_intent.succeeded",
  "charge.dispute.closed",
  "charge.dispute.created",
  "charge.dispute.funds_reinstated",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.updated",
  "charge.refunded",
  "charge.updated",
  "refund.created",
  "refund.failed",
  "refund.updated",
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/**
 * Verifies a callback and reads our key from the object's metadata.
 * @param webhookSecret of the account's endpoint; null rejects every callback
 * @throws ForgedCallback
 */
export async function readCallback(
  stripe: Stripe,
  webhookSecret: string | null,
  body: string,
  headers: Incoming["headers"],
): Promise<CallbackNotice | null> {
  const { object } = verified(stripe, webhookSecret, body, headers).data;
  if (!("object" in object)) return null;
  switch (object.object) {
    case "checkout.session":
      return object.mode === "setup"
        ? notice("card", object.metadata?.paydesk_card)
        : notice("payment", object.metadata?.paydesk_payment);
    case "payment_intent":
    case "charge":
      return notice("payment", object.metadata.paydesk_payment);
    case "refund":
      return notice("payment", object.metadata?.paydesk_payment || (await paymentOf(stripe, object)));
    case "dispute":
      return notice("dispute", await paymentOf(stripe, object));
    default:
      return null;
  }
}

function verified(
  stripe: Stripe,
  webhookSecret: string | null,
  body: string,
  headers: Incoming["headers"],
): Stripe.Event {
  const signature = headers.get("stripe-signature");
  if (!webhookSecret || !signature) throw new ForgedCallback("A callback without a signature that could be checked.");
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret);
  } catch {
    throw new ForgedCallback("A callback that Stripe did not sign, or not now.");
  }
}

/** A dispute, and a refund made in Stripe's dashboard, lacks our metadata, but its payment intent has it. */
async function paymentOf(
  stripe: Stripe,
  { payment_intent: intent }: Stripe.Refund | Stripe.Dispute,
): Promise<string | undefined> {
  if (!intent) return undefined;
  const { metadata } = typeof intent === "string" ? await stripe.paymentIntents.retrieve(intent) : intent;
  return metadata.paydesk_payment;
}

function notice(about: CallbackNotice["about"], key: string | undefined): CallbackNotice | null {
  return key ? { about, key } : null;
}
