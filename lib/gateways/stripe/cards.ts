import type Stripe from "stripe";
import { env } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { NoAnswer, type SaveCardRequest, type SaveCardResult } from "@/lib/gateways/gateway";
import { isReplay, loggableFields, notExecutedOf, refusalOf } from "./errors";
import { faceOf, parseCardRef } from "./intents";
import { declineReason, refusalReason } from "./reasons";
import { sessionSeconds } from "./sessions";

const expand = ["setup_intent.payment_method"];

/** Opens a page at Stripe where the payer types the card, saved for a new Stripe customer. Nothing is charged. */
export async function saveCard(stripe: Stripe, request: SaveCardRequest): Promise<SaveCardResult> {
  const { gatewayKey, email } = request;
  const back = env().APP_URL + request.returnPath;
  const metadata = { paydesk_card: gatewayKey };
  try {
    // An idempotency key works for one URL only, so the customer gets its own.
    const customer = await stripe.customers.create({ email, metadata }, { idempotencyKey: `${gatewayKey}/customer` });
    const session = await stripe.checkout.sessions.create(
      {
        mode: "setup",
        allowed_payment_method_types: ["card"],
        customer: customer.id,
        client_reference_id: gatewayKey,
        metadata,
        setup_intent_data: { metadata },
        success_url: back,
        cancel_url: back,
        expires_at: Math.floor(request.startedAt.getTime() / 1000) + sessionSeconds,
      },
      { idempotencyKey: gatewayKey },
    );
    const { id: ref, url } = session;
    return url && !isReplay(session) ? { outcome: "action", ref, url } : await lookupSave(stripe, ref);
  } catch (error) {
    if (notExecutedOf(error)) return { outcome: "declined", reason: "processing_error" };
    const refused = refusalOf(error);
    if (!refused) throw error;
    log.warn(
      { tokenization: gatewayKey, ...loggableFields(refused) },
      "Stripe refused to open a page for saving a card",
    );
    return { outcome: "declined", reason: refusalReason(refused) };
  }
}

export async function detachCard(stripe: Stripe, ref: string): Promise<void> {
  const { method } = parseCardRef(ref);
  try {
    await stripe.paymentMethods.detach(method);
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused) throw error;
    if (refused.code === "resource_missing") return;
    // Stripe has no code for a card that is detached already.
    const { customer } = await stripe.paymentMethods.retrieve(method);
    if (customer !== null) throw error;
  }
}

export async function lookupSave(stripe: Stripe, ref: string): Promise<SaveCardResult> {
  const session = await stripe.checkout.sessions.retrieve(ref, { expand });
  const { status, url, setup_intent: setup } = session;
  if (typeof setup === "string") throw new Error("A session is read with its setup intent.");
  if (status === "open" && url) return { outcome: "action", ref, url };
  if (status === "expired") {
    const error = setup?.last_setup_error;
    return { outcome: "declined", reason: error ? declineReason(error) : "abandoned" };
  }
  const method = setup?.status === "succeeded" ? setup.payment_method : null;
  const customer = typeof session.customer === "string" ? session.customer : session.customer?.id;
  if (!method || typeof method === "string" || !customer)
    throw new NoAnswer(`The session ${ref} has saved no card yet.`);
  const face = faceOf(method.card);
  if (!face || !method.card) throw new Error(`The session ${ref} has saved a payment method that is not a card.`);
  const { exp_month: expMonth, exp_year: expYear } = method.card;
  return { outcome: "saved", ref: `${customer}/${method.id}`, card: { ...face, expMonth, expYear } };
}
