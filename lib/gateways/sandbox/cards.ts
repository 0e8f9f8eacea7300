import type { CardFace, DeclineReason } from "../gateway";

/** What the sandbox does with a card; "lost_reply" charges it and then fails to say so. */
type Behaviour = "succeed" | "challenge" | "lost_reply" | DeclineReason;

type TestCard = CardFace & { number: string; behaviour: Behaviour; label: string };

const card = (number: string, brand: string, behaviour: Behaviour, label: string): TestCard => ({
  number,
  brand,
  last4: number.slice(-4),
  behaviour,
  label,
});

/** The only numbers that the sandbox takes, with any future expiry date and any security code. */
export const testCards: readonly TestCard[] = [
  card("4242424242424242", "visa", "succeed", "Payment succeeds"),
  card("5555555555554444", "mastercard", "succeed", "Payment succeeds (Mastercard)"),
  card("378282246310005", "amex", "succeed", "Payment succeeds (American Express, four-digit code)"),
  card("4000000000003220", "visa", "challenge", "Bank asks for confirmation (3-D Secure)"),
  card("4000000000000002", "visa", "card_declined", "Declined"),
  card("4000000000009995", "visa", "insufficient_funds", "Declined: insufficient funds"),
  card("4000000000000069", "visa", "expired_card", "Declined: expired card"),
  card("4000000000000127", "visa", "incorrect_cvc", "Declined: wrong security code"),
  card("4000000000000119", "visa", "processing_error", "Declined: processing error"),
  card("4000000000005001", "visa", "lost_reply", "Charged, but the gateway's reply is lost"),
];

const byNumber = new Map(testCards.map((known) => [known.number, known]));

/** The test card with this number (digits only), if it is one. */
export function testCard(number: string): TestCard | undefined {
  return byNumber.get(number);
}
