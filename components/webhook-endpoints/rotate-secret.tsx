import { useState } from "react";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { SelectField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { useRotateSecret } from "@/lib/resources/webhook-endpoints/queries";
import { SecretShown } from "./secret-shown";

interface Values {
  overlap_hours: string;
}

const overlapHours = [24, 72, 1, 0] as const;

const resolver = contractResolver<Values>(webhookEndpointEndpoints.rotateSecret.body, ({ overlap_hours }) => ({
  overlap_hours: Number(overlap_hours),
}));

export function RotateSecret({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTranslations("webhooks.rotate");
  const rotate = useRotateSecret(id);
  const [secret, setSecret] = useState<string | null>(null);
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { overlap_hours: "24" },
    fields: ["overlap_hours"],
    secret: true,
    send: async (values, idempotencyKey) => {
      const overlap_hours = Number(values.overlap_hours);
      setSecret((await rotate.mutateAsync({ overlap_hours, idempotencyKey })).secret);
    },
  });
  if (secret)
    return (
      <SecretShown title={t("done")} secret={secret} onDone={onDone}>
        {t("doneText")}
      </SecretShown>
    );
  return (
    <SheetForm label={t("label")} action={t("rotate")} {...form}>
      <p className="text-base text-kumo-subtle">{t("text")}</p>
      <SelectField {...field("overlap_hours")} label={t("overlap")}>
        {overlapHours.map((hours) => (
          <option key={hours} value={hours}>
            {t(`overlaps.${hours}`)}
          </option>
        ))}
      </SelectField>
    </SheetForm>
  );
}
