import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { useToasts } from "@/components/ui/toasts";
import { usePaymentAction } from "@/lib/resources/payments/queries";

/** Confirms that the attempt's page at the gateway may be closed, then withdraws the attempt. */
export function useWithdraw(id: string): () => void {
  const t = useTranslations("payments.actions");
  const { confirm } = useDialogs();
  const act = usePaymentAction();
  const toasts = useToasts();
  return () =>
    void confirm({
      title: t("withdrawTitle"),
      body: <p>{t("withdrawText")}</p>,
      action: t("withdraw"),
      destructive: true,
      run: () =>
        toasts
          .report(act.mutateAsync({ id, action: "cancel" }), { done: t("withdrawn"), failed: t("withdrawFailed") })
          .then(() => undefined),
    });
}

export function WithdrawButton({ id }: { id: string }) {
  const t = useTranslations("payments.actions");
  const withdraw = useWithdraw(id);
  return (
    <Button variant="secondary" icon={<XCircleIcon size={16} />} onClick={withdraw}>
      {t("withdraw")}
    </Button>
  );
}
