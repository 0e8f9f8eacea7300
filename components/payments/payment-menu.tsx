import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { onDemand } from "@/components/ui/on-demand";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { isOpen, usePaymentAction } from "@/lib/resources/payments/queries";
import { useWithdraw } from "./withdraw";

const SettleForm = onDemand(() => import("./settle-form").then(({ SettleForm }) => SettleForm));

/** The actions of staff on an open payment. */
export function PaymentMenu({ payment }: { payment: PaymentOfLink }) {
  const t = useTranslations("payments.actions");
  const outcome = useTranslations("overview.problems.checked");
  const { openSheet } = useDialogs();
  const act = usePaymentAction();
  const toasts = useToasts();
  const withdraw = useWithdraw(payment._id);
  const may = useMay();
  async function checkStatus(): Promise<void> {
    try {
      const { status } = await act.mutateAsync({ id: payment._id, action: "reconcile" });
      toasts.add({ title: outcome(status) });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.failed(t("checkFailed"), error);
    }
  }
  const settle = () =>
    openSheet({
      title: t("settleTitle"),
      content: (close) => <SettleForm payment={payment} onDone={close} />,
    });
  /** A button while the outcome is unknown, else a menu item. */
  const shown = payment.status === "unknown" && may(paymentEndpoints.reconcile);
  const actions = isOpen(payment)
    ? [
        !shown &&
          may(paymentEndpoints.reconcile) && {
            label: t("checkStatus"),
            icon: ArrowsClockwiseIcon,
            onClick: () => void checkStatus(),
          },
        payment.status === "requires_action" &&
          may(paymentEndpoints.cancel) && { label: t("withdraw"), icon: XCircleIcon, onClick: withdraw },
        may(paymentEndpoints.settle) && { label: t("settle"), icon: PencilSimpleIcon, onClick: settle },
      ].filter((action) => action !== false)
    : [];
  return (
    <>
      {shown && (
        <Button
          variant="secondary"
          className="ignores-double-click"
          icon={<ArrowsClockwiseIcon size={16} />}
          loading={act.isPending}
          onClick={() => void checkStatus()}
        >
          {t("checkStatus")}
        </Button>
      )}
      {actions.length > 0 && <RowMenu label={t("more")} variant="secondary" actions={actions} />}
    </>
  );
}
