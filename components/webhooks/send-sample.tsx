"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { readType } from "@/components/events/type-filter";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, NativeSelect } from "@/components/ui/field";
import { eventTypeNames, eventTypes } from "@/lib/events/types";
import { webhookEndpointEndpoints } from "@/lib/webhooks/contract";
import { useSendSample } from "@/lib/webhooks/queries";

interface Values {
  type: string;
}

const resolver = contractResolver<Values>(webhookEndpointEndpoints.sample.body, ({ type }) => ({ type }));

/** Posts the example of a type. */
export function SendSample({ id, onSent }: { id: string; onSent: () => void }) {
  const sample = useSendSample(id);
  const toasts = useKumoToastManager();
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { type: "payment_link.paid" },
    fields: ["type"],
    send: async ({ type }) => {
      await sample.mutateAsync(readType(type) ?? "payment_link.paid");
      toasts.add({ title: `Sent: a sample of ${type}` });
      onSent();
    },
  });
  return (
    <SheetForm label="Sample" action="Send it" problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <p className="text-base text-kumo-subtle">
        The example of a type, signed as events are, with <code className="font-mono text-sm">"sample": true</code> in
        it. It is tried once.
      </p>
      <Field label="Type" error={errorOf("type")}>
        {(control) => (
          <NativeSelect {...control} {...register("type")}>
            {eventTypeNames.map((type) => (
              <option key={type} value={type} title={eventTypes[type].says}>
                {type}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </SheetForm>
  );
}
