import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { EnvelopeSimpleIcon } from "@phosphor-icons/react/dist/ssr/EnvelopeSimple";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { TrayIcon } from "@phosphor-icons/react/dist/ssr/Tray";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { useTranslations } from "use-intl";
import { linkClass } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import type { EmailSummary } from "@/lib/resources/emails/contract";
import type { TextsOf } from "@/messages/texts-of";

const looks = {
  queued: { Icon: HourglassIcon, tone: "text-kumo-subtle" },
  sent: { Icon: CheckCircleIcon, tone: "text-kumo-success" },
  outbox: { Icon: TrayIcon, tone: "text-kumo-subtle" },
  failed: { Icon: WarningCircleIcon, tone: "text-kumo-danger" },
  dropped: { Icon: WarningCircleIcon, tone: "text-kumo-danger" },
} as const satisfies Record<EmailSummary["status"], unknown>;

interface MailTexts {
  t: TextsOf<"paymentLinks.created.mail">;
  dropped: TextsOf<"emails.dropped">;
}

function wordsOf(
  { t, dropped }: MailTexts,
  { status, to: email, last_error, drop_reason, livemode }: EmailSummary,
): string {
  if (status === "sent") return t("sent", { email });
  if (status === "outbox") return t(livemode ? "noServer" : "testMode", { email });
  if (status === "dropped" && drop_reason) return dropped(drop_reason);
  if (status === "queued") return last_error ? t("retrying", { error: last_error }) : t("queued", { email });
  return last_error ? t("failed", { email, error: last_error }) : t("failedUnexplained", { email });
}

/**
 * Says whether a link's mail was sent.
 * @param mail the newest one; null if there is none, undefined until it is known
 */
export function LinkMail({ mail, email }: { mail: EmailSummary | null | undefined; email: string }) {
  const t = useTranslations("paymentLinks.created.mail");
  const dropped = useTranslations("emails.dropped");
  const { Icon, tone } = mail ? looks[mail.status] : { Icon: EnvelopeSimpleIcon, tone: "text-kumo-subtle" };
  const words = mail === undefined ? t("queued", { email }) : mail === null ? t("none") : wordsOf({ t, dropped }, mail);
  return (
    <div className="flex items-start gap-2 rounded-lg px-3 py-2.5 text-base text-kumo-default ring ring-kumo-line">
      <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${tone}`} />
      <p role="status" className="min-w-0 flex-1 wrap-anywhere">
        {words}
      </p>
      {mail && mail.status !== "queued" && (
        <Link href={`/emails/${mail._id}`} className={`shrink-0 ${linkClass}`}>
          {t("view")}
        </Link>
      )}
    </div>
  );
}
