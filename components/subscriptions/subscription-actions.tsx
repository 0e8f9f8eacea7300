"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { ArrowCounterClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowCounterClockwise";
import { CalendarXIcon } from "@phosphor-icons/react/dist/ssr/CalendarX";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { RowMenu } from "@/components/shell/row-menu";
import { explainFailure } from "@/components/ui/explain-failure";
import { Sheet } from "@/components/ui/sheet";
import { requestableMoves, type Subscription, type SubscriptionUpdate } from "@/lib/subscriptions/contract";
import { useChangeSubscription, useRemoveSubscription } from "@/lib/subscriptions/queries";
import { ChangeEmail } from "./change-email";
import { type Question, questions } from "./questions";

const changes: Record<Exclude<Question, "remove">, SubscriptionUpdate> = {
  pause: { status: "paused" },
  resume: { status: "active" },
  cancel: { status: "cancel" },
  endLater: { cancel_at_period_end: true },
  keep: { cancel_at_period_end: false },
};

interface SubscriptionActionsProps {
  subscription: Subscription;
  /** Whether a period is not paid. */
  owes: boolean;
}

/** What its state allows, each behind a question that says what will happen. */
export function SubscriptionActions({ subscription, owes }: SubscriptionActionsProps) {
  const { _id, email, status, cancel_at_period_end } = subscription;
  const [asking, setAsking] = useState<Question | null>(null);
  const [moving, setMoving] = useState(false);
  // The last question stays while its dialog closes.
  const [shown, setShown] = useState<Question>("pause");
  const router = useRouter();
  const toasts = useKumoToastManager();
  const change = useChangeSubscription(_id);
  const remove = useRemoveSubscription(_id, () => router.replace("/subscriptions"));
  const running = requestableMoves.cancel.includes(status);
  const question = questions[shown];

  function ask(next: Question): void {
    setShown(next);
    setAsking(next);
  }

  function act(): void {
    const told = {
      onSuccess: () => toasts.add({ title: `${question.done}: ${email}` }),
      onError: (error: Error) =>
        toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
      onSettled: () => setAsking(null),
    };
    if (shown === "remove") remove.mutate(undefined, told);
    else change.mutate(changes[shown], told);
  }

  return (
    <div className="flex items-center gap-2">
      {requestableMoves.paused.includes(status) && (
        <Button variant="secondary" icon={<PauseIcon size={16} />} onClick={() => ask("pause")}>
          Pause
        </Button>
      )}
      {requestableMoves.active.includes(status) && (
        <Button variant="primary" icon={<PlayIcon size={16} />} onClick={() => ask("resume")}>
          Resume
        </Button>
      )}
      <RowMenu label="More actions" variant="secondary">
        {running && (
          <DropdownMenu.Item icon={EnvelopeSimpleIcon} onClick={() => setMoving(true)}>
            Change e-mail
          </DropdownMenu.Item>
        )}
        {running && !cancel_at_period_end && status !== "unpaid" && (
          <DropdownMenu.Item icon={CalendarXIcon} onClick={() => ask("endLater")}>
            Cancel at period end
          </DropdownMenu.Item>
        )}
        {running && cancel_at_period_end && (
          <DropdownMenu.Item icon={ArrowCounterClockwiseIcon} onClick={() => ask("keep")}>
            Do not cancel at period end
          </DropdownMenu.Item>
        )}
        {running && (
          <DropdownMenu.Item icon={ProhibitIcon} variant="danger" onClick={() => ask("cancel")}>
            Cancel now
          </DropdownMenu.Item>
        )}
        <DropdownMenu.Item icon={TrashIcon} variant="danger" onClick={() => ask("remove")}>
          Delete
        </DropdownMenu.Item>
      </RowMenu>
      <ConfirmAction
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={question.title}
        action={question.action}
        destructive={question.destructive}
        busy={change.isPending || remove.isPending}
        onConfirm={act}
      >
        {question.text(subscription, owes)}
      </ConfirmAction>
      <Sheet open={moving} onOpenChange={setMoving} title="Change e-mail">
        <ChangeEmail subscription={subscription} onDone={() => setMoving(false)} />
      </Sheet>
    </div>
  );
}
