import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrayIcon } from "@phosphor-icons/react/dist/ssr/Tray";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import type { EmailSummary } from "@/lib/resources/emails/contract";
import type { TextsOf } from "@/messages/texts-of";

type Status = EmailSummary["status"];

const looks: Record<Status, Omit<Look, "label">> = {
  queued: { icon: HourglassIcon, tone: "info" },
  sent: { icon: CheckCircleIcon, tone: "good" },
  outbox: { icon: TrayIcon, tone: "quiet" },
  failed: { icon: WarningCircleIcon, tone: "bad" },
  dropped: { icon: ProhibitIcon, tone: "quiet" },
};

export function EmailBadge({ status }: { status: Status }) {
  const t = useTranslations("emails.status");
  return <Pill label={t(status)} {...looks[status]} />;
}

/** An e-mail has no subject until a worker has rendered it. */
export const subjectOf = (t: TextsOf<"emails.template">, { subject, template }: EmailSummary): string =>
  subject ?? t(template);
