import { useMemo } from "react";
import { type Control, useWatch } from "react-hook-form";
import { useTimeZone, useTranslations } from "use-intl";
import { errorsInUnits } from "@/components/ui/amount";
import { AmountField } from "@/components/ui/amount-field";
import { contractResolver } from "@/components/ui/contract-form";
import { CurrencyField } from "@/components/ui/currency-field";
import { EmailField, TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useMedia } from "@/components/ui/use-media";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type PaymentLink, paymentLinkInput } from "@/lib/resources/payment-links/contract";
import { useCreatePaymentLink, useUpdatePaymentLink } from "@/lib/resources/payment-links/queries";
import { useSettings } from "@/lib/resources/settings/queries";
import { emptyValues, type FormValues, formFields, toBody, valuesOf } from "./form-values";
import { NoGatewayNote } from "./no-gateway-note";
import { PayPreview } from "./pay-preview";

interface PaymentLinkFormProps {
  link?: PaymentLink;
  initial?: Partial<FormValues>;
  currency: string;
  /** For a form that replaces another one in its sheet. A sheet that opens sets the focus itself. */
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
  const { field, register } = form;
  const shownCurrency = useWatch({ control: form.control, name: "currency" });
  // A period's e-mail and expiry are fixed: billing finds the card by the subscription's e-mail; debts do not lapse.
  const ofPeriod = link?.subscription_id != null;

  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <SheetForm label={link ? t("editTitle") : t("newTitle")} action={link ? t("save") : t("create")} {...form}>
          {!link && canTakePayments === false && <NoGatewayNote />}
          <div className="grid grid-cols-[1fr_9.5rem] gap-3">
            <AmountField
              {...field("amount")}
              currency={shownCurrency}
              onChoose={(amount) => form.setValue("amount", amount, { shouldDirty: true, shouldValidate: true })}
              label={t("amount")}
              hint={t("amountHint")}
              placeholder="0.00"
              autoFocus={autoFocus}
            />
            <CurrencyField {...field("currency")} label={t("currency")} own={currency} />
          </div>
          <TextField {...field("title")} label={t("title")} hint={t("titleHint")} />
          <EmailField
            {...field("email")}
            label={t("email")}
            hint={ofPeriod ? t("emailOfPeriod") : undefined}
            readOnly={ofPeriod}
          />
          <TextAreaField
            {...field("description")}
            label={t("description")}
            optional
            hint={t("descriptionHint")}
            rows={3}
          />
          {!ofPeriod && (
            <TextField
              {...field("expires_at")}
              label={t("expires")}
              optional
              hint={t("expiresHint", { zone })}
              type="datetime-local"
            />
          )}
          <div className="grid gap-4 sm:grid-cols-2 sm:gap-3">
            <TextField {...field("reference")} label={t("reference")} optional hint={t("referenceHint")} />
            <TextField {...field("reference_2")} label={t("reference2")} optional />
          </div>
          <TextField {...field("phone_no")} label={t("phone")} optional type="tel" />
          <TextField
            {...field("redirect_url")}
            label={t("redirect")}
            optional
            hint={t("redirectHint")}
            spellCheck={false}
            type="url"
            placeholder="https://"
          />
          <TextAreaField
            {...field("internal_note")}
            label={t("internalNote")}
            optional
            hint={t("internalNoteHint")}
            rows={2}
          />
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
