import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleIcon } from "@phosphor-icons/react/dist/ssr/Circle";
import { FlagCheckeredIcon } from "@phosphor-icons/react/dist/ssr/FlagCheckered";
import { PauseCircleIcon } from "@phosphor-icons/react/dist/ssr/PauseCircle";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import { StatusBadge } from "@/components/payment-links/status-badge";
import { type Look, Pill } from "@/components/ui/pill";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Subscription, SubscriptionStatus } from "@/lib/resources/subscriptions/contract";

export const subscriptionLooks: Record<SubscriptionStatus, Omit<Look, "label">> = {
  created: { icon: CircleIcon, tone: "info" },
  active: { icon: CheckCircleIcon, tone: "good" },
  past_due: { icon: WarningCircleIcon, tone: "warning" },
  paused: { icon: PauseCircleIcon, tone: "quiet" },
  unpaid: { icon: XCircleIcon, tone: "bad" },
  cancel: { icon: ProhibitIcon, tone: "quiet" },
  completed: { icon: FlagCheckeredIcon, tone: "quiet" },
};

/** Whether the charge of the first period was declined. */
const firstFailed = ({ status, payment_links }: Pick<Subscription, "status" | "payment_links">): boolean =>
  status === "created" && payment_links.some((link) => link.status === "Active" && link.attempt_count > 0);

export function SubscriptionBadge({ subscription }: { subscription: Pick<Subscription, "status" | "payment_links"> }) {
  const t = useTranslations("subscriptions.status");
  const { status } = subscription;
  if (firstFailed(subscription)) return <Pill {...subscriptionLooks.past_due} label={t("firstFailed")} />;
  return <Pill {...subscriptionLooks[status]} label={t(status)} />;
}

interface PeriodBadgeProps {
  link: PaymentLink;
  subscription: Pick<Subscription, "status">;
}

/** The status of a period's link, except that an unpaid one is open, or overdue while its subscription is past due or unpaid. */
export function PeriodBadge({ link, subscription: { status } }: PeriodBadgeProps) {
  const t = useTranslations("subscriptions.periods");
  if (link.status !== "Active" || link.awaiting_transfer_since !== null) return <StatusBadge link={link} />;
  const overdue = status === "past_due" || status === "unpaid";
  return <Pill {...subscriptionLooks[overdue ? status : "created"]} label={t(overdue ? "overdue" : "open")} />;
}
