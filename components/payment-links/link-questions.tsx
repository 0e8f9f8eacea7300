import { useTranslations } from "use-intl";
import type { ConfirmOptions } from "@/components/ui/dialog-frames";
import { useDialogs } from "@/components/ui/dialogs";
import { sendOnce } from "@/components/ui/idempotency-key";
import { onDemand } from "@/components/ui/on-demand";
import { randomKey } from "@/components/ui/random-key";
import { useToasts } from "@/components/ui/toasts";
import { pageMode } from "@/lib/client/call";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { type PaymentLinkAction, usePaymentLinkAction } from "@/lib/resources/payment-links/queries";

const PeriodQuestion = onDemand(() => import("./period-question").then(({ PeriodQuestion }) => PeriodQuestion));

/** A link in these states cannot be changed, activated or deleted. */
export const isFixed = ({ status }: PaymentLink): boolean => status === "Paid" || status === "Processing";

/** Whether the action makes an e-mail that is not sent: in test mode, payers get none. */
export const isOnlyKept = (action: string): boolean => action === "send" && pageMode() === "test";

/** Asks before an action. For a subscription's period, it also says what the action does to the subscription. */
export function useLinkQuestion(
  onRemoved?: () => void,
): (link: PaymentLink, action: PaymentLinkAction, title?: string) => void {
  const t = useTranslations("paymentLinks.questions");
  const { confirm, openDialog } = useDialogs();
  const act = usePaymentLinkAction();
  const toasts = useToasts();

  async function run(link: PaymentLink, action: PaymentLinkAction): Promise<void> {
    // Only sending repeats its key after a lost response, so that no second e-mail is sent. For the other actions, a
    // stored response could be older than a colleague's change.
    const start = (idempotencyKey: string) => act.mutateAsync({ id: link._id, action, idempotencyKey });
    const work = action === "send" ? sendOnce(`send ${link._id}`, link.updated_at, start) : start(randomKey());
    const done = isOnlyKept(action) ? t("testMode") : t(`${action}.done`, { title: link.title });
    if ((await toasts.report(work, { done, failed: t("failed") })) && action === "remove") onRemoved?.();
  }

  return (link, action, title = t(`${action}.title`)) => {
    const question: Omit<ConfirmOptions, "action"> = {
      title,
      body: (
        <p>
          {t.rich("link", {
            title: link.title,
            amount: formatMoney(link.amount_cents, link.currency),
            email: link.email,
            name: (words) => <bdi className="font-medium text-kumo-default">{words}</bdi>,
            payer: (words) => <bdi className="font-medium wrap-anywhere text-kumo-default">{words}</bdi>,
          })}{" "}
          {t(`${action}.text`)}
          {isOnlyKept(action) && ` ${t("testMode")}`}
        </p>
      ),
      destructive: action === "remove",
      run: () => run(link, action),
    };
    const { subscription_id } = link;
    if (subscription_id === null) void confirm({ ...question, action: t(`${action}.action`) });
    else openDialog(<PeriodQuestion {...question} link={link} subscriptionId={subscription_id} linkAction={action} />);
  };
}
