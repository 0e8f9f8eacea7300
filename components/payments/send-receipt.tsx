import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useDialogs } from "@/components/ui/dialogs";
import { sendOnce, unansweredAbout } from "@/components/ui/idempotency-key";
import type { RowAction } from "@/components/ui/menu-popup";
import { useToasts } from "@/components/ui/toasts";
import { formatMoney } from "@/lib/core/money";
import { emailEndpoints } from "@/lib/resources/emails/contract";
import { receiptMailQueryOptions, useResendEmail } from "@/lib/resources/emails/queries";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";

/** The payments whose question is open or loads. Kept outside the hook, because a row's menu unmounts when it closes. */
const asking = new Set<string>();

/** The action that finds the payment's newest receipt mail, and asks before it is sent again. None unless the payment succeeded. */
export function useSendReceipt(payment: PaymentOfLink): RowAction[] {
  const { _id, title, amount_cents, currency, livemode, status } = payment;
  const actions = useTranslations("payments.actions");
  const may = useMay();
  const t = useTranslations("payments.sendReceipt");
  const questions = useTranslations("paymentLinks.questions");
  const client = useQueryClient();
  const resend = useResendEmail();
  const { confirm } = useDialogs();
  const toasts = useToasts();
  const resending = `resend the receipt of ${_id}`;

  async function send(id: string): Promise<void> {
    const work = sendOnce(resending, id, (idempotencyKey) => resend.mutateAsync({ id, idempotencyKey }));
    const done = livemode ? t("done", { title }) : questions("testMode");
    await toasts.report(work, { done, failed: t("failed") });
  }

  async function ask(): Promise<void> {
    const { pathname } = location;
    const [mail] = (await client.fetchQuery(receiptMailQueryOptions(_id))).rows;
    if (location.pathname !== pathname) return; // the user has left the page
    if (!mail) return toasts.add({ title: t("none") });
    // After a lost response, the newest mail may be its copy.
    const again = unansweredAbout(resending);
    if (!mail.resendable && !again) return toasts.add({ title: t("queued") });
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
      run: () => send(again ?? mail._id),
    });
  }

  async function askOnce(): Promise<void> {
    if (asking.has(_id)) return;
    asking.add(_id);
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.failed(t("failed"), error);
    } finally {
      asking.delete(_id);
    }
  }
  if (!may(emailEndpoints.resend) || status !== "succeeded") return [];
  return [{ label: actions("sendReceipt"), icon: PaperPlaneTiltIcon, onClick: () => void askOnce() }];
}

interface SendReceiptProps {
  payment: PaymentOfLink;
  children: (actions: RowAction[]) => ReactNode;
}

/** For a row's menu, which loads it when it opens. */
export function SendReceipt({ payment, children }: SendReceiptProps) {
  return children(useSendReceipt(payment));
}
