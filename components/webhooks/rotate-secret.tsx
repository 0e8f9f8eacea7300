"use client";

import { useState } from "react";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, NativeSelect } from "@/components/ui/field";
import { webhookEndpointEndpoints } from "@/lib/webhooks/contract";
import { useRotateSecret } from "@/lib/webhooks/queries";
import { SecretShown } from "./secret-shown";

interface Values {
  overlap_hours: string;
}

const overlaps = { 24: "A day", 72: "Three days", 1: "An hour", 0: "Not at all: it is known to a stranger" };

const resolver = contractResolver<Values>(webhookEndpointEndpoints.rotateSecret.body, ({ overlap_hours }) => ({
  overlap_hours: Number(overlap_hours),
}));

/** A new secret, and how long the old one signs too. */
export function RotateSecret({ id, onDone }: { id: string; onDone: () => void }) {
  const rotate = useRotateSecret(id);
  const [secret, setSecret] = useState<string | null>(null);
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { overlap_hours: "24" },
    fields: ["overlap_hours"],
    send: async ({ overlap_hours }) => setSecret((await rotate.mutateAsync(Number(overlap_hours))).secret),
  });
  if (secret)
    return (
      <SecretShown title="The secret has been rotated" secret={secret} onDone={onDone}>
        Give it to your receiver before the old one ends. It is shown this once.
      </SecretShown>
    );
  return (
    <SheetForm
      label="Rotation"
      action="Rotate the secret"
      problem={form.problem}
      busy={form.busy}
      onSubmit={form.onSubmit}
    >
      <p className="text-base text-kumo-subtle">
        Every message is then signed by the new secret, and for a while by the old one too, so that your receiver can
        change over in its own time.
      </p>
      <Field label="The old secret signs too for" error={errorOf("overlap_hours")}>
        {(control) => (
          <NativeSelect {...control} {...register("overlap_hours")}>
            {["24", "72", "1", "0"].map((hours) => (
              <option key={hours} value={hours}>
                {overlaps[Number(hours) as keyof typeof overlaps]}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </SheetForm>
  );
}
