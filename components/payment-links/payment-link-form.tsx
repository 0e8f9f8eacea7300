import { CaretRightIcon } from "@phosphor-icons/react/dist/ssr/CaretRight";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { type Control, type UseFormRegisterReturn, useWatch } from "react-hook-form";
import { useTimeZone, useTranslations } from "use-intl";
import { CustomerEmailField } from "@/components/customers/customer-email-field";
import { errorsInUnits } from "@/components/ui/amount";
import { AmountField } from "@/components/ui/amount-field";
import { contractResolver } from "@/components/ui/contract-form";
import { CurrencyField } from "@/components/ui/currency-field";
import { SelectField, TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useMedia } from "@/components/ui/use-media";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { amountBounds } from "@/lib/core/money";
import { payerLanguages } from "@/lib/core/payer-languages";
import { type PaymentLink, paymentLinkInput } from "@/lib/resources/payment-links/contract";
import { readPaymentLink, useCreatePaymentLink, useUpdatePaymentLink } from "@/lib/resources/payment-links/queries";
import { useSettings } from "@/lib/resources/settings/queries";
import { emptyValues, type FormValues, formFields, languageIn, toBody, valuesOf } from "./form-values";
import { NoGatewayNote } from "./no-gateway-note";
import { PayPreview } from "./pay-preview";
import { readSendChoice, saveSendChoice } from "./remembered-choice";

const titleLength = 50;
/** From here on, screen readers hear how many characters of the title are left. */
const fewLeft = 10;

/** The fields that few links need. They are hidden until asked for, filled in, or wrong. */
const moreFields = [
  "language",
  "expires_at",
  "tax_percent",
  "reference",
  "reference_2",
  "phone_no",
  "redirect_url",
  "internal_note",
] as const;

interface PaymentLinkFormProps {
  link?: PaymentLink;
  initial?: Partial<FormValues>;
  currency: string;
  /** For a form that replaces another one in its sheet. A sheet that opens sets the focus itself. */
  autoFocus?: boolean;
  /** @param sent whether a new link's mail was requested */
  onSaved: (link: PaymentLink, sent?: boolean) => void;
}

export function PaymentLinkForm({ link, initial, currency, autoFocus, onSaved }: PaymentLinkFormProps) {
  const t = useTranslations("paymentLinks.form");
  const languages = useTranslations("paymentLinks.languages");
  const zone = useTimeZone() ?? "UTC";
  const create = useCreatePaymentLink();
  const update = useUpdatePaymentLink();
  const wide = useMedia("(min-width: 64rem)");
  const settings = useSettings().data;
  const resolver = useMemo(
    () => contractResolver<FormValues>(paymentLinkInput, (values) => toBody(values, zone, link), errorsInUnits),
    [zone, link],
  );
  const businessId = settings?.business_id;
  const [defaultValues] = useState(() =>
    link ? valuesOf(link, zone) : { ...emptyValues(currency), ...initial, send_email: readSendChoice(businessId) },
  );
  const hasMore = link !== undefined || moreFields.some((name) => defaultValues[name] !== "");
  const opened = useRef(link);
  const form = useSheetForm<FormValues>({
    resolver,
    defaultValues,
    fields: formFields,
    reword: errorsInUnits,
    readAgain:
      link &&
      (async () => {
        opened.current = await readPaymentLink(link._id);
        return valuesOf(opened.current, zone);
      }),
    send: async (values, idempotencyKey) => {
      const body = toBody(values, zone, opened.current);
      if (opened.current) return onSaved(await update.mutateAsync({ body, was: opened.current }));
      const created = await create.mutateAsync({ body, idempotencyKey });
      saveSendChoice(businessId, values.send_email);
      onSaved(created, values.send_email);
    },
  });
  const { field, register } = form;
  const shownCurrency = useWatch({ control: form.control, name: "currency" });
  // A period's e-mail, currency and expiry are fixed: billing finds the card by the subscription's e-mail; debts do not lapse.
  const ofPeriod = link?.subscription_id != null;

  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <SheetForm label={link ? t("editTitle") : t("newTitle")} action={link ? t("save") : t("create")} {...form}>
          {!link && settings?.can_take_payments === false && <NoGatewayNote />}
          <div className="grid grid-cols-[1fr_9.5rem] gap-3">
            <AmountField
              {...field("amount")}
              currency={shownCurrency}
              bounds={amountBounds}
              onChoose={(amount) => form.setValue("amount", amount, { shouldDirty: true, shouldValidate: true })}
              label={t("amount")}
              hint={t("amountHint")}
              placeholder="0.00"
              autoFocus={autoFocus}
            />
            {ofPeriod ? (
              <TextField {...field("currency")} label={t("currency")} readOnly />
            ) : (
              <CurrencyField {...field("currency", { deps: "amount" })} label={t("currency")} own={currency} />
            )}
          </div>
          <TitleField {...field("title")} control={form.control} />
          <div className="grid content-start gap-2">
            <CustomerEmailField
              {...field("email")}
              label={t("email")}
              hint={ofPeriod ? t("emailOfPeriod") : undefined}
              readOnly={ofPeriod}
            />
            {!link && <SendChoice input={register("send_email")} control={form.control} />}
          </div>
          <TextAreaField
            {...field("description")}
            label={t("description")}
            optional
            hint={t("descriptionHint")}
            rows={2}
          />
          <More isOpen={hasMore} error={moreFields.find((name) => form.errorOf(name) !== undefined)}>
            <SelectField {...field("language")} label={t("language")} hint={t("languageHint")}>
              <option value="">{t("languageOfBrowser")}</option>
              {payerLanguages.map((language) => (
                <option key={language} value={language}>
                  {languages(language)}
                </option>
              ))}
            </SelectField>
            {!ofPeriod && (
              <TextField
                {...field("expires_at")}
                label={t("expires")}
                optional
                hint={t("expiresHint", { zone })}
                type="datetime-local"
              />
            )}
            <TextField
              {...field("tax_percent")}
              label={t("taxPercent")}
              optional
              hint={t("taxPercentHint")}
              inputMode="decimal"
            />
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
          </More>
        </SheetForm>
      </div>
      {wide && <Preview control={form.control} />}
    </div>
  );
}

interface TitleFieldProps {
  input: UseFormRegisterReturn;
  error?: string;
  control: Control<FormValues>;
}

function TitleField({ control, ...field }: TitleFieldProps) {
  const t = useTranslations("paymentLinks.form");
  // The API counts code points, without spaces around the title.
  const length = [...useWatch({ control, name: "title" }).trim()].length;
  const left = titleLength - length;
  const counter = (
    <span className={`text-sm tabular-nums ${left < 0 ? "text-kumo-danger" : "text-kumo-subtle"}`}>
      <span aria-hidden>
        {length}/{titleLength}
      </span>
      <span role="status" className="sr-only">
        {left < 0 ? t("titleOver", { count: -left }) : left <= fewLeft ? t("titleLeft", { count: left }) : ""}
      </span>
    </span>
  );
  return <TextField {...field} label={t("title")} hint={t("titleHint")} aside={counter} />;
}

function SendChoice({ input, control }: { input: UseFormRegisterReturn; control: Control<FormValues> }) {
  const t = useTranslations("paymentLinks.form");
  const [email, sends] = useWatch({ control, name: ["email", "send_email"] });
  const to = email.trim();
  return (
    <label className="flex min-h-11 items-center gap-2.5 rounded-lg bg-kumo-recessed px-3 py-2 text-base text-kumo-default">
      <input type="checkbox" {...input} className="size-4.5 shrink-0 accent-(--ink-brand)" />
      <span className="min-w-0 wrap-anywhere">{sends && to ? t("sendEmailTo", { email: to }) : t("sendEmail")}</span>
    </label>
  );
}

interface MoreProps {
  isOpen: boolean;
  /** A field inside that is wrong. It is shown and gets the focus. */
  error: string | undefined;
  children: ReactNode;
}

function More({ isOpen, error, children }: MoreProps) {
  const t = useTranslations("paymentLinks.form");
  const id = useId();
  const [chosen, setChosen] = useState(isOpen);
  const fields = useRef<HTMLDivElement>(null);
  const open = chosen || error !== undefined;
  const wasHidden = !chosen && error !== undefined;
  useEffect(() => {
    if (!wasHidden) return;
    setChosen(true);
    // The form could not focus the field while it was hidden. A visible wrong field before it keeps the focus.
    const focused = document.activeElement?.getAttribute("aria-invalid");
    if (focused !== "true") fields.current?.querySelector<HTMLElement>(`[name="${error}"]`)?.focus();
  }, [wasHidden, error]);
  return (
    <div className="grid content-start gap-4">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setChosen(!open)}
        className="flex min-h-9 items-center gap-1.5 justify-self-start rounded-lg text-base font-medium text-kumo-default max-sm:min-h-11 pointer-coarse:min-h-11"
      >
        <CaretRightIcon size={14} aria-hidden className={open ? "rotate-90" : undefined} />
        {t("more")}
        <span className="text-sm font-normal text-kumo-subtle">{t("moreHint")}</span>
      </button>
      <div id={id} ref={fields} hidden={!open} className={open ? "grid content-start gap-4" : undefined}>
        {children}
      </div>
    </div>
  );
}

function Preview({ control }: { control: Control<FormValues> }) {
  const t = useTranslations("paymentLinks.preview");
  const [amount, taxPercent, currency, title, description, language] = useWatch({
    control,
    name: ["amount", "tax_percent", "currency", "title", "description", "language"],
  });
  const preview = { amount, taxPercent, currency, title, description };
  return (
    <div className="hidden w-100 shrink-0 flex-col border-l border-kumo-hairline bg-kumo-recessed lg:flex">
      <h3 className="px-5 pt-4 text-sm font-medium text-kumo-subtle">{t("heading")}</h3>
      <PayPreview {...preview} language={languageIn(language)} />
    </div>
  );
}
