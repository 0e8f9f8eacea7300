import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { SelectField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { useNow } from "@/lib/resources/test-clock/queries";
import { webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { useRedeliverFailed } from "@/lib/resources/webhook-endpoints/queries";
import { useFollowRedelivery } from "./use-follow-redelivery";

interface Values {
  hours: string;
}

const spanHours = [1, 24, 168, 720] as const;

const sinceOf = (hours: string, now: Date): Date => new Date(now.getTime() - Number(hours) * 3_600_000);

const resolver = contractResolver<Values>(webhookEndpointEndpoints.redeliverFailed.body, ({ hours }) => ({
  since: sinceOf(hours, new Date()).toISOString(),
}));

export function RedeliverFailed({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTranslations("webhooks.redeliver");
  const redeliver = useRedeliverFailed(id);
  const follow = useFollowRedelivery();
  const toasts = useToasts();
  const now = useNow();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { hours: "24" },
    fields: ["hours"],
    send: async ({ hours }) => {
      const { redelivered: count, delivery_ids, has_more } = await redeliver.mutateAsync(sinceOf(hours, now));
      toasts.add({ title: t(has_more ? "doneInPart" : "done", { count }) });
      void follow(delivery_ids, { count });
      onDone();
    },
  });
  return (
    <SheetForm label={t("label")} action={t("redeliver")} {...form}>
      <p className="text-base text-kumo-subtle">{t("text")}</p>
      <SelectField {...field("hours")} label={t("since")}>
        {spanHours.map((hours) => (
          <option key={hours} value={hours}>
            {t(`spans.${hours}`)}
          </option>
        ))}
      </SelectField>
    </SheetForm>
  );
}
