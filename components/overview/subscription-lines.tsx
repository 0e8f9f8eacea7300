import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useCardWords } from "@/components/tokenizations/words";
import { linkClass } from "@/components/ui/detail";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import { type PaymentLink, paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { useChargePaymentLink, usePaymentLinkAction } from "@/lib/resources/payment-links/queries";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { useSavedCards } from "@/lib/resources/tokenizations/queries";
import { ProblemLine } from "./problem-line";
import { shownLines } from "./shown";

/** Subscriptions of a status that owe a period. Those that have not started yet only after a failed charge. */
export function SubscriptionLines({ status }: { status: "created" | "past_due" | "unpaid" }) {
  const per_page = status === "created" ? "100" : String(shownLines);
  const { data } = useQuery(subscriptionsQueryOptions({ status, per_page }));
  const rows = (data?.rows ?? []).flatMap((subscription) => {
    const open = subscription.payment_links.findLast((link) => link.status === "Active");
    if (!open || (status === "created" && open.attempt_count === 0)) return [];
    return [{ subscription, open }];
  });
  return rows
    .slice(0, shownLines)
    .map(({ subscription, open }) => <SubscriptionLine key={open._id} subscription={subscription} open={open} />);
}

interface SubscriptionLineProps {
  subscription: Subscription;
  /** The oldest unpaid period. */
  open: PaymentLink;
}

/** Offers to charge the saved card. Without a usable one, or after another decline, to send the link for a new card. */
function SubscriptionLine({ subscription, open }: SubscriptionLineProps) {
  const t = useTranslations("overview.problems");
  const may = useMay();
  const cardWords = useCardWords();
  const { data: cards } = useSavedCards(open.email, true);
  const [declined, setDeclined] = useState(false);
  const charge = useChargePaymentLink(open._id);
  const act = usePaymentLinkAction();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const card = declined ? undefined : cards?.[0];
  const email = open.email;

  const retry = async () => {
    if (!card) throw new Error("There is no card to charge.");
    try {
      const { paid } = await charge.mutateAsync({ token: card.token, idempotencyKey });
      renewKey();
      return t(paid ? "charged" : "unanswered", { amount: formatMoney(open.amount_cents, open.currency) });
    } catch (error) {
      renewKey(error);
      setDeclined(true);
      throw error;
    }
  };
  const send = async () => {
    await act.mutateAsync({ id: open._id, action: "send", idempotencyKey });
    return t("linkSent", { email });
  };
  const action = card
    ? may(paymentEndpoints.charge) && { label: t("retry"), run: retry, failed: t("retryFailed", { email }) }
    : cards &&
      may(paymentLinkEndpoints.send) && { label: t("sendLink"), run: send, failed: t("sendFailed", { email }) };
  return (
    <ProblemLine action={action ? { ...action, about: t("actionAbout", { action: action.label, email }) } : null}>
      <Link href={`/subscriptions/${subscription._id}`} className={`text-kumo-strong ${linkClass}`}>
        {email}
      </Link>{" "}
      {t("owes", { amount: formatMoney(open.amount_cents, open.currency), package: subscription.package.name })}
      <span className="block text-sm text-kumo-subtle">
        {card
          ? t("declinedTimes", { card: cardWords(card.card), count: open.attempt_count })
          : cards && t(declined ? "declinedNow" : "noCard")}{" "}
        {open.next_attempt_at && t.rich("nextTry", { when: () => <Moment at={open.next_attempt_at ?? ""} time /> })}
      </span>
    </ProblemLine>
  );
}
