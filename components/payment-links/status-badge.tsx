import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleIcon } from "@phosphor-icons/react/dist/ssr/Circle";
import { CircleNotchIcon } from "@phosphor-icons/react/dist/ssr/CircleNotch";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { PauseCircleIcon } from "@phosphor-icons/react/dist/ssr/PauseCircle";
import { useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";

type Status = PaymentLink["status"];

const looks: Record<Status, Omit<Look, "label">> = {
  Active: { icon: CircleIcon, tone: "info" },
  Processing: { icon: CircleNotchIcon, tone: "warning" },
  Paid: { icon: CheckCircleIcon, tone: "good" },
  Inactive: { icon: PauseCircleIcon, tone: "quiet" },
  Expired: { icon: ClockIcon, tone: "quiet" },
};

export function StatusBadge({ status }: { status: Status }) {
  const t = useTranslations("paymentLinks.status");
  return <Pill {...looks[status]} label={t(status)} />;
}
