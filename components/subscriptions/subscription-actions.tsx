import { ArrowCounterClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowCounterClockwise";
import { CalendarXIcon } from "@phosphor-icons/react/dist/ssr/CalendarX";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useLeaveDeleted } from "@/components/shell/use-leave-deleted";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { onDemand } from "@/components/ui/on-demand";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import {
  subscriptionEndpoints as endpoints,
  requestableMoves,
  type Subscription,
  type SubscriptionUpdate,
} from "@/lib/resources/subscriptions/contract";
import { useChangeSubscription, useRemoveSubscription } from "@/lib/resources/subscriptions/queries";
import { Consequences, destructive, type Question } from "./questions";

const ChangeContact = onDemand(() => import("./change-contact").then(({ ChangeContact }) => ChangeContact));

type Change = Exclude<Question, "remove">;

const changes: Record<Change, SubscriptionUpdate> = {
  pause: { status: "paused" },
  resume: { status: "active" },
  cancel: { status: "cancel" },
  endLater: { cancel_at_period_end: true },
  keep: { cancel_at_period_end: false },
};

interface SubscriptionActionsProps {
  subscription: Subscription;
  owes: boolean;
}

export function SubscriptionActions({ subscription, owes }: SubscriptionActionsProps) {
  const t = useTranslations("subscriptions");
  const { _id, email, status, cancel_at_period_end } = subscription;
  const { confirm, openSheet } = useDialogs();
  const leave = useLeaveDeleted("/subscriptions");
  const toasts = useToasts();
  const change = useChangeSubscription(_id);
  const remove = useRemoveSubscription(_id, leave);
  const may = useMay();
  const canChange = may(endpoints.update);
  const canRemove = may(endpoints.remove);
  const running = canChange && requestableMoves.cancel.includes(status);

  const ask = (question: Question) => {
    let close_links = true;
    const body = () => (question === "cancel" ? { ...changes.cancel, close_links } : changes[question as Change]);
    void confirm({
      title: t(`questions.${question}.title`),
      body: (
        <Consequences
          question={question}
          subscription={subscription}
          owes={owes}
          onCloseLinks={(close) => {
            close_links = close;
          }}
        />
      ),
      action: t(`questions.${question}.action`),
      destructive: destructive[question],
      run: () =>
        toasts.report(question === "remove" ? remove.mutateAsync(undefined) : change.mutateAsync(body()), {
          done: t(`questions.${question}.done`, { email }),
          failed: t("actions.failed"),
        }),
    });
  };
  const changeContact = () =>
    openSheet({
      title: t("changeContact.title"),
      content: (close) => <ChangeContact subscription={subscription} onDone={close} />,
    });

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
          running && {
            label: t("actions.changeContact"),
            icon: EnvelopeSimpleIcon,
            edits: true,
            onClick: changeContact,
          },
          running &&
            !cancel_at_period_end &&
            status !== "unpaid" &&
            status !== "paused" && {
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
    </div>
  );
}
