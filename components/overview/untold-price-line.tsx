import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { linkClass } from "@/components/ui/detail";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import { emailEndpoints } from "@/lib/resources/emails/contract";
import { useResendEmail } from "@/lib/resources/emails/queries";
import type { UntoldPrice } from "@/lib/resources/reports/problems-contract";
import { ProblemLine } from "./problem-line";

/** A subscription whose customer was not notified of a new price. Its action resends the e-mail, to the present address. */
export function UntoldPriceLine({ price }: { price: UntoldPrice }) {
  const { email, mail } = price;
  const t = useTranslations("overview.problems");
  const may = useMay();
  const resend = useResendEmail();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const canResend = mail !== null && mail.status !== "queued" && may(emailEndpoints.resend);
  const run = async ({ _id: id }: { _id: string }) => {
    try {
      await resend.mutateAsync({ id, idempotencyKey });
      renewKey();
      return { words: t("resent", { email }) };
    } catch (error) {
      renewKey(error);
      throw error;
    }
  };
  const label = t("resend");
  const about = t("actionAbout", { action: label, email });
  return (
    <ProblemLine
      actions={canResend ? [{ label, about, run: () => run(mail), failed: t("resendFailed", { email }) }] : []}
    >
      <Link href={`/subscriptions/${price.subscription_id}`} className={`text-kumo-strong ${linkClass}`}>
        {email}
      </Link>{" "}
      {t("untold", { amount: formatMoney(price.amount_cents, price.currency), package: price.package })}
      {mail && (
        <span className="block text-sm text-kumo-subtle">
          {t.rich(`notice.${mail.status}`, { when: () => <Moment at={mail.at} time /> })}
        </span>
      )}
    </ProblemLine>
  );
}
