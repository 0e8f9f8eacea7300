"use client";

import { useMemo } from "react";
import { type Control, useWatch } from "react-hook-form";
import { useTimeZone, useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { CurrencySelect } from "@/components/ui/currency-select";
import { EmailInput, Field, TextArea, TextInput } from "@/components/ui/field";
import { SheetForm } from "@/components/ui/sheet-form";
import { useMedia } from "@/components/ui/use-media";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type PaymentLink, paymentLinkInput } from "@/lib/resources/payment-links/contract";
import { useCreatePaymentLink, useUpdatePaymentLink } from "@/lib/resources/payment-links/queries";
import { useSettings } from "@/lib/resources/settings/queries";
import { errorsInUnits } from "./amount";
import { emptyValues, type FormValues, formFields, toBody, valuesOf } from "./form-values";
import { NoGatewayNote } from "./no-gateway-note";
import { PayPreview } from "./pay-preview";

interface PaymentLinkFormProps {
  /** The one to change; without it a new one is made. */
  link?: PaymentLink;
  /** What stands in the form to begin with. */
  initial?: Partial<FormValues>;
  currency: string;
  /** Whether the first field takes the focus: a sheet that opens gives it by itself. */
  autoFocus?: boolean;
  onSaved: (link: PaymentLink) => void;
}

export function PaymentLinkForm({ link, initial, currency, autoFocus, onSaved }: PaymentLinkFormProps) {
  const t = useTranslations("paymentLinks.form");
  const zone = useTimeZone() ?? "UTC";
  const create = useCreatePaymentLink();
  const update = useUpdatePaymentLink();
  const wide = useMedia("(min-width: 64rem)");
  const canTakePayments = useSettings().data?.can_take_payments;
  const resolver = useMemo(
    () => contractResolver<FormValues>(paymentLinkInput, (values) => toBody(values, zone, link), errorsInUnits),
    [zone, link],
  );
  const form = useSheetForm<FormValues>({
    resolver,
    defaultValues: link ? valuesOf(link, zone) : { ...emptyValues(currency), ...initial },
    fields: formFields,
    reword: errorsInUnits,
    send: async (values, idempotencyKey) => {
      const body = toBody(values, zone, link);
      onSaved(
        link
          ? await update.mutateAsync({ id: link._id, body, readAt: link.updated_at })
          : await create.mutateAsync({ body, idempotencyKey }),
      );
    },
  });
  const { register, errorOf } = form;
  const text = { autoComplete: "off", spellCheck: false } as const;
  // Billing finds a period's card by the subscription's address, and what is owed does not lapse.
  const ofPeriod = link?.subscription_id != null;

  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <SheetForm
          label={link ? t("editTitle") : t("newTitle")}
          action={link ? t("save") : t("create")}
          problem={form.problem}
          busy={form.busy}
          onSubmit={form.onSubmit}
        >
          {!link && canTakePayments === false && <NoGatewayNote />}
          <div className="grid grid-cols-[1fr_9.5rem] gap-3">
            <Field label={t("amount")} error={errorOf("amount")} hint={t("amountHint")}>
              {(control) => (
                <TextInput
                  {...control}
                  {...register("amount")}
                  {...text}
                  inputMode="decimal"
                  placeholder="0.00"
                  autoFocus={autoFocus}
                  className="tabular-nums"
                />
              )}
            </Field>
            <Field label={t("currency")} error={errorOf("currency")}>
              {(control) => <CurrencySelect {...control} {...register("currency")} />}
            </Field>
          </div>
          <Field label={t("title")} error={errorOf("title")} hint={t("titleHint")}>
            {(control) => <TextInput {...control} {...register("title")} autoComplete="off" />}
          </Field>
          <Field label={t("email")} error={errorOf("email")} hint={ofPeriod ? t("emailOfPeriod") : undefined}>
            {(control) => <EmailInput {...control} {...register("email")} readOnly={ofPeriod} />}
          </Field>
          <Field label={t("description")} optional error={errorOf("description")} hint={t("descriptionHint")}>
            {(control) => <TextArea {...control} {...register("description")} rows={3} />}
          </Field>
          {!ofPeriod && (
            <Field label={t("expires")} optional error={errorOf("expires_at")} hint={t("expiresHint", { zone })}>
              {(control) => <TextInput {...control} {...register("expires_at")} type="datetime-local" />}
            </Field>
          )}
          <div className="grid gap-4 sm:grid-cols-2 sm:gap-3">
            <Field label={t("reference")} optional error={errorOf("reference")} hint={t("referenceHint")}>
              {(control) => <TextInput {...control} {...register("reference")} autoComplete="off" />}
            </Field>
            <Field label={t("reference2")} optional error={errorOf("reference_2")}>
              {(control) => <TextInput {...control} {...register("reference_2")} autoComplete="off" />}
            </Field>
          </div>
          <Field label={t("phone")} optional error={errorOf("phone_no")}>
            {(control) => <TextInput {...control} {...register("phone_no")} type="tel" autoComplete="off" />}
          </Field>
          <Field label={t("redirect")} optional error={errorOf("redirect_url")} hint={t("redirectHint")}>
            {(control) => (
              <TextInput {...control} {...register("redirect_url")} {...text} type="url" placeholder="https://" />
            )}
          </Field>
          <Field label={t("internalNote")} optional error={errorOf("internal_note")} hint={t("internalNoteHint")}>
            {(control) => <TextArea {...control} {...register("internal_note")} rows={2} />}
          </Field>
          {!link && (
            <label className="flex items-center gap-2.5 py-1 text-base text-kumo-default">
              <input type="checkbox" {...register("send_email")} className="size-4.5 accent-(--ink-brand)" />
              {t("sendEmail")}
            </label>
          )}
        </SheetForm>
      </div>
      {wide && <Preview control={form.control} />}
    </div>
  );
}

/** What the payer would see of what stands in the form now. */
function Preview({ control }: { control: Control<FormValues> }) {
  const t = useTranslations("paymentLinks.preview");
  const [amount, currency, title, description] = useWatch({
    control,
    name: ["amount", "currency", "title", "description"],
  });
  return (
    <div className="hidden w-100 shrink-0 flex-col border-l border-kumo-hairline bg-kumo-recessed lg:flex">
      <h3 className="px-5 pt-4 text-sm font-medium text-kumo-subtle">{t("heading")}</h3>
      <PayPreview amount={amount} currency={currency} title={title} description={description} />
    </div>
  );
}
