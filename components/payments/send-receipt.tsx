import { PaperPlaneTiltIcon } from "@phosphor-icons/react/dist/ssr/PaperPlaneTilt";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useDialogs } from "@/components/ui/dialogs";
import { sendOnce, wasRefused } from "@/components/ui/idempotency-key";
import type { RowAction } from "@/components/ui/menu-popup";
import { useToasts } from "@/components/ui/toasts";
import { formatMoney } from "@/lib/core/money";
import { emailEndpoints } from "@/lib/resources/emails/contract";
import { receiptMailQueryOptions, useResendEmail } from "@/lib/resources/emails/queries";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";

/** The action of a paid payment, for a menu. */
export function SendReceipt({
  payment,
  children,
}: {
  payment: PaymentOfLink;
  children: (actions: RowAction[]) => ReactNode;
}) {
  const t = useTranslations("payments.actions");
  const may = useMay();
  const send = useSendReceipt(payment);
  const action = { label: t("sendReceipt"), icon: PaperPlaneTiltIcon, onClick: () => void send() };
  return children(may(emailEndpoints.resend) ? [action] : []);
}

/** Finds the payment's newest receipt mail, and asks before it is sent again. */
export function useSendReceipt(payment: PaymentOfLink): () => Promise<void> {
  const { payment_link_id, title, amount_cents, currency, livemode } = payment;
  const t = useTranslations("payments.sendReceipt");
  const questions = useTranslations("paymentLinks.questions");
  const client = useQueryClient();
  const resend = useResendEmail();
  const { confirm } = useDialogs();
  const toasts = useToasts();
  const asking = useRef(false);
  /** The mail of a request whose response was lost: its copy may be the newest one now. */
  const unanswered = useRef<string>(undefined);

  async function send(id: string): Promise<void> {
    unanswered.current = id;
    const work = sendOnce(`resend ${id}`, (idempotencyKey) => resend.mutateAsync({ id, idempotencyKey }));
    const forget = () => {
      unanswered.current = undefined;
    };
    work.then(forget, (error) => wasRefused(error) && forget());
    const done = livemode ? t("done", { title }) : questions("testMode");
    await toasts.report(work, { done, failed: t("failed") });
  }

  async function ask(): Promise<void> {
    const [mail] = (await client.fetchQuery(receiptMailQueryOptions(payment_link_id))).rows;
    if (!mail) return toasts.add({ title: t("none") });
    const again = unanswered.current;
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

  return async () => {
    if (asking.current) return;
    asking.current = true;
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.failed(t("failed"), error);
    } finally {
      asking.current = false;
    }
  };
}
