"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { contractResolver, setFieldErrors } from "@/components/ui/contract-form";
import { explainFailure } from "@/components/ui/explain-failure";
import { Field, NativeSelect, TextArea, TextInput } from "@/components/ui/field";
import { ApiFailure } from "@/lib/api/client";
import { currencies } from "@/lib/money";
import { type PaymentLink, paymentLinkInput } from "@/lib/payment-links/contract";
import { useCreatePaymentLink } from "@/lib/payment-links/queries";
import { errorsInUnits } from "./amount";
import { emptyValues, type FormValues, formFields, toBody } from "./form-values";

const resolver = contractResolver<FormValues>(paymentLinkInput, toBody, errorsInUnits);
const names = new Intl.DisplayNames("en", { type: "currency" });

interface PaymentLinkFormProps {
  currency: string;
  onCreated: (link: PaymentLink) => void;
}

export function PaymentLinkForm({ currency, onCreated }: PaymentLinkFormProps) {
  // One key per opening: however often this form is sent, it makes one link.
  const [idempotencyKey] = useState(randomKey);
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useRef(false);
  const create = useCreatePaymentLink();
  const { register, handleSubmit, formState, setError } = useForm<FormValues>({
    resolver,
    defaultValues: emptyValues(currency),
  });
  const errorOf = (field: keyof FormValues): string | undefined => formState.errors[field]?.message;

  async function submit(values: FormValues): Promise<void> {
    if (sending.current) return; // the second half of a double click, before the button shows that it is busy
    sending.current = true;
    setProblem(null);
    try {
      onCreated(await create.mutateAsync({ body: toBody(values), idempotencyKey }));
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const rest = setFieldErrors(setError, formFields, errorsInUnits(error.errors));
      if (error.status !== 422) setProblem(explain(error));
      else if (rest.length > 0) setProblem(rest.join(" "));
    } finally {
      sending.current = false;
    }
  }

  return (
    <form
      noValidate
      aria-label="New payment link"
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-5">
        <Alert>{problem}</Alert>
        <div className="grid grid-cols-[1fr_9.5rem] gap-3">
          <Field label="Amount" error={errorOf("amount")} hint="5.00 to 30,000.00">
            {(control) => (
              <TextInput
                {...control}
                {...register("amount")}
                inputMode="decimal"
                autoComplete="off"
                placeholder="0.00"
                className="tabular-nums"
              />
            )}
          </Field>
          <Field label="Currency" error={errorOf("currency")}>
            {(control) => (
              <NativeSelect {...control} {...register("currency")}>
                {currencies.map((code) => (
                  <option key={code} value={code}>
                    {code} – {names.of(code) ?? code}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
        </div>
        <Field label="Title" error={errorOf("title")} hint="What the payer pays for. The payer sees it.">
          {(control) => <TextInput {...control} {...register("title")} autoComplete="off" />}
        </Field>
        <Field label="Payer’s e-mail" error={errorOf("email")}>
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
        <Field label="Description" optional error={errorOf("description")}>
          {(control) => <TextArea {...control} {...register("description")} rows={3} />}
        </Field>
        <Field label="Reference" optional error={errorOf("reference")} hint="Yours, for example an invoice number.">
          {(control) => <TextInput {...control} {...register("reference")} autoComplete="off" />}
        </Field>
        <Field
          label="Redirect after payment"
          optional
          error={errorOf("redirect_url")}
          hint="Where the payer goes next; without it, our thank-you page."
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("redirect_url")}
              type="url"
              autoComplete="off"
              placeholder="https://"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Expires" optional error={errorOf("expires_at")} hint={`In your time zone, ${timeZone()}.`}>
          {(control) => <TextInput {...control} {...register("expires_at")} type="datetime-local" />}
        </Field>
      </div>
      <div className="flex shrink-0 justify-end border-t border-kumo-hairline px-5 py-3.5">
        <Button
          type="submit"
          variant="primary"
          loading={formState.isSubmitting}
          className="max-sm:w-full max-sm:justify-center"
        >
          Create payment link
        </Button>
      </div>
    </form>
  );
}

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Not randomUUID: browsers have that only on https and localhost. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function explain(error: ApiFailure): string {
  if (error.code === "idempotency_key_reused")
    return "An earlier attempt from this form has already made a link. Look at the list, then open the form again.";
  if (error.code === "idempotency_key_in_flight")
    return "The link is being created. Please wait a moment and try again.";
  return explainFailure(error);
}
