"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextInput } from "@/components/ui/field";
import { type Subscription, subscriptionInput } from "@/lib/subscriptions/contract";
import { useChangeSubscription } from "@/lib/subscriptions/queries";

type Values = { email: string };

const toBody = ({ email }: Values) => ({ email: email.trim() });
// As for a new one: in an update a blank would mean "as it is".
const resolver = contractResolver<Values>(subscriptionInput.pick({ email: true }), toBody);

/** The form in which a subscription moves to another address. */
export function ChangeEmail({
  subscription: { _id, email },
  onDone,
}: {
  subscription: Subscription;
  onDone: () => void;
}) {
  const change = useChangeSubscription(_id);
  const toasts = useKumoToastManager();
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { email },
    fields: ["email"],
    send: async (values) => {
      const changed = await change.mutateAsync(toBody(values));
      toasts.add({ title: `Changed: ${changed.email}` });
      onDone();
    },
  });
  return (
    <SheetForm
      label="Change e-mail"
      action="Change e-mail"
      problem={form.problem}
      busy={form.busy}
      onSubmit={form.onSubmit}
    >
      <Field label="Customer’s e-mail" error={errorOf("email")}>
        {(control) => (
          <TextInput
            {...control}
            {...register("email")}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="grid gap-2 text-base leading-relaxed text-kumo-subtle">
        <p>From now on the card that was saved for this e-mail is charged.</p>
        <p>
          Periods that are not paid move to it too, and are tried at once; if it has no card, they wait for the payer.
        </p>
      </div>
    </SheetForm>
  );
}
