"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { RowMenu } from "@/components/shell/row-menu";
import { CopyButton } from "@/components/ui/copy-button";
import { explainFailure } from "@/components/ui/explain-failure";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { type PaymentLinkAction, usePaymentLinkAction } from "@/lib/payment-links/queries";

const done = { activate: "Activated", deactivate: "Deactivated", remove: "Deleted" } as const;

/** Copy and open, always; the rest only where the link's state allows it. */
export function RowActions({ link, canWrite }: { link: PaymentLink; canWrite: boolean }) {
  const [confirming, setConfirming] = useState(false);
  const { mutate, isPending } = usePaymentLinkAction();
  const toasts = useKumoToastManager();
  const fixed = link.status === "Paid" || link.status === "Processing";

  function act(action: PaymentLinkAction): void {
    mutate(
      { id: link._id, action },
      {
        onSuccess: () => toasts.add({ title: `${done[action]}: ${link.title}` }),
        onError: (error) =>
          toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
        onSettled: () => setConfirming(false),
      },
    );
  }

  return (
    <div className="flex items-center justify-end">
      <CopyButton text={link.payment_url} what={`link of ${link.title}`} />
      <a
        href={link.payment_url}
        target="_blank"
        rel="noreferrer"
        className={buttonVariants({ variant: "ghost", shape: "square" })}
        aria-label={`Open the link of ${link.title} in a new tab`}
      >
        <ArrowSquareOutIcon size={16} aria-hidden />
      </a>
      {!canWrite || fixed ? (
        <span className="size-9" />
      ) : (
        <RowMenu label={`More for ${link.title}`}>
          {link.status === "Active" && (
            <DropdownMenu.Item icon={PauseIcon} onClick={() => act("deactivate")}>
              Deactivate
            </DropdownMenu.Item>
          )}
          {link.status === "Inactive" && (
            <DropdownMenu.Item icon={PlayIcon} onClick={() => act("activate")}>
              Activate
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item icon={TrashIcon} variant="danger" onClick={() => setConfirming(true)}>
            Delete
          </DropdownMenu.Item>
        </RowMenu>
      )}
      <ConfirmAction
        open={confirming}
        onOpenChange={setConfirming}
        title="Delete this payment link?"
        action="Delete"
        destructive
        busy={isPending}
        onConfirm={() => act("remove")}
      >
        <p>
          <b className="font-medium text-kumo-default">{link.title}</b>, {formatMoney(link.amount_cents, link.currency)}
          . Whoever opens it will read that it is no longer available. This cannot be undone.
        </p>
      </ConfirmAction>
    </div>
  );
}
