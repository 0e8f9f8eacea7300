import { ArrowCounterClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowCounterClockwise";
import { CalendarXIcon } from "@phosphor-icons/react/dist/ssr/CalendarX";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { LinkSimpleIcon } from "@phosphor-icons/react/dist/ssr/LinkSimple";
import { PauseIcon } from "@phosphor-icons/react/dist/ssr/Pause";
import { PlayIcon } from "@phosphor-icons/react/dist/ssr/Play";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useLeaveDeleted } from "@/components/shell/use-leave-deleted";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import type { RowAction } from "@/components/ui/menu-popup";
import { onDemand } from "@/components/ui/on-demand";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import {
  subscriptionEndpoints as endpoints,
  requestableMoves,
  type Subscription,
  type SubscriptionUpdate,
} from "@/lib/resources/subscriptions/contract";
import {
  subscriptionQueryOptions,
  useChangeSubscription,
  useRemoveSubscription,
} from "@/lib/resources/subscriptions/queries";
import { openPeriodOf } from "./next-charge";
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

/**
 * The actions on a subscription that its state and the user's role allow.
 * @param readOwes resolves to whether a period is unpaid, which some questions mention
 */
function useSubscriptionActions(subscription: Subscription, readOwes: () => Promise<boolean>, onRemoved: () => void) {
  const t = useTranslations("subscriptions");
  const { _id, email, status, cancel_at_period_end } = subscription;
  const { confirm, openSheet } = useDialogs();
  const toasts = useToasts();
  const change = useChangeSubscription(_id);
  const remove = useRemoveSubscription(_id, onRemoved);
  const may = useMay();
  const canChange = may(endpoints.update);
  const running = canChange && requestableMoves.cancel.includes(status);
  const endsLater = running && !cancel_at_period_end && status !== "unpaid" && status !== "paused";

  async function ask(question: Question): Promise<void> {
    let close_links = true;
    const body = () => (question === "cancel" ? { ...changes.cancel, close_links } : changes[question as Change]);
    try {
      const owes = await readOwes();
      await confirm({
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
    } catch (error) {
      toasts.failed(t("actions.failed"), error as Error);
    }
  }
  const asks = (question: Question) => () => void ask(question);
  const changeContact = () =>
    openSheet({
      title: t("changeContact.title"),
      content: (close) => <ChangeContact subscription={subscription} onDone={close} />,
    });

  const others: (RowAction | false)[] = [
    running && { label: t("actions.changeContact"), icon: EnvelopeSimpleIcon, edits: true, onClick: changeContact },
    endsLater && { label: t("actions.endLater"), icon: CalendarXIcon, onClick: asks("endLater") },
    running &&
      cancel_at_period_end && { label: t("actions.keep"), icon: ArrowCounterClockwiseIcon, onClick: asks("keep") },
    running && { label: t("actions.cancel"), icon: ProhibitIcon, destructive: true, onClick: asks("cancel") },
    may(endpoints.remove) && {
      label: t("actions.remove"),
      icon: TrashIcon,
      destructive: true,
      onClick: asks("remove"),
    },
  ];
  return {
    pause: canChange &&
      requestableMoves.paused.includes(status) && {
        label: t("actions.pause"),
        icon: PauseIcon,
        onClick: asks("pause"),
      },
    resume: canChange &&
      requestableMoves.active.includes(status) && {
        label: t("actions.resume"),
        icon: PlayIcon,
        onClick: asks("resume"),
      },
    others: others.filter((action) => action !== false),
  };
}

/** All actions in one menu, for a row of a list. */
export function SubscriptionMenu({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions.actions");
  const { _id, email } = subscription;
  const client = useQueryClient();
  // A row of the list has only the newest periods, and an older one can be unpaid.
  const readOwes = async () =>
    (await client.fetchQuery({ ...subscriptionQueryOptions(_id), staleTime: 0 })).open !== null;
  const { pause, resume, others } = useSubscriptionActions(subscription, readOwes, () => undefined);
  const router = useRouter();
  const owed = openPeriodOf(subscription);
  const openOwed = owed !== undefined && {
    label: t("openUnpaid"),
    icon: LinkSimpleIcon,
    onClick: () => router.push(`/payment-links/${owed._id}`),
  };
  const actions = [openOwed, pause, resume, ...others].filter((action) => action !== false);
  if (actions.length === 0) return null;
  return <RowMenu label={t("moreOf", { email, package: subscription.package.name })} actions={actions} />;
}

interface SubscriptionActionsProps {
  subscription: Subscription;
  owes: boolean;
}

/** The actions for the subscription's page and for the side peek: the main ones are buttons. */
export function SubscriptionActions({ subscription, owes }: SubscriptionActionsProps) {
  const t = useTranslations("subscriptions.actions");
  const leave = useLeaveDeleted("/subscriptions");
  const { pause, resume, others } = useSubscriptionActions(subscription, () => Promise.resolve(owes), leave);
  if (!pause && !resume && others.length === 0) return null;
  return (
    <div className="flex items-center gap-2">
      {pause && (
        <Button variant="secondary" icon={<PauseIcon size={16} />} onClick={pause.onClick}>
          {pause.label}
        </Button>
      )}
      {resume && (
        <Button variant="primary" icon={<PlayIcon size={16} />} onClick={resume.onClick}>
          {resume.label}
        </Button>
      )}
      <RowMenu label={t("more")} variant="secondary" actions={others} />
    </div>
  );
}
