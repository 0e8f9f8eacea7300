"use client";

import { useState } from "react";
import { useWatch } from "react-hook-form";
import { PayPreview } from "@/components/payment-links/pay-preview";
import { Field, TextArea, TextInput } from "@/components/ui/field";
import { isColour, paletteOf } from "@/lib/settings/colour";
import type { Settings } from "@/lib/settings/contract";
import { LogoField } from "./logo-field";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

type Values = { brand_colour: string; thank_you_text: string };

const toBody = ({ brand_colour, thank_you_text }: Values) => ({
  brand_colour: brand_colour.trim() || null,
  thank_you_text: thank_you_text.trim() ? thank_you_text : null,
});

/** Paydesk's own accent, where the colour well begins. */
const house = "#0b5566";

/** Colour, logo and words, and beside them what payers will see. */
export function Branding({ settings, canWrite }: { settings: Settings; canWrite: boolean }) {
  const { register, errorOf, setValue, control, ...form } = useSettingsForm<Values>({
    defaultValues: { brand_colour: settings.brand_colour ?? "", thank_you_text: settings.thank_you_text ?? "" },
    fields: ["brand_colour", "thank_you_text"],
    toBody,
  });
  const typed = useWatch({ control, name: "brand_colour" }).trim();
  const colour = isColour(typed) ? typed : null;
  const [well, setWell] = useState(settings.brand_colour ?? house);
  return (
    <div className="grid gap-6">
      <LogoField settings={settings} canWrite={canWrite} />
      <SectionForm label="Branding" canWrite={canWrite} {...form}>
        <Field label="Colour" optional error={errorOf("brand_colour")} hint={colourHint(colour)}>
          {(input) => (
            <div className="flex gap-2">
              <input
                type="color"
                aria-label="Choose a colour"
                value={colour?.toLowerCase() ?? well}
                onChange={({ target }) => {
                  setWell(target.value);
                  setValue("brand_colour", target.value, { shouldValidate: true, shouldDirty: true });
                }}
                className="h-9 w-12 shrink-0 rounded-lg border border-kumo-line bg-kumo-base p-1"
              />
              <TextInput
                {...input}
                {...register("brand_colour")}
                placeholder="Paydesk’s own"
                autoComplete="off"
                spellCheck={false}
                className="max-w-40 font-mono"
              />
            </div>
          )}
        </Field>
        <Field
          label="Thank-you text"
          optional
          error={errorOf("thank_you_text")}
          hint="What payers read once they have paid, on the page and in the receipt’s e-mail. Plain text."
        >
          {(input) => <TextArea {...input} {...register("thank_you_text")} rows={3} />}
        </Field>
      </SectionForm>
      <figure>
        <figcaption className="mb-2 text-sm text-kumo-subtle">What your payers see</figcaption>
        <div className="flex h-168 flex-col overflow-hidden rounded-xl bg-kumo-elevated">
          <PayPreview
            amount="10.50"
            currency={settings.currency}
            title="Order 1001"
            description=""
            business={{ ...settings, brand_colour: colour }}
          />
        </div>
      </figure>
    </div>
  );
}

function colourHint(colour: string | null): string {
  if (!colour) return "Of buttons and marks on what payers see, such as #1d4ed8.";
  const { ink, contrast } = paletteOf(colour);
  return `Written on in ${ink === "#ffffff" ? "white" : "black"}, ${contrast} to 1. Links are made darker or lighter where they need it.`;
}
