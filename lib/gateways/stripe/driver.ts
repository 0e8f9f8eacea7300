import type { GatewayAccountKeys } from "@/lib/gateways/accounts";
import type { Gateway } from "@/lib/gateways/gateway";
import { toStripeAmount } from "./amounts";
import { readCallback } from "./callbacks";
import { lookupSave, saveCard } from "./cards";
import { stripeClient } from "./client";
import { plain } from "./errors";
import { cancel, chargeSaved, lookup, pay } from "./payments";
import { refund, refundsOf } from "./refunds";

/**
 * Stripe, on behalf of one account. Cards are typed at Stripe's own page and never reach us. Every request that moves
 * something carries the attempt's key as its idempotency key, and everything that is made carries it as metadata.
 */
export function stripeGateway(account: GatewayAccountKeys): Gateway {
  const stripe = stripeClient(account.secretKey);
  return {
    name: "stripe",
    accountId: account.id,
    cardForm: null,
    takes: (amountCents, currency) => toStripeAmount(amountCents, currency) !== null,
    pay: (request) => told(pay(stripe, request)),
    chargeSaved: (request) => told(chargeSaved(stripe, request)),
    lookup: (attempt) => told(lookup(stripe, attempt)),
    cancel: (attempt) => told(cancel(stripe, attempt)),
    saveCard: (request) => told(saveCard(stripe, request)),
    lookupSave: (ref) => told(lookupSave(stripe, ref)),
    refund: (request) => told(refund(stripe, request)),
    refundsOf: (chargeRef) => told(refundsOf(stripe, chargeRef)),
    readCallback: (body, headers) => told(readCallback(stripe, account.webhookSecret, body, headers)),
  };
}

/** Stripe's own errors go no further. */
async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw plain(error);
  }
}
