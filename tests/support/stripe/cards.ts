import type { Disputing } from "./disputes";

/** A bank's decline: Stripe's error code and decline code. */
export type Decline = { code: string; decline_code: string; message: string };

/**
 * A test card's behaviour. `decline` applies immediately, `chargeDecline` only to charges of the saved card. `asks`
 * says when the bank requires 3-D Secure; with `waits` it waits for the payer off-session, too. `refund` is the
 * outcome of refunds. `dispute` follows each charge at once. `risk` is Radar's level; a charge with the highest is
 * blocked.
 */
export type TestCard = {
  number: string;
  brand: string;
  decline?: Decline;
  chargeDecline?: Decline;
  asks?: "always" | "once";
  waits?: true;
  refund?: "pending" | "fails";
  dispute?: Disputing;
  risk?: "elevated" | "highest";
};

const declined = (code: string, decline_code: string, message: string): Decline => ({ code, decline_code, message });
const visa = (number: string, over: Partial<TestCard> = {}): TestCard => ({ number, brand: "visa", ...over });

const generic = declined("card_declined", "generic_decline", "Your card was declined.");

const cards: readonly TestCard[] = [
  visa("4242424242424242"),
  { number: "5555555555554444", brand: "mastercard" },
  { number: "378282246310005", brand: "amex" },
  visa("4000000000000002", { decline: generic }),
  visa("4000000000009995", {
    decline: declined("card_declined", "insufficient_funds", "Your card has insufficient funds."),
  }),
  visa("4000000000009987", { decline: declined("card_declined", "lost_card", "Your card was declined.") }),
  visa("4000000000009979", { decline: declined("card_declined", "stolen_card", "Your card was declined.") }),
  visa("4000000000000069", { decline: declined("expired_card", "expired_card", "Your card has expired.") }),
  visa("4000000000000127", {
    decline: declined("incorrect_cvc", "incorrect_cvc", "Your card's security code is incorrect."),
  }),
  visa("4000000000000119", {
    decline: declined("processing_error", "processing_error", "Your card could not be processed. Try again later."),
  }),
  visa("4000000000000341", { chargeDecline: generic }),
  visa("4000002500003155", { asks: "once" }),
  visa("4000002760003184", { asks: "always" }),
  visa("4000000000003220", { asks: "always", waits: true }),
  visa("4000000000007726", { refund: "pending" }),
  visa("4000000000005126", { refund: "fails" }),
  visa("4000000000000259", { dispute: { reason: "fraudulent" } }),
  visa("4000000000002685", { dispute: { reason: "product_not_received" } }),
  visa("4000000000001976", { dispute: { reason: "general", inquiry: true } }),
  visa("4000000000009235", { risk: "elevated" }),
  visa("4100000000000019", {
    decline: declined("card_declined", "fraudulent", "Your card was declined."),
    risk: "highest",
  }),
];

const byNumber = new Map(cards.map((card) => [card.number, card]));

/** The test card with this number, ignoring spaces; undefined for an unknown number. */
export function testCard(number: string): TestCard | undefined {
  return byNumber.get(number.replace(/[\s-]/g, ""));
}

/** The decline of an off-session payment that requires 3-D Secure. */
export const authenticationRequired: Decline = {
  code: "authentication_required",
  decline_code: "authentication_required",
  message: "Your card was declined: the bank asks for authentication.",
};
