import type Stripe from "stripe";
import { log } from "@/lib/core/log";
import { isKeyUsed, isStoredFailure, toLoggableError } from "./errors";

/** Stripe forgets an idempotency key after 24 hours. We stop relying on it well before. */
export const keyLifeMs = 20 * 3_600_000;

/**
 * Uses up an idempotency key by creating an empty customer with it, which is then deleted. Keys are shared by all URLs
 * of an account, so Stripe refuses a later payment with this key. An empty customer works for any amount and currency.
 * @returns "taken", also on repetition; "used" when another request has used the key, or when Stripe failed and has stored the failure
 *   under the key
 */
export async function takeKey(stripe: Stripe, gatewayKey: string): Promise<"taken" | "used"> {
  let customer: string;
  try {
    const params = { description: "Paydesk: a cancelled payment", metadata: { paydesk_taken: gatewayKey } };
    ({ id: customer } = await stripe.customers.create(params, { idempotencyKey: gatewayKey }));
  } catch (error) {
    if (isKeyUsed(error) || isStoredFailure(error)) return "used";
    throw error;
  }
  try {
    await stripe.customers.del(customer);
  } catch (error) {
    // Harmless: an empty customer remains, and the key is used up.
    log.info({ ref: customer, reason: toLoggableError(error).message }, "an empty customer at Stripe was not deleted");
  }
  return "taken";
}
