import type Stripe from "stripe";
import { describe, expect, it, vi } from "vitest";
import { log } from "@/lib/core/log";
import { type DeclineReason, declineReasons, refundFailures } from "@/lib/gateways/reasons";
import { readIntent } from "@/lib/gateways/stripe/intents";
import { declineReason, refundFailure } from "@/lib/gateways/stripe/reasons";

describe("a refusal by Stripe", () => {
  it.each<[string, string | undefined, DeclineReason]>([
    ["card_declined", "generic_decline", "card_declined"],
    ["card_declined", "insufficient_funds", "insufficient_funds"],
    ["card_declined", "withdrawal_count_limit_exceeded", "limit_exceeded"],
    ["card_declined", "issuer_not_available", "processing_error"],
    ["card_declined", "lost_card", "card_blocked"],
    ["card_declined", "stolen_card", "card_blocked"],
    ["card_declined", "fraudulent", "card_blocked"],
    ["card_declined", "card_not_supported", "card_not_supported"],
    ["expired_card", "expired_card", "expired_card"],
    ["incorrect_cvc", "incorrect_cvc", "incorrect_cvc"],
    ["incorrect_number", undefined, "incorrect_number"],
    ["authentication_required", "authentication_required", "authentication_required"],
    ["payment_intent_authentication_failure", "", "authentication_failed"],
    ["card_declined", "a_code_of_next_year", "card_declined"],
    ["a_code_of_next_year", undefined, "card_declined"],
  ])("with the codes %s and %s is %s", (code, decline_code, reason) => {
    expect(declineReason({ code, decline_code })).toBe(reason);
  });

  it("is hard when Stripe advises against another attempt", () => {
    const advice_code = "do_not_try_again";
    expect(declineReason({ code: "card_declined", decline_code: "do_not_honor", advice_code })).toBe("card_blocked");
    expect(declineReason({ code: "expired_card", advice_code })).toBe("expired_card");
    expect(declineReasons.card_blocked.hard).toBe(true);
  });

  it.each([
    ["lost_or_stolen_card", "card_gone"],
    ["insufficient_funds", "insufficient_balance"],
    ["charge_already_refunded", "already_refunded"],
    ["a_code_of_next_year", "processing_error"],
    [undefined, "processing_error"],
  ])("of a refund with the code %s is %s", (code, failure) => {
    expect(refundFailure(code)).toBe(failure);
    expect(Object.keys(refundFailures)).toContain(failure);
  });
});

describe("a payment intent that succeeded", () => {
  const expected = { gatewayKey: "pay_1", amountCents: 1050, currency: "EUR" };
  const intent = (over: object, booked: object | null = { amount: 3456, fee: 1234, currency: "kwd" }) =>
    ({
      id: "pi_1",
      status: "succeeded",
      amount: 1050,
      amount_received: 1050,
      currency: "eur",
      latest_charge: {
        payment_method_details: { card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040 } },
        balance_transaction: booked,
        outcome: { risk_level: "elevated" },
      },
      ...over,
    }) as Stripe.PaymentIntent;

  it("has what was booked in the account's currency, or nothing until it is booked", () => {
    const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2040 };
    const result = { outcome: "succeeded", ref: "pi_1", card, saved: null, risk: "elevated" };
    const booked = { grossCents: 346, feeCents: 123, currency: "KWD" };
    expect(readIntent(intent({}), expected, "abandoned")).toEqual({ ...result, booked });
    expect(readIntent(intent({}, null), expected, "abandoned")).toEqual({ ...result, booked: null });
  });

  it.each([{ outcome: { risk_level: "not_assessed" } }, { outcome: { risk_level: "unknown" } }, { outcome: null }, {}])(
    "has no risk that Stripe did not assess: %j",
    (latest_charge) => {
      expect(readIntent(intent({ latest_charge }), expected, "abandoned")).toMatchObject({ risk: null });
    },
  );

  it.each([{ amount_received: 1000 }, { amount: 2000 }, { currency: "usd" }])("is refused with %j", (over) => {
    const loud = vi.spyOn(log, "error").mockImplementation(() => undefined);
    expect(() => readIntent(intent(over), expected, "abandoned")).toThrow("not what was requested");
    expect(loud).toHaveBeenCalledOnce();
    loud.mockRestore();
  });
});
