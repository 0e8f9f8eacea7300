import type { GatewayAccountKeys } from "@/lib/gateways/accounts";
import type { Gateway } from "@/lib/gateways/gateway";
import { toStripeAmount } from "./amounts";
import { balance, balanceEntries, payouts } from "./balance";
import { readCallback } from "./callbacks";
import { detachCard, lookupSave, saveCard } from "./cards";
import { stripeClient } from "./client";
import { disputedSince, disputesOf } from "./disputes";
import { keyRefusalOf, toLoggableError } from "./errors";
import { chargesSince, refundsSince } from "./listing";
import { cancel, chargeSaved, lookup, pay } from "./payments";
import { refund, refundsOf } from "./refunds";

/**
 * The Stripe driver of one account. Payers type cards at Stripe's page only. Every request that moves money uses the
 * attempt's key as its idempotency key, and every created object carries it as metadata.
 */
export function stripeGateway(account: GatewayAccountKeys): Gateway {
  const stripe = stripeClient(account.secretKey);
  return {
    name: "stripe",
    accountId: account.id,
    mark: account.mark,
    cardForm: null,
    supportsAmount: (amountCents, currency) => toStripeAmount(amountCents, currency) !== null,
    pay: (request) => withLoggableErrors(pay(stripe, account.id, request)),
    chargeSaved: (request) => withLoggableErrors(chargeSaved(stripe, account.id, request)),
    lookup: (attempt) => withLoggableErrors(lookup(stripe, attempt)),
    cancel: (attempt) => withLoggableErrors(cancel(stripe, attempt)),
    // The last request of `saveCard` is the only one that can save a card.
    saveCard: (request) => withLoggableErrors(saveCard(stripe, request), true),
    detachCard: (ref) => withLoggableErrors(detachCard(stripe, ref)),
    lookupSave: (ref) => withLoggableErrors(lookupSave(stripe, ref)),
    // Its other requests only read, before any refund is made.
    refund: (request) => withLoggableErrors(refund(stripe, request), true),
    refundsOf: (chargeRef) => withLoggableErrors(refundsOf(stripe, chargeRef)),
    disputesOf: (chargeRef) => withLoggableErrors(disputesOf(stripe, chargeRef)),
    disputedSince: (since) => withLoggableErrors(disputedSince(stripe, since)),
    chargesSince: (from) => listWithLoggableErrors(chargesSince(stripe, from)),
    refundsSince: (from) => listWithLoggableErrors(refundsSince(stripe, from)),
    balance: () => withLoggableErrors(balance(stripe)),
    balanceEntries: (of, cursor) => withLoggableErrors(balanceEntries(stripe, of, cursor)),
    payouts: ({ since }, cursor) => withLoggableErrors(payouts(stripe, since, cursor)),
    readCallback: (body, headers) => withLoggableErrors(readCallback(stripe, account.webhookSecret, body, headers)),
  };
}

/** Stripe's own errors must not reach callers: see `toLoggableError`. A refused key becomes a `KeyRefused`. */
async function withLoggableErrors<T>(answer: Promise<T>, refusedExecutedNothing = false): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw keyRefusalOf(error, refusedExecutedNothing) ?? toLoggableError(error);
  }
}

async function* listWithLoggableErrors<T>(listed: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* listed;
  } catch (error) {
    throw keyRefusalOf(error, false) ?? toLoggableError(error);
  }
}
