"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { RowMenu } from "@/components/shell/row-menu";
import { CopyButton } from "@/components/ui/copy-button";
import { useToasts } from "@/components/ui/toasts";
import type { Tokenization } from "@/lib/tokenizations/contract";
import { useRevokeTokenization } from "@/lib/tokenizations/queries";
import { useCardName } from "./words";

const b = (words: ReactNode) => <b className="font-medium text-kumo-default">{words}</b>;

/** While it is pending: its link. Once there is a card: revoke it. */
export function TokenizationActions({ row, canWrite }: { row: Tokenization; canWrite: boolean }) {
  const t = useTranslations("tokenizations");
  const cardName = useCardName();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useRevokeTokenization();
  const toasts = useToasts();

  function revoke(): void {
    mutate(row._id, {
      onSuccess: () => toasts.add({ title: t("revoke.done", { email: row.email }) }),
      onError: (error) => toasts.failed(t("revoke.failed"), error),
      onSettled: () => setAsking(false),
    });
  }

  return (
    <div className="flex items-center justify-end">
      {row.status === "pending" && (
        <>
          <CopyButton text={row.activation_url} label={t("actions.copy", { email: row.email })} />
          <a
            href={row.activation_url}
            target="_blank"
            rel="noreferrer"
            className={buttonVariants({ variant: "ghost", shape: "square" })}
            aria-label={t("actions.open", { email: row.email })}
          >
            <ArrowSquareOutIcon size={16} aria-hidden />
          </a>
        </>
      )}
      {canWrite && row.status === "active" && (
        <RowMenu
          label={t("actions.more", { email: row.email })}
          actions={[
            { label: t("actions.revoke"), icon: ProhibitIcon, destructive: true, onClick: () => setAsking(true) },
          ]}
        />
      )}
      <ConfirmAction
        open={asking}
        onOpenChange={setAsking}
        title={t("revoke.title")}
        action={t("revoke.action")}
        destructive
        busy={isPending}
        onConfirm={revoke}
      >
        <p>
          {row.card
            ? t.rich("revoke.text", { card: cardName(row.card), email: row.email, b })
            : t.rich("revoke.textUnknown", { email: row.email, b })}
        </p>
        <p>{t("revoke.subscriptions")}</p>
      </ConfirmAction>
    </div>
  );
}
