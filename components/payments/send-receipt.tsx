import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { useToasts } from "@/components/ui/toasts";
import { formatMoney } from "@/lib/core/money";
import { receiptMailQueryOptions, useResendEmail } from "@/lib/resources/emails/queries";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";

/** Finds the payment's newest receipt mail, and asks before it is sent again. */
export function useSendReceipt(payment: PaymentOfLink): () => Promise<void> {
  const { payment_link_id, title, amount_cents, currency, livemode } = payment;
  const t = useTranslations("payments.sendReceipt");
  const questions = useTranslations("paymentLinks.questions");
  const client = useQueryClient();
  const resend = useResendEmail();
  const { confirm } = useDialogs();
  const toasts = useToasts();
  const [idempotencyKey, renewKey] = useIdempotencyKey();

  async function send(id: string): Promise<void> {
    const work = resend.mutateAsync({ id, idempotencyKey });
    work.then(() => renewKey(), renewKey);
    await toasts.report(work, { done: t("done", { title }), failed: t("failed") });
  }
  return async () => {
    try {
      const [mail] = (await client.fetchQuery(receiptMailQueryOptions(payment_link_id))).rows;
      if (!mail) return toasts.add({ title: t("none"), description: t("noneText") });
      if (!mail.resendable) return toasts.add({ title: t("queued") });
      await confirm({
        title: t("title"),
        body: (
          <p>
            {t.rich("text", {
              to: mail.to,
              amount: formatMoney(amount_cents, currency),
              payer: (words) => <bdi className="font-medium wrap-anywhere text-kumo-default">{words}</bdi>,
            })}
            {!livemode && ` ${questions("testMode")}`}
          </p>
        ),
        action: t("action"),
        run: () => send(mail._id),
      });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.failed(t("failed"), error);
    }
  };
}
