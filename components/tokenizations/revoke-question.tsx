import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { useToasts } from "@/components/ui/toasts";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import { useRevokeTokenization } from "@/lib/resources/tokenizations/queries";
import { useCardWords } from "./words";

const b = (words: ReactNode) => <bdi className="font-medium text-kumo-default">{words}</bdi>;

export function useRevokeQuestion({ _id, email, card }: Tokenization): () => void {
  const t = useTranslations("tokenizations.revoke");
  const cardWords = useCardWords();
  const { confirm } = useDialogs();
  const revoke = useRevokeTokenization();
  const toasts = useToasts();

  return () =>
    void confirm({
      title: t("title"),
      body: (
        <>
          <p>{card ? t.rich("text", { card: cardWords(card), email, b }) : t.rich("textUnknown", { email, b })}</p>
          <p>{t("subscriptions")}</p>
        </>
      ),
      action: t("action"),
      destructive: true,
      run: () => toasts.report(revoke.mutateAsync(_id), { done: t("done", { email }), failed: t("failed") }),
    });
}
