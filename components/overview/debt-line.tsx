import { useState } from "react";
import { useTranslations } from "use-intl";
import { useChargeCard } from "@/components/payment-links/use-charge-card";
import { useMay, useMode } from "@/components/shell/may";
import { useCardWords } from "@/components/tokenizations/words";
import { CopyButton } from "@/components/ui/copy-button";
import { linkClass } from "@/components/ui/detail";
import { useDialogs } from "@/components/ui/dialogs";
import { sendOnce } from "@/components/ui/idempotency-key";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { onDemand } from "@/components/ui/on-demand";
import { ApiFailure } from "@/lib/client/api-failure";
import { formatMoney } from "@/lib/core/money";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { usePaymentLinkAction } from "@/lib/resources/payment-links/queries";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import type { Debt } from "@/lib/resources/reports/problems-contract";
import { type SavedCardRow, useSavedCards } from "@/lib/resources/tokenizations/queries";
import { type LineAction, type LineResult, ProblemLine } from "./problem-line";

const ChargeQuestion = onDemand(() =>
  import("@/components/payment-links/charge-question").then(({ ChargeQuestion }) => ChargeQuestion),
);

/** Offers to charge a saved card, after a question, and to send the link for a new one. */
export function DebtLine({ debt }: { debt: Debt }) {
  const { email, payment_link_id, next_attempt_at, mail } = debt;
  const amount = formatMoney(debt.amount_cents, debt.currency);
  const t = useTranslations("overview.problems");
  const may = useMay();
  const mode = useMode();
  const cardWords = useCardWords();
  const { openDialog } = useDialogs();
  const saved = useSavedCards(email, true);
  /** The cards that were declined here. */
  const [declined, setDeclined] = useState<readonly SavedCardRow[]>([]);
  /** The address of the link that was sent from here. */
  const [sentUrl, setSentUrl] = useState<string | null>(null);
  const { charge, suggest } = useChargeCard({ ...debt, _id: payment_link_id });
  const act = usePaymentLinkAction();
  const cards = saved.data?.filter(({ _id }) => !declined.some((card) => card._id === _id)) ?? [];
  const [card] = cards;
  const lastDeclined = declined.at(-1);

  const pay = async (chosen: SavedCardRow): Promise<LineResult> => {
    try {
      const { paid } = await charge(chosen);
      return { words: t(paid ? "charged" : "unanswered", { amount }), repeatable: !paid };
    } catch (error) {
      if (error instanceof ApiFailure && error.code === "payment_declined")
        setDeclined((before) => [...before, chosen]);
      throw error;
    }
  };
  const isKept = mode === "test" || mail?.status === "outbox";
  const send = async (): Promise<LineResult> => {
    const { payment_url } = await sendOnce(`send ${payment_link_id}`, debt.updated_at, (idempotencyKey) =>
      act.mutateAsync({ id: payment_link_id, action: "send", idempotencyKey }),
    );
    setSentUrl(payment_url);
    return { words: isKept ? null : t("linkSent", { email }) };
  };
  const keptBecause = mode === "test" ? "testMode" : "noServer";
  const isUnderWay = debt.status === "Processing";
  const actionOf = (label: string, failed: string, over: Partial<LineAction>): LineAction => ({
    label,
    about: t("actionAbout", { action: label, email }),
    failed,
    ...over,
  });
  const charges =
    card &&
    may(paymentEndpoints.charge) &&
    actionOf(t("retry"), t("retryFailed", { email }), {
      unknown: t("retryUnknown", { email }),
      ask: (start) =>
        openDialog(
          <ChargeQuestion
            link={{ ...debt, title: debt.package }}
            cards={cards}
            suggested={suggest(cards)}
            run={(chosen) => start(() => pay(chosen))}
          />,
        ),
    });
  const sends =
    may(paymentLinkEndpoints.send) &&
    actionOf(t("sendLink"), t("sendFailed", { email }), {
      run: send,
      instead: sentUrl !== null && isKept && (
        <CopyButton text={sentUrl} label={t("copyLink")} variant="secondary">
          {t("copyLink")}
        </CopyButton>
      ),
    });
  const isKnown = !isUnderWay && (saved.data !== undefined || saved.isError);
  return (
    <ProblemLine actions={isKnown ? [charges, sends].filter((action) => typeof action === "object") : []}>
      <Link href={`/subscriptions/${debt.subscription_id}`} className={`text-kumo-strong ${linkClass}`}>
        {email}
      </Link>{" "}
      {t("owes", { amount, package: debt.package })}
      <span className="block text-sm text-kumo-subtle">
        {isUnderWay
          ? t("unanswered", { amount })
          : lastDeclined
            ? t("declinedNow", { card: cardWords(lastDeclined.card) })
            : card
              ? t("declinedTimes", { card: cardWords(card.card), count: debt.attempt_count })
              : saved.data && t("noCard")}{" "}
        {next_attempt_at && t.rich("nextTry", { when: () => <Moment at={next_attempt_at} time /> })}{" "}
        <span role="status">
          {mail &&
            t.rich(`mail.${mail.status === "outbox" ? keptBecause : mail.status}`, {
              when: () => <Moment at={mail.at} time />,
            })}
        </span>
      </span>
    </ProblemLine>
  );
}
