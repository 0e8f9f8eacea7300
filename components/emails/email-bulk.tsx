import { useTranslations } from "use-intl";
import { BulkDialog } from "@/components/ui/bulk-dialog";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import type { EmailSummary } from "@/lib/resources/emails/contract";
import { useResendEmail } from "@/lib/resources/emails/queries";

interface EmailBulkProps {
  emails: EmailSummary[];
  onDone: () => void;
}

/** Sends the selected e-mails again. */
export function EmailBulk({ emails, onDone }: EmailBulkProps) {
  const t = useTranslations("emails.bulk");
  const { openDialog } = useDialogs();
  const resend = useResendEmail();
  const rows = emails.filter(({ resendable }) => resendable);
  const leftOut = emails.length - rows.length;
  const ask = () =>
    openDialog(
      <BulkDialog
        title={t("title", { count: rows.length })}
        body={
          <>
            <p>{t("text")}</p>
            {leftOut > 0 && <p>{t("leftOut", { count: leftOut })}</p>}
          </>
        }
        action={t("action")}
        rows={rows}
        nameOf={({ to }) => to}
        run={({ _id }, idempotencyKey) => resend.mutateAsync({ id: _id, idempotencyKey })}
        done={(count) => t("done", { count })}
        onFinished={onDone}
      />,
    );
  return (
    <Button variant="secondary" disabled={rows.length === 0} onClick={ask}>
      {t("action")}
    </Button>
  );
}
