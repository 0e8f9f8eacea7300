"use client";

import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { useToasts } from "@/components/ui/toasts";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import { useRevokeTokenization } from "@/lib/resources/tokenizations/queries";
import { useCardName } from "./words";

const b = (words: ReactNode) => <bdi className="font-medium text-kumo-default">{words}</bdi>;

/** Asks before a card is revoked. */
export function useRevokeQuestion({ _id, email, card }: Tokenization): [() => void, ReactNode] {
  const t = useTranslations("tokenizations.revoke");
  const cardName = useCardName();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useRevokeTokenization();
  const toasts = useToasts();

  function revoke(): void {
    mutate(_id, {
      onSuccess: () => toasts.add({ title: t("done", { email }) }),
      onError: (error) => toasts.failed(t("failed"), error),
      onSettled: () => setAsking(false),
    });
  }

  const dialog = (
    <ConfirmAction
      open={asking}
      onOpenChange={setAsking}
      title={t("title")}
      action={t("action")}
      destructive
      busy={isPending}
      onConfirm={revoke}
    >
      <p>{card ? t.rich("text", { card: cardName(card), email, b }) : t.rich("textUnknown", { email, b })}</p>
      <p>{t("subscriptions")}</p>
    </ConfirmAction>
  );
  return [() => setAsking(true), dialog];
}
