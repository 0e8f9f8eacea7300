import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { BankIcon } from "@phosphor-icons/react/dist/ssr/Bank";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { QuestionIcon } from "@phosphor-icons/react/dist/ssr/Question";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { cardWords } from "@/components/public/words";
import { type Look, Pill } from "@/components/shell/pill";
import { refundFailures } from "@/lib/gateways/gateway";
import type { Payment } from "@/lib/payments/contract";
import type { Refund } from "@/lib/refunds/contract";

const looks: Record<Payment["status"], Look> = {
  succeeded: { label: "Succeeded", icon: CheckCircleIcon, tone: "good" },
  failed: { label: "Failed", icon: XCircleIcon, tone: "bad" },
  unknown: { label: "Unknown", icon: QuestionIcon, tone: "warning" },
  requires_action: { label: "At the bank", icon: BankIcon, tone: "info" },
  sending: { label: "On its way", icon: ArrowsClockwiseIcon, tone: "info" },
};

export const statusLabels = Object.fromEntries(
  Object.entries(looks).map(([status, { label }]) => [status, label]),
) as Record<Payment["status"], string>;

export const PaymentBadge = ({ status }: { status: Payment["status"] }) => <Pill {...looks[status]} />;

/** Why a payment failed, in the words of the staff: of the payer, not to the payer. */
const reasons: Record<NonNullable<Payment["reason"]>, string> = {
  card_declined: "The bank declined the card.",
  insufficient_funds: "There was not enough money on the card.",
  limit_exceeded: "The payment was above the card’s limit.",
  processing_error: "It could not be processed.",
  authentication_required: "The bank wants the payer to confirm: send the payer to the link.",
  authentication_failed: "The payer did not confirm with the bank.",
  abandoned: "The payer did not finish.",
  expired_card: "The card has expired.",
  incorrect_number: "The card number was not correct.",
  incorrect_cvc: "The security code was not correct.",
  card_not_supported: "The card does not support this kind of payment.",
  card_blocked: "The bank has blocked the card.",
};

export const reasonWords = ({ reason }: Payment): string | null => (reason ? reasons[reason] : null);

/** "Visa ending in 4242", or a dash where no card is known. */
export const cardOf = ({ card }: Payment): string => (card && cardWords(card.brand, card.last4)) || "–";

/** What a payment's state means, and what is to be done about it. */
export const stateWords: Record<Payment["status"], string> = {
  succeeded: "The money was taken.",
  failed: "No money was taken. The link can be paid again.",
  unknown:
    "The gateway’s answer is missing, so money may have moved. The gateway is being asked; until it answers, nothing else " +
    "can be charged for this link. If this lasts for more than an hour, look for the payment in the gateway’s own dashboard.",
  requires_action:
    "The payer is at the bank’s or the gateway’s page. What is not finished there is given up by itself.",
  sending: "The gateway is being asked.",
};

const refundLooks: Record<Refund["status"], Look> = {
  pending: { label: "Pending", icon: ClockIcon, tone: "info" },
  succeeded: { label: "Returned", icon: CheckCircleIcon, tone: "good" },
  failed: { label: "Failed", icon: XCircleIcon, tone: "bad" },
};

export const RefundBadge = ({ status }: { status: Refund["status"] }) => <Pill {...refundLooks[status]} />;

/** What a refund's state means for the payer's money. */
export function refundWords({ status, failure_reason }: Refund): string {
  if (status === "failed") return failure_reason ? refundFailures[failure_reason] : "No money was returned.";
  if (status === "pending") return "The gateway has not decided yet. At some banks that takes days.";
  return "On its way to the payer’s card; banks show it within some days.";
}
