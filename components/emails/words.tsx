import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { TrayIcon } from "@phosphor-icons/react/dist/ssr/Tray";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { type Look, Pill } from "@/components/shell/pill";
import type { EmailSummary } from "@/lib/emails/contract";

type Status = EmailSummary["status"];

export const statusLabels = {
  queued: "Queued",
  sent: "Sent",
  outbox: "Kept here",
  failed: "Failed",
} as const satisfies Record<Status, string>;

const looks: Record<Status, Look> = {
  queued: { label: statusLabels.queued, icon: HourglassIcon, tone: "info" },
  sent: { label: statusLabels.sent, icon: CheckCircleIcon, tone: "good" },
  outbox: { label: statusLabels.outbox, icon: TrayIcon, tone: "quiet" },
  failed: { label: statusLabels.failed, icon: WarningCircleIcon, tone: "bad" },
};

export const EmailBadge = ({ status }: { status: Status }) => <Pill {...looks[status]} />;

/** What a mail is, in two words. */
export const templateLabels: Record<EmailSummary["template"], string> = {
  payment_link: "Payment link",
  receipt: "Receipt",
  payment_failed: "Payment failed",
  renewal_notice: "Renewal notice",
  card_expiring: "Card expiring",
  subscription_canceled: "Subscription cancelled",
  invitation: "Invitation",
  password_reset: "Password reset",
  webhook_failing: "Webhook failing",
};

/** Its subject; what it is, for the moment until it has one. */
export const subjectOf = ({ subject, template }: EmailSummary): string => subject ?? templateLabels[template];
