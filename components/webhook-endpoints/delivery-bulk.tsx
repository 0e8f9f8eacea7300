import { useState } from "react";
import { useTranslations } from "use-intl";
import { BulkDialog, focusFirstOf, forEachRow } from "@/components/ui/bulk-dialog";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { useToasts } from "@/components/ui/toasts";
import type { WebhookDelivery } from "@/lib/resources/webhook-endpoints/contract";
import { useRedeliver } from "@/lib/resources/webhook-endpoints/queries";
import { useFollowRedelivery } from "./use-follow-redelivery";

interface DeliveryBulkProps {
  deliveries: WebhookDelivery[];
  onDone: () => void;
}

/** Redelivers the selected deliveries. Asks first if some were delivered already: they arrive twice. */
export function DeliveryBulk({ deliveries, onDone }: DeliveryBulkProps) {
  const t = useTranslations("webhooks.bulk");
  const { openDialog } = useDialogs();
  const toasts = useToasts();
  const redeliver = useRedeliver();
  const follow = useFollowRedelivery();
  const [busy, setBusy] = useState(false);
  const delivered = deliveries.filter(({ status }) => status === "succeeded").length;

  function ask(): void {
    const queued: string[] = [];
    openDialog(
      <BulkDialog
        title={t("title", { count: deliveries.length })}
        body={<p>{t("text", { count: delivered })}</p>}
        action={t("action")}
        rows={deliveries}
        nameOf={({ type }) => type}
        // A repetition makes the same delivery due again, so it needs no key.
        run={async ({ _id }) => queued.push((await redeliver.mutateAsync(_id))._id)}
        done={(count) => t("done", { count })}
        onFinished={() => {
          onDone();
          void follow(queued.splice(0));
        }}
      />,
    );
  }

  /** The selection stays if one failed, so that it can be repeated. */
  async function start(): Promise<void> {
    const queued: string[] = [];
    const failures: Error[] = [];
    setBusy(true);
    await forEachRow(deliveries, ({ _id }) =>
      redeliver.mutateAsync(_id).then(
        () => queued.push(_id),
        (error: Error) => failures.push(error),
      ),
    );
    setBusy(false);
    if (failures[0]) toasts.failed(t("failed", { count: failures.length }), failures[0]);
    else {
      toasts.add({ title: t("done", { count: queued.length }) });
      onDone();
    }
    void follow(queued);
    focusFirstOf(deliveries);
  }

  return (
    <Button variant="secondary" loading={busy} onClick={() => (delivered > 0 ? ask() : void start())}>
      {t("action")}
    </Button>
  );
}
