import { randomBytes } from "node:crypto";
import { db } from "../../db";
import type { SandboxCharge } from "../../generated/prisma/client";
import type { ChargeResult, DeclineReason, FinalResult, Gateway, LookupResult } from "../gateway";
import { isDeclineReason } from "../gateway";
import { testCard } from "./cards";

/**
 * The gateway of test mode. It keeps its own books as another company would, so that the ledger meets the same
 * questions as in live mode: idempotent keys, lost replies, challenges, look-ups. No money moves.
 */
export const sandbox: Gateway = {
  name: "sandbox",

  refuse: (card) => {
    const known = testCard(card.number);
    if (!known) return { field: "number", message: "Test mode takes test cards only. Choose one from the list." };
    const digits = known.brand === "amex" ? 4 : 3;
    if (card.cvc.length !== digits) {
      return { field: "cvc", message: `The security code of this card has ${digits} digits.` };
    }
    return null;
  },

  charge: async (request) => {
    const card = testCard(request.card.number);
    // Whatever a stranger's number is, nothing of it is kept.
    if (!card) return { outcome: "declined", reason: "incorrect_number", ref: null, card: null };
    const decline = isDeclineReason(card.behaviour) ? card.behaviour : null;
    await db.sandboxCharge.createMany({
      data: {
        gateway_key: request.gatewayKey,
        ref: newRef("ch"),
        amount_cents: request.amountCents,
        currency: request.currency,
        merchant: request.merchant,
        return_path: request.returnPath,
        status: decline ? "failed" : card.behaviour === "challenge" ? "requires_action" : "succeeded",
        reason: decline,
        card_brand: card.brand,
        card_last4: card.last4,
      },
      skipDuplicates: true, // the key was sent before: its first outcome stands
    });
    if (card.behaviour === "lost_reply") throw new Error("The sandbox lost its reply, as this test card asks.");
    const charge = await db.sandboxCharge.findUniqueOrThrow({ where: { gateway_key: request.gatewayKey } });
    // A cancelled key has no card; otherwise the same key with another amount is a mistake of the caller.
    if (
      charge.card_brand &&
      (charge.amount_cents !== request.amountCents || charge.currency.trim() !== request.currency)
    ) {
      throw new Error("This gateway key was used for another amount.");
    }
    return read(charge);
  },

  lookup: async (gatewayKey): Promise<LookupResult> => {
    const charge = await db.sandboxCharge.findUnique({ where: { gateway_key: gatewayKey } });
    return charge ? read(charge) : { outcome: "absent" };
  },

  cancel: async (gatewayKey): Promise<FinalResult> => {
    // A key that was never seen is taken here and now, so that a charge still under way finds it spent.
    await db.sandboxCharge.createMany({
      data: {
        gateway_key: gatewayKey,
        ref: newRef("ch"),
        amount_cents: 0,
        currency: "XXX",
        merchant: "",
        return_path: "/",
        status: "failed",
        reason: "processing_error",
      },
      skipDuplicates: true,
    });
    await db.sandboxCharge.updateMany({
      where: { gateway_key: gatewayKey, status: "requires_action" },
      data: { status: "failed", reason: "authentication_failed" satisfies DeclineReason },
    });
    const result = read(await db.sandboxCharge.findUniqueOrThrow({ where: { gateway_key: gatewayKey } }));
    if (result.outcome === "challenge") throw new Error("The sandbox could not cancel the charge.");
    return result;
  },

  saveCard: async (request) => {
    const card = testCard(request.card.number);
    if (!card) return { outcome: "declined", reason: "incorrect_number" };
    // An empty account can still have its card kept on file; it is refused when it is charged.
    if (isDeclineReason(card.behaviour) && card.behaviour !== "insufficient_funds") {
      return { outcome: "declined", reason: card.behaviour };
    }
    await db.sandboxCard.createMany({
      data: {
        gateway_key: request.gatewayKey,
        ref: newRef("card"),
        behaviour: card.behaviour,
        brand: card.brand,
        last4: card.last4,
        exp_month: request.card.expMonth,
        exp_year: request.card.expYear,
      },
      skipDuplicates: true,
    });
    const saved = await db.sandboxCard.findUniqueOrThrow({ where: { gateway_key: request.gatewayKey } });
    const { ref, brand, last4, exp_month: expMonth, exp_year: expYear } = saved;
    return { outcome: "saved", ref, card: { brand, last4, expMonth, expYear } };
  },
};

/** A reference of the sandbox's own: 160 random bits, because a challenge's page is reached by it alone. */
function newRef(kind: "ch" | "card"): string {
  return `sbx_${kind}_${randomBytes(20).toString("hex")}`;
}

function read(charge: SandboxCharge): ChargeResult {
  const { ref } = charge;
  const card = charge.card_brand && charge.card_last4 ? { brand: charge.card_brand, last4: charge.card_last4 } : null;
  if (charge.status === "failed") {
    const reason = isDeclineReason(charge.reason) ? charge.reason : "processing_error";
    return { outcome: "declined", reason, ref, card };
  }
  if (!card) throw new Error("A sandbox charge without a card cannot have moved money.");
  if (charge.status === "succeeded") return { outcome: "succeeded", ref, card };
  return { outcome: "challenge", ref, url: `/sandbox/3ds/${ref}`, card };
}
