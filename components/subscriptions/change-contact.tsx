"use client";

import { useState } from "react";
import { useTranslations } from "use-intl";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextInput } from "@/components/ui/field";
import { useToasts } from "@/components/ui/toasts";
import { type Subscription, subscriptionInput } from "@/lib/subscriptions/contract";
import { useChangeSubscription } from "@/lib/subscriptions/queries";

type Values = { email: string };

const toBody = ({ email }: Values) => ({ email: email.trim() });
// As for a new one: in an update a blank would mean "as it is".
const resolver = contractResolver<Values>(subscriptionInput.pick({ email: true }), toBody);

/** The form in which a subscription moves to another address. */
export function ChangeEmail({ subscription, onDone }: { subscription: Subscription; onDone: () => void }) {
  // As it was when the form was opened: the page goes on looking at it.
  const [{ _id, email, updated_at: readAt }] = useState(subscription);
  const t = useTranslations("subscriptions.changeEmail");
  const change = useChangeSubscription(_id);
  const toasts = useToasts();
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { email },
    fields: ["email"],
    send: async (values) => {
      const changed = await change.mutateAsync({ ...toBody(values), readAt });
      toasts.add({ title: t("done", { email: changed.email }) });
      onDone();
    },
  });
  return (
    <SheetForm label={t("title")} action={t("title")} problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <Field label={t("email")} error={errorOf("email")}>
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
        <p>{t("effectOnCard")}</p>
        <p>{t("effectOnPeriods")}</p>
      </div>
    </SheetForm>
  );
}
