"use client";

import { useState } from "react";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import { eventTypeNames, eventTypes } from "@/lib/events/types";
import type { WebhookEndpoint } from "@/lib/webhooks/contract";
import { type EndpointBody, useCreateEndpoint, useUpdateEndpoint } from "@/lib/webhooks/queries";
import { type EndpointValues, endpointFields, resolver, reword, toBody, valuesOf } from "./form-values";
import { SecretShown } from "./secret-shown";

/** The form, and after it the secret. */
export function CreateEndpoint({ onDone }: { onDone: () => void }) {
  const create = useCreateEndpoint();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret)
    return (
      <SecretShown title="The endpoint is ready" secret={secret} onDone={onDone}>
        Your receiver checks the signatures with this secret. It is shown this once: keep it where your receiver finds
        it.
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
  const update = useUpdateEndpoint(endpoint._id);
  return (
    <EndpointForm
      endpoint={endpoint}
      send={async (body) => {
        await update.mutateAsync(body);
        onSaved();
      }}
    />
  );
}

interface EndpointFormProps {
  endpoint: WebhookEndpoint | null;
  send: (body: EndpointBody, idempotencyKey: string) => Promise<void>;
}

function EndpointForm({ endpoint, send }: EndpointFormProps) {
  const defaultValues = valuesOf(endpoint);
  const [which, setWhich] = useState(defaultValues.which);
  const { register, errorOf, ...form } = useSheetForm<EndpointValues>({
    resolver,
    defaultValues,
    fields: endpointFields,
    reword,
    send: (values, idempotencyKey) => send(toBody(values), idempotencyKey),
  });
  return (
    <SheetForm
      label={endpoint ? "Edit endpoint" : "New endpoint"}
      action={endpoint ? "Save endpoint" : "Create endpoint"}
      problem={form.problem}
      busy={form.busy}
      onSubmit={form.onSubmit}
    >
      <Field label="Address" error={errorOf("url")} hint="https, where your system takes webhooks.">
        {(control) => (
          <TextInput
            {...control}
            {...register("url")}
            type="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
          />
        )}
      </Field>
      <Field label="Description" optional error={errorOf("description")} hint="For your own people.">
        {(control) => <TextInput {...control} {...register("description")} autoComplete="off" />}
      </Field>
      <Field label="Events" hint={which === "all" ? "Also types that are still to come." : undefined}>
        {(control) => (
          <NativeSelect
            {...control}
            {...register("which", { onChange: ({ target }) => setWhich(target.value === "some" ? "some" : "all") })}
          >
            <option value="all">All events</option>
            <option value="some">Only some types</option>
          </NativeSelect>
        )}
      </Field>
      {which === "some" && (
        <fieldset className="grid gap-1.5">
          <legend className="sr-only">Types of events</legend>
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
                  <span className="block text-sm leading-snug text-kumo-subtle">{eventTypes[type].says}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </SheetForm>
  );
}
