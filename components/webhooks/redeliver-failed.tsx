"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, NativeSelect } from "@/components/ui/field";
import { webhookEndpointEndpoints } from "@/lib/webhooks/contract";
import { useRedeliverFailed } from "@/lib/webhooks/queries";

interface Values {
  hours: string;
}

const spans: [hours: string, label: string][] = [
  ["1", "The last hour"],
  ["24", "The last day"],
  ["168", "The last week"],
  ["720", "The last 30 days"],
];

const sinceOf = (hours: string): Date => new Date(Date.now() - Number(hours) * 3_600_000);

const resolver = contractResolver<Values>(webhookEndpointEndpoints.redeliverFailed.body, ({ hours }) => ({
  since: sinceOf(hours).toISOString(),
}));

/** Everything that has failed in some time, once more. */
export function RedeliverFailed({ id, onDone }: { id: string; onDone: () => void }) {
  const redeliver = useRedeliverFailed(id);
  const toasts = useKumoToastManager();
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { hours: "24" },
    fields: ["hours"],
    send: async ({ hours }) => {
      const { redelivered } = await redeliver.mutateAsync(sinceOf(hours));
      toasts.add({ title: redelivered === 1 ? "1 delivery is due again" : `${redelivered} deliveries are due again` });
      onDone();
    },
  });
  return (
    <SheetForm label="Redelivery" action="Redeliver" problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <p className="text-base text-kumo-subtle">
        Every event of that time that could not be delivered is sent again, with the same id and all its tries.
      </p>
      <Field label="Failed deliveries of" error={errorOf("hours")}>
        {(control) => (
          <NativeSelect {...control} {...register("hours")}>
            {spans.map(([hours, label]) => (
              <option key={hours} value={hours}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </SheetForm>
  );
}
