import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { ArrowUUpLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowUUpLeft";
import { BankIcon } from "@phosphor-icons/react/dist/ssr/Bank";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { QuestionIcon } from "@phosphor-icons/react/dist/ssr/Question";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import { DisputeBadge } from "@/components/disputes/words";
import { cardExpiry, knownExpiry, useCardName } from "@/components/tokenizations/words";
import { type Look, Pill } from "@/components/ui/pill";
import type { Payment, PaymentOfLink } from "@/lib/resources/payments/contract";
import { isOpenMismatch } from "@/lib/resources/payments/mismatch";
import type { Refund } from "@/lib/resources/refunds/contract";
import type { TextsOf } from "@/messages/texts-of";

type Status = Payment["status"];

export const paymentLooks: Record<Status, Omit<Look, "label">> = {
  succeeded: { icon: CheckCircleIcon, tone: "good" },
  failed: { icon: XCircleIcon, tone: "bad" },
  reversed: { icon: ArrowUUpLeftIcon, tone: "bad" },
  unknown: { icon: QuestionIcon, tone: "warning" },
  requires_action: { icon: BankIcon, tone: "info" },
  sending: { icon: ArrowsClockwiseIcon, tone: "info" },
};

/** Of a payment that was refunded, wholly or in part. */
const refundedLook: Omit<Look, "label"> = { icon: ArrowUUpLeftIcon, tone: "quiet" };

type Badged = Pick<
  Payment,
  | "status"
  | "amount_cents"
  | "refunded_amount"
  | "disputed_amount"
  | "dispute_status"
  | "mismatch_at"
  | "mismatch_resolved_at"
> & { card: object | null };

export function PaymentBadge({ payment }: { payment: Badged }) {
  const t = useTranslations("payments.status");
  const disputes = useTranslations("disputes.ofPayment");
  const { status, card, disputed_amount, dispute_status } = payment;
  if (disputed_amount > 0 && dispute_status)
    return <DisputeBadge status={dispute_status} label={disputes(dispute_status === "lost" ? "lost" : "open")} />;
  if (isOpenMismatch(payment)) return <Pill {...paymentLooks.unknown} label={t("mismatch")} />;
  const state = refundedState(payment);
  if (state === "refunded" || state === "partlyRefunded") return <Pill {...refundedLook} label={t(state)} />;
  // Before the payer has entered a card, the open page is the gateway's, not the bank's.
  return <Pill {...paymentLooks[status]} label={t(status === "requires_action" && !card ? "opened" : status)} />;
}

export function reasonWords(t: TextsOf<"payments">, { reason, gateway_code: code }: Payment): string | null {
  if (reason === "gateway_refused" && code) return t("gatewayRefused", { code });
  return reason ? t(`reason.${reason}`) : null;
}

/** "Visa ending in 4242", or "Cash" of a manual payment; a dash if the card is not known. */
export function usePaidWith(): (payment: Payment) => string {
  const cardName = useCardName();
  const t = useTranslations("payments.method");
  return ({ card, manual }) => (manual ? t(manual.method) : card ? cardName(card) : "–");
}

/** "12/40", as it was at the time of the payment. Nothing if it is not known. */
export function PaidCardExpiry({ card }: Pick<Payment, "card">) {
  const known = card && knownExpiry(card);
  return known && <span className="text-kumo-subtle tabular-nums">{cardExpiry(known)}</span>;
}

const refundLooks: Record<Refund["status"], Omit<Look, "label">> = {
  pending: { icon: ClockIcon, tone: "info" },
  succeeded: { icon: CheckCircleIcon, tone: "good" },
  failed: { icon: XCircleIcon, tone: "bad" },
};

export function RefundBadge({ status }: { status: Refund["status"] }) {
  const t = useTranslations("payments.refunds.status");
  return <Pill {...refundLooks[status]} label={t(status)} />;
}

export const refundWords = (t: TextsOf<"payments">, { status, failure_reason }: Refund): string =>
  status === "failed" && failure_reason ? t(`refunds.failure.${failure_reason}`) : t(`refunds.statusText.${status}`);

/** A payment's status, and of one that succeeded also how much of it was refunded. */
export function refundedState({
  status,
  refunded_amount,
  amount_cents,
}: Pick<Payment, "status" | "refunded_amount" | "amount_cents">) {
  if (status !== "succeeded" || refunded_amount === 0) return status;
  return Math.round(refunded_amount * 100) < amount_cents ? "partlyRefunded" : "refunded";
}

/** Why nothing is refundable: a bank is deciding, or a lost dispute has taken the rest. Null if no dispute prevents refunds. */
export function heldBy(payment: PaymentOfLink): "needs_response" | "lost" | null {
  if (payment.status !== "succeeded" || payment.disputed_amount === 0) return null;
  if (payment.dispute_status === "needs_response" || payment.dispute_status === "under_review") return "needs_response";
  return unrefunded(payment) > 0 && refundable(payment) <= 0 ? "lost" : null;
}

const unrefunded = ({ amount_cents, refunded_amount, refund_pending_amount }: PaymentOfLink): number =>
  amount_cents - Math.round((refunded_amount + refund_pending_amount) * 100);

/** The refundable amount, in cents: without what disputes hold, and nothing while a bank decides. */
export function refundable(payment: PaymentOfLink): number {
  const { status, dispute_status } = payment;
  if (status !== "succeeded" || dispute_status === "needs_response" || dispute_status === "under_review") return 0;
  return unrefunded(payment) - Math.round(payment.disputed_amount * 100);
}

/** Whether the payer should try again. Not while a mismatch is open, because the gateway took the money. */
export const isToBePaidAgain = (payment: PaymentOfLink): boolean =>
  payment.status === "failed" && !isOpenMismatch(payment);
