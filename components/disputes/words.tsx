import { BankIcon } from "@phosphor-icons/react/dist/ssr/Bank";
import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { QuestionIcon } from "@phosphor-icons/react/dist/ssr/Question";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import type { Dispute } from "@/lib/resources/disputes/contract";

const looks: Record<Dispute["status"], Omit<Look, "label">> = {
  inquiry_needs_response: { icon: QuestionIcon, tone: "warning" },
  inquiry_under_review: { icon: HourglassIcon, tone: "info" },
  inquiry_closed: { icon: ProhibitIcon, tone: "info" },
  needs_response: { icon: BankIcon, tone: "warning" },
  under_review: { icon: HourglassIcon, tone: "info" },
  prevented: { icon: ProhibitIcon, tone: "info" },
  won: { icon: CheckCircleIcon, tone: "good" },
  lost: { icon: XCircleIcon, tone: "bad" },
};

/** @param label by default the status; the list of payments shows "Disputed" instead */
export function DisputeBadge({ status, label }: { status: Dispute["status"]; label?: string }) {
  const t = useTranslations("disputes.status");
  return <Pill {...looks[status]} label={label ?? t(status)} />;
}
