"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { type ReactNode, useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { explainFailure } from "@/components/ui/explain-failure";
import { shownMode } from "@/lib/api/client";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { type PaymentLinkAction, usePaymentLinkAction } from "@/lib/payment-links/queries";

interface Words {
  title: string;
  action: string;
  done: string;
  destructive?: boolean;
  text: string;
}

const sentHow = (): string =>
  shownMode() === "test" ? " In test mode nothing is sent: the mail is kept in the outbox." : "";

const questions: Record<PaymentLinkAction, Words> = {
  deactivate: {
    title: "Deactivate this payment link?",
    action: "Deactivate",
    done: "Deactivated",
    text: "It can not be paid until it is activated again. Whoever opens it meanwhile will read so.",
  },
  activate: {
    title: "Activate this payment link?",
    action: "Activate",
    done: "Activated",
    text: "Whoever has the link can pay it again.",
  },
  send: {
    title: "Send this link by e-mail?",
    action: "Send",
    done: "On its way by e-mail",
    text: "The payer gets the mail with the link once more.",
  },
  remove: {
    title: "Delete this payment link?",
    action: "Delete",
    done: "Deleted",
    destructive: true,
    text: "Whoever opens it will read that it is no longer available. This cannot be undone.",
  },
};

/** Whether a link can be changed, activated, deleted at all. */
export const isFixed = ({ status }: PaymentLink): boolean => status === "Paid" || status === "Processing";

/** Asks before a link is activated, deactivated, sent or deleted. */
export function useLinkQuestion(
  link: PaymentLink,
  onRemoved?: () => void,
): [(a: PaymentLinkAction) => void, ReactNode] {
  const [asking, setAsking] = useState<PaymentLinkAction | null>(null);
  // The last question stays while its dialog closes.
  const [shown, setShown] = useState<PaymentLinkAction>("deactivate");
  const { mutate, isPending } = usePaymentLinkAction();
  const toasts = useKumoToastManager();
  const { title, action, done, destructive, text } = questions[shown];

  function act(): void {
    mutate(
      { id: link._id, action: shown },
      {
        onSuccess: () => {
          toasts.add({ title: `${done}: ${link.title}` });
          if (shown === "remove") onRemoved?.();
        },
        onError: (error) =>
          toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
        onSettled: () => setAsking(null),
      },
    );
  }

  const ask = (next: PaymentLinkAction): void => {
    setShown(next);
    setAsking(next);
  };
  const dialog = (
    <ConfirmAction
      open={asking !== null}
      onOpenChange={(open) => !open && setAsking(null)}
      title={title}
      action={action}
      destructive={destructive}
      busy={isPending}
      onConfirm={act}
    >
      <p>
        <b className="font-medium text-kumo-default">{link.title}</b>, {formatMoney(link.amount_cents, link.currency)},
        for <b className="font-medium wrap-anywhere text-kumo-default">{link.email}</b>. {text}
        {shown === "send" && sentHow()}
      </p>
    </ConfirmAction>
  );
  return [ask, dialog];
}
