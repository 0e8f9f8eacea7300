import { useTranslations } from "use-intl";
import { BulkDialog } from "@/components/ui/bulk-dialog";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import type { WebhookDelivery } from "@/lib/resources/webhook-endpoints/contract";
import { useRedeliver } from "@/lib/resources/webhook-endpoints/queries";

interface DeliveryBulkProps {
  deliveries: WebhookDelivery[];
  onDone: () => void;
}

/** Redelivers the selected deliveries. */
export function DeliveryBulk({ deliveries, onDone }: DeliveryBulkProps) {
  const t = useTranslations("webhooks.bulk");
  const { openDialog } = useDialogs();
  const redeliver = useRedeliver();
  const ask = () =>
    openDialog(
      <BulkDialog
        title={t("title", { count: deliveries.length })}
        body={<p>{t("text")}</p>}
        action={t("action")}
        rows={deliveries}
        nameOf={({ type }) => type}
        // A repetition makes the same delivery due again, so it needs no key.
        run={({ _id }) => redeliver.mutateAsync(_id)}
        done={(count) => t("done", { count })}
        onFinished={onDone}
      />,
    );
  return (
    <Button variant="secondary" onClick={ask}>
      {t("action")}
    </Button>
  );
}
