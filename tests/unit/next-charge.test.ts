import { createTranslator } from "use-intl/core";
import { expect, it } from "vitest";
import { nextCharge } from "@/components/subscriptions/next-charge";
import { type PaymentLink, paymentLinkExample } from "@/lib/resources/payment-links/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import en from "@/messages/en";
import type { TextsOf } from "@/messages/texts-of";

const t = createTranslator({
  locale: "en-GB",
  messages: en,
  namespace: "subscriptions.nextCharge",
}) as unknown as TextsOf<"subscriptions.nextCharge">;
const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040, tokenization_id: "tkn_1" };

/** Of a subscription that owes a period whose charge has failed once, and has no next one. */
function headline(over: Partial<PaymentLink>, chargeable: typeof card | null, declined: typeof card | null = null) {
  const open: PaymentLink = { ...paymentLinkExample, attempt_count: 1, next_attempt_at: null, ...over };
  const subscription = { status: "past_due", payment_links: [open], next_charge_at: null } as unknown as Subscription;
  const facts = { subscription, open, card: chargeable, declined, now: new Date(), cardWords: () => "the card" };
  return nextCharge(t, facts).headline;
}

it("a card counts as declined for good only if it is", () => {
  const waits = "Waiting for the payer";
  expect(headline({}, null, card)).toBe(`${waits}: the bank permanently declined the saved card.`);
  expect(headline({}, null)).toBe(`${waits}: no saved card.`);
  expect(headline({}, card)).toBe(`${waits}.`);
});

it("a period whose transfer is awaited waits for that, with and without a card", () => {
  const awaited = { awaiting_transfer_since: "2026-11-30T09:00:00.000000Z" };
  for (const saved of [card, null]) expect(headline(awaited, saved)).toBe("Waiting for a bank transfer.");
});
