import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextAreaField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type UnknownCharge, unknownChargeEndpoints } from "@/lib/resources/unknown-charges/contract";
import { useAcknowledge } from "@/lib/resources/unknown-charges/queries";

type Values = { note: string };

const resolver = contractResolver<Values>(unknownChargeEndpoints.acknowledge.body, (values) => values);

export function AcknowledgeForm({ charge, onDone }: { charge: UnknownCharge; onDone: () => void }) {
  const t = useTranslations("overview.unknownCharges");
  const acknowledge = useAcknowledge();
  const toasts = useToasts();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { note: "" },
    fields: ["note"],
    // Needs no idempotency key: a repetition changes nothing.
    send: async ({ note }) => {
      await acknowledge.mutateAsync({ id: charge._id, note });
      toasts.add({ title: t("done") });
      onDone();
    },
  });
  return (
    <SheetForm label={t("acknowledge")} action={t("acknowledge")} {...form}>
      <p className="text-base text-kumo-subtle">{t("about")}</p>
      <TextAreaField {...field("note")} label={t("note")} rows={3} />
    </SheetForm>
  );
}
