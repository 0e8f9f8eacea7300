import { stripeClient } from "./client";
import { keyRefusalOf, refusalOf, toLoggableError } from "./errors";

/**
 * Asks Stripe whether a refused key works by now. Changes nothing there.
 * @param wholeKey whether any use of the key counts; else it must be allowed to charge saved cards
 * @param wholeKey true: any accepted request counts; false: the key must be allowed to charge saved cards
 * @throws KeyRefused when Stripe still refuses the key; Error when Stripe does not answer
 */
export async function probeKey(secretKey: string, wholeKey: boolean): Promise<void> {
  const stripe = stripeClient(secretKey);
  try {
    // Stripe checks the permission before it looks for the intent, which does not exist.
    if (wholeKey) await stripe.accounts.retrieveCurrent();
    else await stripe.paymentIntents.cancel("pi_paydesk_probe");
  } catch (error) {
    const refused = keyRefusalOf(error, true);
    // If the key only lacks the permission to read the account, it is valid again.
    if (wholeKey ? refused?.wholeKey === false : refusalOf(error)) return;
    throw refused ?? toLoggableError(error);
  }
}
