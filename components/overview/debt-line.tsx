import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay, useMode } from "@/components/shell/may";
import { useCardWords } from "@/components/tokenizations/words";
import { linkClass } from "@/components/ui/detail";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { ApiFailure } from "@/lib/client/api-failure";
import { formatMoney } from "@/lib/core/money";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { useChargePaymentLink, usePaymentLinkAction } from "@/lib/resources/payment-links/queries";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import type { Debt } from "@/lib/resources/reports/problems-contract";
import { useSavedCards } from "@/lib/resources/tokenizations/queries";
import { type LineResult, ProblemLine } from "./problem-line";

/** Offers to charge the saved card, and to send the link for a new one. */
export function DebtLine({ debt }: { debt: Debt }) {
  const { email, payment_link_id, next_attempt_at, mail } = debt;
  const amount = formatMoney(debt.amount_cents, debt.currency);
  const t = useTranslations("overview.problems");
  const may = useMay();
  const mode = useMode();
  const cardWords = useCardWords();
  const { data: cards, isError } = useSavedCards(email, true);
  const [declined, setDeclined] = useState(false);
  const charge = useChargePaymentLink(payment_link_id);
  const act = usePaymentLinkAction();
  const [chargeKey, renewChargeKey] = useIdempotencyKey();
  const [sendKey, renewSendKey] = useIdempotencyKey();
  const card = declined ? undefined : cards?.[0];

  const retry = async () => {
    if (!card) throw new Error("There is no card to charge.");
    try {
      const { paid } = await charge.mutateAsync({ token: card.token, idempotencyKey: chargeKey });
      renewChargeKey();
      return { words: t(paid ? "charged" : "unanswered", { amount }), repeatable: !paid };
    } catch (error) {
      renewChargeKey(error);
      setDeclined(error instanceof ApiFailure && error.code === "payment_declined");
      throw error;
    }
  };
  const send = async () => {
    try {
      await act.mutateAsync({ id: payment_link_id, action: "send", idempotencyKey: sendKey });
      renewSendKey();
    } catch (error) {
      renewSendKey(error);
      throw error;
    }
    return { words: t(mode === "test" ? "linkKept" : "linkSent", { email }) };
  };
  const keptBecause = mode === "test" ? "testMode" : "noServer";
  const isUnderWay = debt.status === "Processing";
  const actionOf = (label: string, run: () => Promise<LineResult>, failed: string) => ({
    label,
    about: t("actionAbout", { action: label, email }),
    run,
    failed,
  });
  const charges = card && may(paymentEndpoints.charge) && actionOf(t("retry"), retry, t("retryFailed", { email }));
  const sends = may(paymentLinkEndpoints.send) && actionOf(t("sendLink"), send, t("sendFailed", { email }));
  const isKnown = !isUnderWay && (cards !== undefined || isError);
  return (
    <ProblemLine actions={isKnown ? [charges, sends].filter((action) => typeof action === "object") : []}>
      <Link href={`/subscriptions/${debt.subscription_id}`} className={`text-kumo-strong ${linkClass}`}>
        {email}
      </Link>{" "}
      {t("owes", { amount, package: debt.package })}
      <span className="block text-sm text-kumo-subtle">
        {isUnderWay
          ? t("unanswered", { amount })
          : card
            ? t("declinedTimes", { card: cardWords(card.card), count: debt.attempt_count })
            : cards && t(declined ? "declinedNow" : "noCard")}{" "}
        {next_attempt_at && t.rich("nextTry", { when: () => <Moment at={next_attempt_at} time /> })}{" "}
        {mail &&
          t.rich(`mail.${mail.status === "outbox" ? keptBecause : mail.status}`, {
            when: () => <Moment at={mail.at} time />,
          })}
      </span>
    </ProblemLine>
  );
}
