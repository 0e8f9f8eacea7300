"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { RowMenu } from "@/components/shell/row-menu";
import { CopyButton } from "@/components/ui/copy-button";
import { explainFailure } from "@/components/ui/explain-failure";
import type { Tokenization } from "@/lib/tokenizations/contract";
import { useRevokeTokenization } from "@/lib/tokenizations/queries";
import { cardName } from "./words";

/** While it is pending: its link. Once there is a card: revoke it. */
export function TokenizationActions({ row, canWrite }: { row: Tokenization; canWrite: boolean }) {
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useRevokeTokenization();
  const toasts = useKumoToastManager();

  function revoke(): void {
    mutate(row._id, {
      onSuccess: () => toasts.add({ title: `Revoked: the card of ${row.email}` }),
      onError: (error) =>
        toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
      onSettled: () => setAsking(false),
    });
  }

  return (
    <div className="flex items-center justify-end">
      {row.status === "pending" && (
        <>
          <CopyButton text={row.activation_url} what={`activation link of ${row.email}`} />
          <a
            href={row.activation_url}
            target="_blank"
            rel="noreferrer"
            className={buttonVariants({ variant: "ghost", shape: "square" })}
            aria-label={`Open the activation link of ${row.email} in a new tab`}
          >
            <ArrowSquareOutIcon size={16} aria-hidden />
          </a>
        </>
      )}
      {canWrite && row.status === "active" && (
        <RowMenu label={`More for ${row.email}`}>
          <DropdownMenu.Item icon={ProhibitIcon} variant="danger" onClick={() => setAsking(true)}>
            Revoke
          </DropdownMenu.Item>
        </RowMenu>
      )}
      <ConfirmAction
        open={asking}
        onOpenChange={setAsking}
        title="Revoke this card?"
        action="Revoke"
        destructive
        busy={isPending}
        onConfirm={revoke}
      >
        <p>
          <b className="font-medium text-kumo-default">{row.card ? cardName(row.card) : "The card"}</b> of {row.email}{" "}
          can not be charged any more. This cannot be undone.
        </p>
        <p>Subscriptions of this e-mail are charged to the card that was saved before it, or wait for their payer.</p>
      </ConfirmAction>
    </div>
  );
}
