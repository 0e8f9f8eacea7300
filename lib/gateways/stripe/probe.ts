import { stripeClient } from "./client";
import { keyRefusalOf, refusalOf, toLoggableError } from "./errors";

/**
 * Asks Stripe whether a refused key works by now. Changes nothing there.
 * @param wholeKey whether any use of the key counts; else it must be allowed to charge saved cards
 * @throws KeyRefused when it does not; Error when Stripe does not answer
 */
export async function probeKey(secretKey: string, wholeKey: boolean): Promise<void> {
  const stripe = stripeClient(secretKey);
  try {
    // Stripe checks the permission before it misses the intent.
    if (wholeKey) await stripe.accounts.retrieveCurrent();
    else await stripe.paymentIntents.cancel("pi_paydesk_probe");
  } catch (error) {
    const refused = keyRefusalOf(error, true);
    // A key that may not read its account is valid again.
    if (wholeKey ? refused?.wholeKey === false : refusalOf(error)) return;
    throw refused ?? toLoggableError(error);
  }
}
