import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleIcon } from "@phosphor-icons/react/dist/ssr/Circle";
import { FlagCheckeredIcon } from "@phosphor-icons/react/dist/ssr/FlagCheckered";
import { PauseCircleIcon } from "@phosphor-icons/react/dist/ssr/PauseCircle";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { type Look, Pill } from "@/components/shell/pill";
import type { SubscriptionStatus } from "@/lib/subscriptions/contract";

const looks: Record<SubscriptionStatus, Look> = {
  created: { label: "Created", icon: CircleIcon, tone: "info" },
  active: { label: "Active", icon: CheckCircleIcon, tone: "good" },
  past_due: { label: "Past due", icon: WarningCircleIcon, tone: "warning" },
  paused: { label: "Paused", icon: PauseCircleIcon, tone: "quiet" },
  unpaid: { label: "Unpaid", icon: XCircleIcon, tone: "bad" },
  cancel: { label: "Cancelled", icon: ProhibitIcon, tone: "quiet" },
  completed: { label: "Completed", icon: FlagCheckeredIcon, tone: "quiet" },
};

export const statusLabels = Object.fromEntries(
  Object.entries(looks).map(([status, { label }]) => [status, label]),
) as Record<SubscriptionStatus, string>;

export const SubscriptionBadge = ({ status }: { status: SubscriptionStatus }) => <Pill {...looks[status]} />;
