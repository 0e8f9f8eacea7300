import { BankIcon } from "@phosphor-icons/react/dist/ssr/Bank";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { CircleIcon } from "@phosphor-icons/react/dist/ssr/Circle";
import { CircleNotchIcon } from "@phosphor-icons/react/dist/ssr/CircleNotch";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { PauseCircleIcon } from "@phosphor-icons/react/dist/ssr/PauseCircle";
import { useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";

type Status = PaymentLink["status"];

export const paymentLinkLooks: Record<Status, Omit<Look, "label">> = {
  Active: { icon: CircleIcon, tone: "info" },
  Processing: { icon: CircleNotchIcon, tone: "warning" },
  Paid: { icon: CheckCircleIcon, tone: "good" },
  Inactive: { icon: PauseCircleIcon, tone: "quiet" },
  Expired: { icon: ClockIcon, tone: "quiet" },
};

export function StatusBadge({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks.status");
  const { status, awaiting_transfer_since } = link;
  if (status === "Active" && awaiting_transfer_since !== null)
    return <Pill icon={BankIcon} tone="warning" label={t("awaitingTransfer")} />;
  return <Pill {...paymentLinkLooks[status]} label={t(status)} />;
}
