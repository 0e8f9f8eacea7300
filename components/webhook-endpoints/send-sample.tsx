import { useTranslations } from "use-intl";
import { readType } from "@/components/events/words";
import { contractResolver } from "@/components/ui/contract-form";
import { SelectField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { eventTypeNames, eventTypes } from "@/lib/resources/events/types";
import { webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { useSendSample } from "@/lib/resources/webhook-endpoints/queries";

interface Values {
  type: string;
}

const resolver = contractResolver<Values>(webhookEndpointEndpoints.sample.body, ({ type }) => ({ type }));

export function SendSample({ id, onSent }: { id: string; onSent: () => void }) {
  const t = useTranslations("webhooks.sample");
  const sample = useSendSample(id);
  const toasts = useToasts();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { type: "payment_link.paid" },
    fields: ["type"],
    send: async ({ type }, idempotencyKey) => {
      await sample.mutateAsync({ type: readType(type) ?? "payment_link.paid", idempotencyKey });
      toasts.add({ title: t("sent", { type }) });
      onSent();
    },
  });
  return (
    <SheetForm label={t("label")} action={t("send")} {...form}>
      <p className="text-base text-kumo-subtle">
        {t.rich("text", { sample: () => <code className="font-mono text-sm">{'"sample": true'}</code> })}
      </p>
      <SelectField {...field("type")} label={t("type")}>
        {eventTypeNames.map((type) => (
          <option key={type} value={type} title={eventTypes[type].summary}>
            {type}
          </option>
        ))}
      </SelectField>
    </SheetForm>
  );
}
