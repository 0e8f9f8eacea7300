import { useState } from "react";
import { useWatch } from "react-hook-form";
import { useTranslations } from "use-intl";
import { PayPreview } from "@/components/payment-links/pay-preview";
import { Field, TextInput } from "@/components/ui/field";
import { TextAreaField } from "@/components/ui/form-fields";
import { isColour, paletteOf } from "@/lib/resources/settings/colour";
import type { Settings } from "@/lib/resources/settings/contract";
import type { TextsOf } from "@/messages/texts-of";
import { LogoField } from "./logo-field";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

type Values = { brand_colour: string; thank_you_text: string };

const toBody = ({ brand_colour, thank_you_text }: Values) => ({
  brand_colour: brand_colour.trim() || null,
  thank_you_text: thank_you_text.trim() ? thank_you_text : null,
});

const defaultColour = "#0b5566";

export function Branding({ settings }: { settings: Settings }) {
  const t = useTranslations("settings.branding");
  const { field, register, errorOf, setValue, control, ...form } = useSettingsForm<Values>({
    defaultValues: { brand_colour: settings.brand_colour ?? "", thank_you_text: settings.thank_you_text ?? "" },
    fields: ["brand_colour", "thank_you_text"],
    toBody,
  });
  const typed = useWatch({ control, name: "brand_colour" }).trim();
  const colour = isColour(typed) ? typed : null;
  const [well, setWell] = useState(settings.brand_colour ?? defaultColour);
  return (
    <div className="grid grid-cols-1 gap-6">
      <LogoField settings={settings} />
      <SectionForm label={t("label")} {...form}>
        <Field label={t("colour")} optional error={errorOf("brand_colour")} hint={colourHint(t, colour)}>
          {(input) => (
            <div className="flex gap-2">
              <input
                type="color"
                aria-label={t("choose")}
                value={colour?.toLowerCase() ?? well}
                onChange={({ target }) => {
                  setWell(target.value);
                  setValue("brand_colour", target.value, { shouldValidate: true, shouldDirty: true });
                }}
                className="h-9 w-12 pointer-coarse:h-11 shrink-0 rounded-lg border border-kumo-line bg-kumo-base p-1"
              />
              <TextInput
                {...input}
                {...register("brand_colour")}
                defaultValue={settings.brand_colour ?? ""}
                placeholder={t("own")}
                autoComplete="off"
                spellCheck={false}
                className="max-w-40 font-mono"
              />
            </div>
          )}
        </Field>
        <TextAreaField {...field("thank_you_text")} label={t("thankYou")} optional hint={t("thankYouHint")} rows={3} />
      </SectionForm>
      <figure>
        <figcaption className="mb-2 text-sm text-kumo-subtle">{t("preview")}</figcaption>
        <div className="flex h-168 flex-col overflow-hidden rounded-xl bg-kumo-elevated">
          <PayPreview
            amount="10.50"
            currency={settings.currency}
            title={t("sample")}
            description=""
            business={{ ...settings, brand_colour: colour }}
          />
        </div>
      </figure>
    </div>
  );
}

function colourHint(t: TextsOf<"settings.branding">, colour: string | null): string {
  if (!colour) return t("colourHint");
  const { ink, contrast } = paletteOf(colour);
  return t(ink === "#ffffff" ? "writtenInWhite" : "writtenInBlack", { contrast: String(contrast) });
}
