"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { ArrowCounterClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowCounterClockwise";
import { CalendarXIcon } from "@phosphor-icons/react/dist/ssr/CalendarX";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { RowMenu } from "@/components/ui/row-menu";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import { useToasts } from "@/components/ui/toasts";
import {
  subscriptionEndpoints as endpoints,
  requestableMoves,
  type Subscription,
  type SubscriptionUpdate,
} from "@/lib/resources/subscriptions/contract";
import { useChangeSubscription, useRemoveSubscription } from "@/lib/resources/subscriptions/queries";
import { Consequences, destructive, type Question } from "./questions";

const ChangeContact = sheetPart(() => import("./change-contact").then(({ ChangeContact }) => ChangeContact));

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

/** What its state allows, for whoever may do it, each behind a question that says what will happen. */
export function SubscriptionActions({ subscription, owes }: SubscriptionActionsProps) {
  const t = useTranslations("subscriptions");
  const { _id, email, status, cancel_at_period_end } = subscription;
  const [asking, setAsking] = useState<Question | null>(null);
  const [moving, setMoving] = useState(false);
  // The last question stays while its dialog closes.
  const [shown, setShown] = useState<Question>("pause");
  const router = useRouter();
  const toasts = useToasts();
  const change = useChangeSubscription(_id);
  const remove = useRemoveSubscription(_id, () => router.replace("/subscriptions"));
  const may = useMay();
  const canChange = may(endpoints.update);
  const canRemove = may(endpoints.remove);
  const running = canChange && requestableMoves.cancel.includes(status);

  function ask(next: Question): void {
    setShown(next);
    setAsking(next);
  }

  function act(): void {
    const told = {
      onSuccess: () => toasts.add({ title: t(`questions.${shown}.done`, { email }) }),
      onError: (error: Error) => toasts.failed(t("actions.failed"), error),
      onSettled: () => setAsking(null),
    };
    if (shown === "remove") remove.mutate(undefined, told);
    else change.mutate(changes[shown], told);
  }

  if (!canChange && !canRemove) return null;
  return (
    <div className="flex items-center gap-2">
      {canChange && requestableMoves.paused.includes(status) && (
        <Button variant="secondary" icon={<PauseIcon size={16} />} onClick={() => ask("pause")}>
          {t("actions.pause")}
        </Button>
      )}
      {canChange && requestableMoves.active.includes(status) && (
        <Button variant="primary" icon={<PlayIcon size={16} />} onClick={() => ask("resume")}>
          {t("actions.resume")}
        </Button>
      )}
      <RowMenu
        label={t("actions.more")}
        variant="secondary"
        actions={[
          running && { label: t("actions.changeContact"), icon: EnvelopeSimpleIcon, onClick: () => setMoving(true) },
          running &&
            !cancel_at_period_end &&
            status !== "unpaid" && {
              label: t("actions.endLater"),
              icon: CalendarXIcon,
              onClick: () => ask("endLater"),
            },
          running &&
            cancel_at_period_end && {
              label: t("actions.keep"),
              icon: ArrowCounterClockwiseIcon,
              onClick: () => ask("keep"),
            },
          running && {
            label: t("actions.cancel"),
            icon: ProhibitIcon,
            destructive: true,
            onClick: () => ask("cancel"),
          },
          canRemove && { label: t("actions.remove"), icon: TrashIcon, destructive: true, onClick: () => ask("remove") },
        ]}
      />
      <ConfirmAction
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={t(`questions.${shown}.title`)}
        action={t(`questions.${shown}.action`)}
        destructive={destructive[shown]}
        busy={change.isPending || remove.isPending}
        onConfirm={act}
      >
        <Consequences question={shown} subscription={subscription} owes={owes} />
      </ConfirmAction>
      <Sheet open={moving} onOpenChange={setMoving} title={t("changeContact.title")}>
        <ChangeContact subscription={subscription} onDone={() => setMoving(false)} />
      </Sheet>
    </div>
  );
}
