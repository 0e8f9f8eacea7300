import { isCurrency, minorUnitStep } from "@/lib/core/money";
import type { CardInput, ChargeResult, Gateway, PayRequest } from "@/lib/gateways/gateway";
import type { DeclineReason } from "@/lib/gateways/reasons";
import { balance, balanceEntries, payouts } from "./balance";
import { readCallback } from "./callbacks";
import { testCard } from "./cards";
import { cardAndFaults, chargeOfSaved, detachCard, saveCard } from "./cards-on-file";
import { cancelCharge, lookUpCharge, makeCharge, type NewCharge } from "./charges";
import { disputedSince, listDisputes } from "./disputes";
import { faultsOf, SandboxBusy, withFaults } from "./faults";
import { chargesSince, refundsSince } from "./listing";
import { delayReply, planPayment } from "./plan";
import { listRefunds, makeRefund } from "./refunds";

/**
 * The gateway of test mode. It keeps its own records, like a separate company, so that the ledger faces the same cases
 * as in live mode: idempotency keys, lost replies, challenges, late decisions, callbacks. No money moves.
 */
export function sandbox(account: string): Gateway {
  const call = async <T>(work: () => Promise<T>): Promise<T> => withFaults(await faultsOf(account), work);
  async function* listed<T>(rows: AsyncIterable<T>): AsyncIterable<T> {
    await call(async () => undefined);
    yield* rows;
  }
  return {
    name: "sandbox",
    accountId: null,
    mark: null,
    cardForm: { refuse },
    supportsAmount: (amountCents, currency) =>
      isCurrency(currency) &&
      Number.isInteger(amountCents) &&
      amountCents > 0 &&
      amountCents < 2 ** 31 &&
      amountCents % minorUnitStep(currency) === 0,

    pay: (request) => call(() => pay(account, request)).catch(declinedIfBusy),
    chargeSaved: async (request) => {
      const { card, faults } = await cardAndFaults(account, request.cardRef);
      return withFaults(faults, () => charge(account, chargeOfSaved(request, card))).catch(declinedIfBusy);
    },
    lookup: ({ gatewayKey }) => call(() => lookUpCharge(account, gatewayKey)),
    cancel: ({ gatewayKey }) => call(() => cancelCharge(account, gatewayKey)),
    saveCard: (request) => call(() => saveCard(account, request)).catch(declinedIfBusy),
    detachCard: (ref) => call(() => detachCard(account, ref)),
    lookupSave: async () => {
      throw new Error("The sandbox saves a card at once, or not at all.");
    },
    refund: (request) => call(() => makeRefund(account, request)),
    chargesSince: (from) => listed(chargesSince(account, from)),
    refundsSince: (from) => listed(refundsSince(account, from)),
    refundsOf: (chargeRef) => call(() => listRefunds(account, chargeRef)),
    disputesOf: (chargeRef) => call(() => listDisputes(account, chargeRef)),
    disputedSince: (since) => call(() => disputedSince(account, since)),
    balance: () => call(() => balance(account)),
    balanceEntries: (of, cursor) => call(() => balanceEntries(account, of, cursor)),
    payouts: (of, cursor) => call(() => payouts(account, of, cursor)),
    readCallback: (body, headers) => readCallback(account, body, headers),
  };
}

const declined = (reason: DeclineReason) =>
  ({ outcome: "declined", reason, code: null, ref: null, card: null, risk: null }) as const;

function declinedIfBusy(error: unknown) {
  if (error instanceof SandboxBusy) return declined("processing_error");
  throw error;
}

function refuse(card: CardInput) {
  const known = testCard(card.number);
  if (!known) return { field: "number" as const };
  const digits = known.brand === "amex" ? 4 : 3;
  if (card.cvc.length === digits) return null;
  return { field: "cvc" as const, digits };
}

async function pay(account: string, request: PayRequest): Promise<ChargeResult> {
  const card = request.card && testCard(request.card.number);
  // The number may be a real card: store nothing of it.
  if (!request.card || !card) return declined("incorrect_number");
  const { brand, last4, behaviour } = card;
  const { gatewayKey, amountCents, currency, merchant, about, returnPath } = request;
  const money = { gatewayKey, amountCents, currency, merchant, returnPath };
  const saved = request.saveCard ? await saveCard(account, request) : null;
  return charge(account, {
    ...money,
    about,
    card: { brand, last4, expMonth: request.card.expMonth, expYear: request.card.expYear },
    savedCard: saved?.outcome === "saved" ? saved.ref : null,
    behaviour,
    plan: planPayment(behaviour),
    offSession: false,
  });
}

async function charge(account: string, wanted: NewCharge): Promise<ChargeResult> {
  const result = await makeCharge(account, wanted);
  await delayReply(wanted.behaviour);
  return result;
}
