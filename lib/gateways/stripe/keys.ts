import type Stripe from "stripe";
import { log } from "@/lib/core/log";
import { isKeyUsed, plain } from "./errors";

/**
 * Uses up an idempotency key. An account has one set of keys for all addresses, so a key that has made a customer makes no
 * payment: Stripe refuses another request with it. The customer is an empty one, because that is accepted whatever
 * amount and currency the payment had, and can never become money; it is deleted at once.
 * @returns "taken" also when it was taken so before; "used" when another request has used the key
 */
export async function takeKey(stripe: Stripe, gatewayKey: string): Promise<"taken" | "used"> {
  let customer: string;
  try {
    const params = { description: "Paydesk: a payment that was given up", metadata: { paydesk_taken: gatewayKey } };
    ({ id: customer } = await stripe.customers.create(params, { idempotencyKey: gatewayKey }));
  } catch (error) {
    if (isKeyUsed(error)) return "used";
    throw error;
  }
  try {
    await stripe.customers.del(customer);
  } catch (error) {
    // It stays behind, empty; the key is taken all the same.
    log.info({ ref: customer, reason: plain(error).message }, "an empty customer at Stripe was not deleted");
  }
  return "taken";
}
