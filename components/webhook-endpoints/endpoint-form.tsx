import { useMemo, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import { useTranslations } from "use-intl";
import { Field, NativeSelect } from "@/components/ui/field";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { eventTypeNames, eventTypes } from "@/lib/resources/events/types";
import type { WebhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";
import {
  type EndpointBody,
  readEndpoint,
  useCreateEndpoint,
  useUpdateEndpoint,
} from "@/lib/resources/webhook-endpoints/queries";
import { type EndpointValues, endpointFields, resolverOf, reword, toBody, valuesOf } from "./form-values";
import { SecretShown } from "./secret-shown";

export function CreateEndpoint({ onDone }: { onDone: () => void }) {
  const t = useTranslations("webhooks.form");
  const create = useCreateEndpoint();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret)
    return (
      <SecretShown title={t("ready")} secret={secret} onDone={onDone}>
        {t("readyText")}
      </SecretShown>
    );
  return (
    <EndpointForm
      endpoint={null}
      send={async (body, idempotencyKey) => setSecret((await create.mutateAsync({ body, idempotencyKey })).secret)}
    />
  );
}

export function EditEndpoint({ endpoint, onSaved }: { endpoint: WebhookEndpoint; onSaved: () => void }) {
  const update = useUpdateEndpoint();
  const opened = useRef(endpoint);
  return (
    <EndpointForm
      endpoint={endpoint}
      readAgain={async () => {
        opened.current = await readEndpoint(endpoint._id);
        return opened.current;
      }}
      send={async (body) => {
        await update.mutateAsync({ body, was: opened.current });
        onSaved();
      }}
    />
  );
}

interface EndpointFormProps {
  endpoint: WebhookEndpoint | null;
  readAgain?: () => Promise<WebhookEndpoint>;
  send: (body: EndpointBody, idempotencyKey: string) => Promise<void>;
}

function EndpointForm({ endpoint, readAgain, send }: EndpointFormProps) {
  const t = useTranslations("webhooks.form");
  const defaultValues = valuesOf(endpoint);
  const chooseType = t("chooseType");
  const resolver = useMemo(() => resolverOf(chooseType), [chooseType]);
  const { field, register, errorOf, ...form } = useSheetForm<EndpointValues>({
    resolver,
    defaultValues,
    fields: endpointFields,
    reword: reword(chooseType),
    secret: endpoint === null,
    readAgain: readAgain && (async () => valuesOf(await readAgain())),
    send: (values, idempotencyKey) => send(toBody(values), idempotencyKey),
  });
  const which = useWatch({ control: form.control, name: "which" });
  return (
    <SheetForm label={t(endpoint ? "edit" : "new")} action={t(endpoint ? "save" : "create")} {...form}>
      <TextField
        {...field("url")}
        label={t("address")}
        hint={t("addressHint")}
        type="url"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
      />
      <TextField {...field("description")} label={t("description")} optional hint={t("descriptionHint")} />
      <Field label={t("events")} hint={which === "all" ? t("eventsHint") : undefined}>
        {(control) => (
          <NativeSelect {...control} {...register("which")}>
            <option value="all">{t("all")}</option>
            <option value="some">{t("some")}</option>
          </NativeSelect>
        )}
      </Field>
      {which === "some" && (
        <fieldset className="grid gap-1.5">
          <legend className="sr-only">{t("types")}</legend>
          {errorOf("events") && (
            <p role="alert" className="text-sm leading-snug text-kumo-danger">
              {errorOf("events")}
            </p>
          )}
          <div className="grid gap-px overflow-hidden rounded-lg ring ring-kumo-line">
            {eventTypeNames.map((type) => (
              <label key={type} className="flex items-start gap-3 px-3 py-2 hover:bg-kumo-elevated">
                <input
                  type="checkbox"
                  value={type}
                  {...register("events")}
                  className="mt-0.5 size-4 shrink-0 accent-(--ink-brand)"
                />
                <span className="min-w-0">
                  <span className="block font-mono text-sm text-kumo-default wrap-anywhere">{type}</span>
                  <span className="block text-sm leading-snug text-kumo-subtle">{eventTypes[type].summary}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </SheetForm>
  );
}
