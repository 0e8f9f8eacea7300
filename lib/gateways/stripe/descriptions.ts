import type { ChargeSavedRequest, PayRequest } from "@/lib/gateways/gateway";

type Described = Pick<PayRequest | ChargeSavedRequest, "gatewayKey" | "merchant" | "title" | "about">;

/** A complete descriptor has 22 characters: the account's prefix (up to 10), `* `, and this. */
const maxSuffix = 10;

/** What Stripe shows and stores with a payment's session and intent. */
export function describePayment({ gatewayKey, merchant, title, about }: Described, accountId: string) {
  const suffix = statementSuffix(merchant);
  return {
    description: about.reference ? `${title} (${about.reference})` : title,
    metadata: {
      paydesk_payment: gatewayKey,
      paydesk_account: accountId,
      paydesk_link: about.linkId,
      ...(about.subscriptionId && { paydesk_subscription: about.subscriptionId }),
      ...(about.periodIndex !== null && { paydesk_period: about.periodIndex }),
    },
    ...(suffix && { statement_descriptor_suffix: suffix }),
  };
}

/**
 * The merchant's name as the card's statement may show it: plain Latin characters without < > \\ ' " *, at least one
 * letter.
 * @returns null when nothing of the name remains: Stripe refuses a charge with another suffix
 */
export function statementSuffix(merchant: string): string | null {
  const plain = merchant.normalize("NFKD").replace(/[^\x20-\x7e]|[<>\\'"*]/g, "");
  const suffix = plain.replace(/\s+/g, " ").trim().slice(0, maxSuffix).trim();
  return /[A-Za-z]/.test(suffix) ? suffix : null;
}
