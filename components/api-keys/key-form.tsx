import { useState } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { fromField } from "@/components/shell/local-time";
import { useOwnRole } from "@/components/shell/may";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, NativeSelect } from "@/components/ui/field";
import { TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { grantableScopes, resources, roleScopes, uncoveredScopes } from "@/lib/auth/scopes";
import type { FieldErrors } from "@/lib/core/errors";
import { apiKeyInput } from "@/lib/resources/api-keys/contract";
import { useCreateKey } from "@/lib/resources/api-keys/queries";

const presets = [
  { key: "everything", scopes: ["read", "write"] },
  { key: "readEverything", scopes: ["read"] },
  { key: "byResource", scopes: [] },
] as const;

/** The action of each resource, empty for none. */
type Chosen = Record<string, string>;

const scopesOf = (preset: number, chosen: Chosen): string[] =>
  preset === 2
    ? Object.entries(chosen).flatMap(([resource, action]) => (action ? [`${resource}:${action}`] : []))
    : [...(presets[preset]?.scopes ?? [])];

type Values = { name: string; scopes: string[]; expires: string; allowed_ips: string };

const listed = (lines: string): string[] => lines.split(/[\s,]+/).filter((entry) => entry !== "");

/** A key works until the end of its last day in the business's time zone. */
const endOf = (day: string, zone: string): string | null => (day ? fromField(`${day}T23:59:59`, zone) : null);

export function KeyForm({ onCreated }: { onCreated: (key: string) => void }) {
  const t = useTranslations("apiKeys.form");
  const create = useCreateKey();
  const zone = useTimeZone() ?? "UTC";
  const [preset, setPreset] = useState(0);
  const [chosen, setChosen] = useState<Chosen>({});
  const ownScopes = roleScopes[useOwnRole()];
  const toBody = ({ name, scopes, expires, allowed_ips }: Values) => ({
    ...{ name, scopes, expires_at: endOf(expires, zone), allowed_ips: listed(allowed_ips) },
  });
  const reword = ({ expires_at, scopes, allowed_ips, ...errors }: FieldErrors): FieldErrors => ({
    ...errors,
    ...(allowed_ips && { allowed_ips: allowed_ips.map((text) => text.replace("allowed_ips", "allowed IP addresses")) }),
    ...(scopes && { scopes: [t("chooseScopes")] }),
    ...(expires_at && { expires: [t("chooseDay")] }),
  });
  const form = useSheetForm<Values>({
    resolver: contractResolver<Values>(apiKeyInput, toBody, reword),
    defaultValues: { name: "", scopes: scopesOf(0, {}), expires: "", allowed_ips: "" },
    fields: ["name", "scopes", "expires", "allowed_ips"],
    reword,
    send: async (values, idempotencyKey) => {
      const { key } = await create.mutateAsync({ body: toBody(values), idempotencyKey });
      onCreated(key);
    },
  });
  const choose = (preset: number, chosen: Chosen): void => {
    setPreset(preset);
    setChosen(chosen);
    form.setValue("scopes", scopesOf(preset, chosen), { shouldDirty: true });
  };
  const grantable = resources.filter(
    (name) => grantableScopes.includes(`${name}:read`) && uncoveredScopes(ownScopes, [`${name}:read`]).length === 0,
  );
  return (
    <SheetForm label={t("label")} action={t("create")} {...form}>
      <TextField {...form.field("name")} label={t("name")} hint={t("nameHint")} />
      <Field label={t("may")} error={form.errorOf("scopes")}>
        {(control) => (
          <NativeSelect {...control} value={preset} onChange={(event) => choose(Number(event.target.value), chosen)}>
            {presets.map(({ key, scopes }, index) =>
              uncoveredScopes(ownScopes, scopes).length === 0 ? (
                <option key={key} value={index}>
                  {t(`presets.${key}`)}
                </option>
              ) : null,
            )}
          </NativeSelect>
        )}
      </Field>
      {preset === 2 && (
        <div className="grid gap-2 rounded-lg bg-kumo-recessed p-4">
          {grantable.map((name) => (
            <div key={name} className="flex items-center justify-between gap-3 text-base text-kumo-default">
              <label htmlFor={`scope-${name}`}>{t(`resources.${name}`)}</label>
              <NativeSelect
                id={`scope-${name}`}
                className="w-32"
                value={chosen[name] ?? ""}
                onChange={(event) => choose(preset, { ...chosen, [name]: event.target.value })}
              >
                <option value="">{t("nothing")}</option>
                <option value="read">{t("read")}</option>
                {uncoveredScopes(ownScopes, [`${name}:write`]).length === 0 && (
                  <option value="write">{t("write")}</option>
                )}
              </NativeSelect>
            </div>
          ))}
        </div>
      )}
      <TextField
        {...form.field("expires")}
        label={t("lastDay")}
        optional
        hint={t("lastDayHint", { zone })}
        type="date"
      />
      <TextAreaField
        {...form.field("allowed_ips")}
        label={t("allowedIps")}
        optional
        hint={t("allowedIpsHint")}
        rows={2}
      />
    </SheetForm>
  );
}
