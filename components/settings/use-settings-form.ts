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

/** Replaces underscores in field names: "thank_you_text" becomes "thank you text". */
const withSpaces = (text: string): string => text.replace(/[a-z]+(_[a-z]+)+/g, (name) => name.replace(/_/g, " "));

export function useSettingsForm<Values extends FieldValues>(options: SettingsForm<Values>) {
  const { defaultValues, fields, toBody, reword = (errors: FieldErrors) => errors } = options;
  const t = useTranslations("settings.form");
  const save = useUpdateSettings();
  const readAt = useReadAt();
  const toasts = useToasts();
  const router = useRouter();
  const say = (errors: FieldErrors): FieldErrors =>
    Object.fromEntries(Object.entries(reword(errors)).map(([field, texts]) => [field, texts.map(withSpaces)]));
  const form = useSheetForm<Values>({
    resolver: contractResolver<Values>(settingsUpdate, toBody, say),
    defaultValues,
    fields,
    reword: say,
    send: async (values) => {
      readAt.current = (await save.mutateAsync({ body: toBody(values), readAt: readAt.current })).updated_at;
      toasts.add({ title: t("saved") });
      router.refresh(); // the frame shows the business's name
    },
  });
  return { ...form, endpoint: settingsEndpoints.update };
}
