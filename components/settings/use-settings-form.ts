import { useRouter } from "next/navigation";
import type { DefaultValues, FieldValues, Path } from "react-hook-form";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import type { FieldErrors } from "@/lib/core/errors";
import { type SettingsBody, settingsEndpoints, settingsUpdate } from "@/lib/resources/settings/contract";
import { useUpdateSettings } from "@/lib/resources/settings/queries";
import { useReadAt } from "./read-at";

interface SettingsForm<Values extends FieldValues> {
  defaultValues: DefaultValues<Values>;
  fields: readonly Path<Values>[];
  toBody: (values: Values) => SettingsBody;
  reword?: (errors: FieldErrors) => FieldErrors;
}

export function useSettingsForm<Values extends FieldValues>(options: SettingsForm<Values>) {
  const { defaultValues, fields, toBody, reword } = options;
  const t = useTranslations("settings.form");
  const save = useUpdateSettings();
  const readAt = useReadAt();
  const toasts = useToasts();
  const router = useRouter();
  const form = useSheetForm<Values>({
    resolver: contractResolver<Values>(settingsUpdate, toBody, reword),
    defaultValues,
    fields,
    reword,
    send: async (values) => {
      readAt.current = (await save.mutateAsync({ body: toBody(values), readAt: readAt.current })).updated_at;
      toasts.add({ title: t("saved") });
      router.refresh(); // the frame shows the business's name
    },
  });
  return { ...form, endpoint: settingsEndpoints.update };
}
