"use client";

import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { useToasts } from "@/components/ui/toasts";
import { shownMode } from "@/lib/client/call";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { type PaymentLinkAction, usePaymentLinkAction } from "@/lib/resources/payment-links/queries";
import { PeriodQuestion } from "./period-question";

/** Whether a link can be changed, activated, deleted at all. */
export const isFixed = ({ status }: PaymentLink): boolean => status === "Paid" || status === "Processing";

/** Asks before a link is activated, deactivated, sent or deleted; of a subscription's period it says what else that does. */
export function useLinkQuestion(
  link: PaymentLink,
  onRemoved?: () => void,
): [(a: PaymentLinkAction) => void, ReactNode] {
  const t = useTranslations("paymentLinks.questions");
  const [asking, setAsking] = useState<PaymentLinkAction | null>(null);
  // A mail whose answer was lost is not sent again. The moves are sent anew each time: a stored answer could be older than what
  // others have done since.
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  // The last question stays while its dialog closes.
  const [shown, setShown] = useState<PaymentLinkAction>("deactivate");
  const { mutate, isPending } = usePaymentLinkAction();
  const toasts = useToasts();

  function act(): void {
    mutate(
      { id: link._id, action: shown, idempotencyKey },
      {
        onSuccess: () => {
          renewKey();
          toasts.add({ title: t(`${shown}.done`, { title: link.title }) });
          if (shown === "remove") onRemoved?.();
        },
        onError: (error) => {
          renewKey(error);
          toasts.failed(t("failed"), error);
        },
        onSettled: () => setAsking(null),
      },
    );
  }

  const ask = (next: PaymentLinkAction): void => {
    if (next !== "send" || shown !== "send") renewKey();
    setShown(next);
    setAsking(next);
  };
  const question = {
    open: asking !== null,
    onOpenChange: (open: boolean) => !open && setAsking(null),
    title: t(`${shown}.title`),
    destructive: shown === "remove",
    busy: isPending,
    onConfirm: act,
  };
  const text = (
    <p>
      {t.rich("link", {
        title: link.title,
        amount: formatMoney(link.amount_cents, link.currency),
        email: link.email,
        name: (words) => <bdi className="font-medium text-kumo-default">{words}</bdi>,
        payer: (words) => <bdi className="font-medium wrap-anywhere text-kumo-default">{words}</bdi>,
      })}{" "}
      {t(`${shown}.text`)}
      {shown === "send" && shownMode() === "test" && ` ${t("testMode")}`}
    </p>
  );
  const { subscription_id } = link;
  const dialog =
    subscription_id === null ? (
      <ConfirmAction {...question} action={t(`${shown}.action`)}>
        {text}
      </ConfirmAction>
    ) : (
      <PeriodQuestion {...question} link={link} subscriptionId={subscription_id} asked={shown}>
        {text}
      </PeriodQuestion>
    );
  return [ask, dialog];
}
