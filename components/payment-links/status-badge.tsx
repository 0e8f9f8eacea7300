import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleIcon } from "@phosphor-icons/react/dist/ssr/Circle";
import { CircleNotchIcon } from "@phosphor-icons/react/dist/ssr/CircleNotch";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { PauseCircleIcon } from "@phosphor-icons/react/dist/ssr/PauseCircle";
import { useTranslations } from "use-intl";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";

type Status = PaymentLink["status"];

/** Icon and word carry the state, colour only helps: for whoever does not see it. */
const looks = {
  Active: { icon: CircleIcon, tone: "bg-kumo-info-tint text-kumo-info" },
  Processing: { icon: CircleNotchIcon, tone: "bg-kumo-warning-tint text-(--ink-warning)" },
  Paid: { icon: CheckCircleIcon, tone: "bg-kumo-success-tint text-kumo-success" },
  Inactive: { icon: PauseCircleIcon, tone: "bg-kumo-tint text-kumo-subtle" },
  Expired: { icon: ClockIcon, tone: "bg-kumo-tint text-kumo-subtle" },
} as const satisfies Record<Status, unknown>;

export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations("paymentLinks.status");
  const { icon: Icon, tone } = looks[status];
  return (
    <span className={`inline-flex h-6 items-center gap-1 rounded-full pr-2 pl-1.5 text-xs font-medium ${tone}`}>
      <Icon size={14} weight="bold" aria-hidden />
      {t(status)}
    </span>
  );
}
