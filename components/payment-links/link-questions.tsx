import { useTranslations } from "use-intl";
import { type ConfirmOptions, useDialogs } from "@/components/ui/dialogs";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { onDemand } from "@/components/ui/on-demand";
import { randomKey } from "@/components/ui/random-key";
import { useToasts } from "@/components/ui/toasts";
import { pageMode } from "@/lib/client/call";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { type PaymentLinkAction, usePaymentLinkAction } from "@/lib/resources/payment-links/queries";

const PeriodQuestion = onDemand(() => import("./period-question").then(({ PeriodQuestion }) => PeriodQuestion));

/** Whether a link can no longer be changed, activated or deleted. */
export const isFixed = ({ status }: PaymentLink): boolean => status === "Paid" || status === "Processing";

/**
 * Asks before a link is activated, deactivated, sent or deleted. For a subscription's period the question also says what this
 * does to the subscription.
 */
export function useLinkQuestion(link: PaymentLink, onRemoved?: () => void): (action: PaymentLinkAction) => void {
  const t = useTranslations("paymentLinks.questions");
  const { confirm, openDialog } = useDialogs();
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const act = usePaymentLinkAction();
  const toasts = useToasts();

  async function run(action: PaymentLinkAction): Promise<void> {
    // Only a mail keeps its key after a lost answer, so that it is not sent twice. A stored answer to one of the other actions
    // could be older than what others have done since.
    const key = action === "send" ? idempotencyKey : randomKey();
    const work = act.mutateAsync({ id: link._id, action, idempotencyKey: key });
    work.then(() => renewKey(), renewKey);
    const texts = { done: t(`${action}.done`, { title: link.title }), failed: t("failed") };
    if ((await toasts.report(work, texts)) && action === "remove") onRemoved?.();
  }

  return (action) => {
    const question: Omit<ConfirmOptions, "action"> = {
      title: t(`${action}.title`),
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
          {action === "send" && pageMode() === "test" && ` ${t("testMode")}`}
        </p>
      ),
      destructive: action === "remove",
      run: () => run(action),
    };
    const { subscription_id } = link;
    if (subscription_id === null) void confirm({ ...question, action: t(`${action}.action`) });
    else openDialog(<PeriodQuestion {...question} link={link} subscriptionId={subscription_id} asked={action} />);
  };
}
