import type { CardFace } from "@/lib/gateways/gateway";
import type { DeclineReason } from "@/lib/gateways/reasons";

type CardDecline = Exclude<DeclineReason, "authentication_required" | "authentication_failed" | "abandoned">;

const behaviours = [
  "succeed",
  "challenge",
  "challenge_once",
  "challenge_always",
  "lost_reply",
  "slow",
  "late_success",
  "late_decline",
  "duplicate_callbacks",
  "reordered_callbacks",
  "saved_expires",
  "saved_declined",
  "refund_pending",
  "refund_fails",
  "refund_refused",
  "dispute_open",
  "dispute_won",
  "dispute_lost",
  "dispute_inquiry",
  "risk_elevated",
  "risk_highest",
] as const;

export type Behaviour = (typeof behaviours)[number] | CardDecline;

export const cardGroups = [
  "Payments",
  "3-D Secure",
  "Gateway faults",
  "Saved cards",
  "Refunds",
  "Disputes",
  "Risk",
] as const;

type CardGroup = (typeof cardGroups)[number];

type TestCard = Pick<CardFace, "brand" | "last4"> & {
  number: string;
  behaviour: Behaviour;
  group: CardGroup;
  label: string;
};

const of =
  (group: CardGroup) =>
  (number: string, behaviour: Behaviour, label: string, brand = "visa"): TestCard => ({
    number,
    brand,
    last4: number.slice(-4),
    behaviour,
    group,
    label,
  });

const payment = of("Payments");
const secure = of("3-D Secure");
const fault = of("Gateway faults");
const saved = of("Saved cards");
const refund = of("Refunds");
const dispute = of("Disputes");
const risk = of("Risk");

/**
 * The only numbers that the sandbox accepts, with any future expiry date and any security code. Well-known test numbers
 * of other gateways have the same meaning here.
 */
export const testCards: readonly TestCard[] = [
  payment("4242424242424242", "succeed", "Payment succeeds"),
  payment("5555555555554444", "succeed", "Payment succeeds (Mastercard)", "mastercard"),
  payment("378282246310005", "succeed", "Payment succeeds (American Express, four-digit code)", "amex"),
  payment("4000000000000002", "card_declined", "Declined"),
  payment("4000000000009995", "insufficient_funds", "Declined: insufficient funds"),
  payment("4000000000006975", "limit_exceeded", "Declined: above the card's limit"),
  payment("4000000000000119", "processing_error", "Declined: processing error"),
  payment("4000000000000069", "expired_card", "Declined: expired card"),
  payment("4000000000005027", "incorrect_number", "Declined: wrong card number"),
  payment("4000000000000127", "incorrect_cvc", "Declined: wrong security code"),
  payment("4000000000005035", "card_not_supported", "Declined: card not supported"),
  payment("4000000000009979", "card_blocked", "Declined: card blocked"),

  secure("4000000000003220", "challenge", "Bank asks for confirmation: approve, reject, or just leave"),

  fault("4000000000005001", "lost_reply", "Charged, but the gateway's reply is lost"),
  fault("4000000000005019", "slow", "Charged, but the reply takes 4 seconds"),
  fault("4000000000005043", "late_success", "Decided after 10 seconds: succeeds"),
  fault("4000000000005050", "late_decline", "Decided after 10 seconds: declined"),
  fault("4000000000005068", "duplicate_callbacks", "Succeeds; every callback is sent three times"),
  fault("4000000000005076", "reordered_callbacks", "Succeeds; an older callback arrives afterwards"),

  saved("4000002500003155", "challenge_once", "Bank asks when paying; once saved, it is charged without asking"),
  saved("4000002760003184", "challenge_always", "Bank asks when paying; once saved, charging it needs the payer"),
  saved("4000000000000341", "saved_declined", "Can be saved; every charge is declined"),
  saved("4000000000005084", "saved_expires", "Succeeds when paying; once saved, it has expired when charged"),

  refund("4000000000007726", "refund_pending", "Refund is pending for 10 seconds, then succeeds"),
  refund("4000000000005126", "refund_fails", "Refund succeeds, and is sent back after 10 seconds"),
  refund("4000000000005092", "refund_refused", "Refund is refused at once"),

  dispute("4000000000000259", "dispute_open", "Disputed at once as fraudulent; lost after 7 days"),
  dispute("4000000000005134", "dispute_won", "Disputed at once; won after 10 seconds"),
  dispute("4000000000002685", "dispute_lost", "Disputed at once as not received; lost after 10 seconds"),
  dispute("4000000000001976", "dispute_inquiry", "Inquiry of the bank at once; closed after 10 seconds"),

  risk("4000000000009235", "risk_elevated", "Succeeds with an elevated risk"),
  risk("4100000000000019", "risk_highest", "Declined: blocked because of the highest risk"),
];

const byNumber = new Map(testCards.map((known) => [known.number, known]));
const known = new Set<string>(testCards.map(({ behaviour }) => behaviour));

export function testCard(number: string): TestCard | undefined {
  return byNumber.get(number);
}

export function isBehaviour(value: string): value is Behaviour {
  return known.has(value);
}
