import { LockSimpleIcon } from "@phosphor-icons/react/dist/ssr/LockSimple";
import { type ReactNode, useRef } from "react";
import { useWatch } from "react-hook-form";
import { useFormatter, useTimeZone, useTranslations } from "use-intl";
import { AmountField } from "@/components/ui/amount-field";
import { CurrencyField, useCurrencyName } from "@/components/ui/currency-field";
import { SelectField, TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { amountBounds } from "@/lib/core/money";
import { frequencies, type Package, type PackageWithCounts } from "@/lib/resources/packages/contract";
import { readPackage, useSavePackage } from "@/lib/resources/packages/queries";
import { useOwnCurrency, useSettings } from "@/lib/resources/settings/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { emptyValues, type PackageValues, packageFields, resolver, reword, toBody, valuesOf } from "./form-values";
import { NewPrice } from "./new-price";
import { useSubscribers } from "./subscriber-count";
import { useFirstCharge } from "./words";

interface PackageFormProps {
  pkg: PackageWithCounts | null;
  onSaved: () => void;
}

export function PackageForm(props: PackageFormProps) {
  const ownCurrency = useOwnCurrency();
  const currency = props.pkg?.currency ?? ownCurrency;
  return currency && <Form {...props} currency={currency} />;
}

function Form({ pkg, currency, onSaved }: PackageFormProps & { currency: string }) {
  const t = useTranslations("packages.form");
  const frequencyOf = useTranslations("packages.frequency");
  const zone = useTimeZone() ?? "UTC";
  const toasts = useToasts();
  const save = useSavePackage();
  const used = pkg !== null && pkg.subscriber_count > 0;
  const noticeEnd = useNoticeEnd();
  const subscribersOf = useSubscribers();
  const opened = useRef<Package | null>(pkg);
  const form = useSheetForm<PackageValues>({
    resolver,
    defaultValues: pkg ? valuesOf(pkg) : emptyValues(currency),
    fields: packageFields,
    reword,
    readAgain: pkg
      ? async () => {
          const now = await readPackage(pkg._id);
          opened.current = now;
          return valuesOf(now);
        }
      : undefined,
    send: async (values, idempotencyKey) => {
      const { name } = await save.mutateAsync({ was: opened.current, body: toBody(values), idempotencyKey });
      toasts.add({ title: t(pkg ? "saved" : "created", { name }) });
      onSaved();
    },
  });
  const { field } = form;
  // Before the amount: of wrong fields, the one that was registered first gets the focus.
  const name = field("name");
  const shownCurrency = useWatch({ control: form.control, name: "currency" });

  const amount = (
    <AmountField
      {...field("amount")}
      currency={shownCurrency}
      bounds={amountBounds}
      onChoose={(chosen) => form.setValue("amount", chosen, { shouldDirty: true, shouldValidate: true })}
      label={t("amount")}
      hint={t(used ? "amountHintUsed" : "amountHint")}
      placeholder={t("amountPlaceholder")}
    />
  );

  return (
    <SheetForm label={t(pkg ? "editLabel" : "createLabel")} action={t(pkg ? "editAction" : "createAction")} {...form}>
      <TextField {...name} label={t("name")} hint={t("nameHint")} />
      {used ? (
        <>
          {amount}
          <SelectField
            {...field("existing_subscriptions")}
            label={t("existing")}
            hint={t("existingHint", { ...subscribersOf(pkg), when: noticeEnd })}
          >
            <option value="keep_price">{t("keepPrice")}</option>
            <option value="new_price">{t("newPrice")}</option>
          </SelectField>
          <NewPrice pkg={pkg} control={form.control} />
          <Agreed pkg={pkg} />
        </>
      ) : (
        <>
          <div className="grid grid-cols-[1fr_9.5rem] gap-3">
            {amount}
            <CurrencyField {...field("currency", { deps: "amount" })} label={t("currency")} own={currency} />
          </div>
          <SelectField {...field("frequency")} label={t("charged")}>
            {frequencies.map((frequency) => (
              <option key={frequency} value={frequency}>
                {frequencyOf(frequency)}
              </option>
            ))}
          </SelectField>
          <TextField
            {...field("date_charge_start")}
            label={t("firstCharge")}
            optional
            hint={t("firstChargeHint", { zone })}
            type="date"
          />
        </>
      )}
      <TextAreaField {...field("description")} label={t("description")} optional rows={3} />
    </SheetForm>
  );
}

/** The day from which a period can cost a price that is announced now. */
function useNoticeEnd(): string {
  const format = useFormatter();
  const now = useNow();
  const days = Math.max(3, useSettings().data?.renewal_notice_days ?? 3);
  return format.dateTime(new Date(now.getTime() + days * 86_400_000), { dateStyle: "medium" });
}

function Agreed({ pkg }: { pkg: PackageWithCounts }) {
  const t = useTranslations("packages.form");
  const frequencyOf = useTranslations("packages.frequency");
  const currencyName = useCurrencyName();
  const firstCharge = useFirstCharge();
  const subscribersOf = useSubscribers();
  const { currency, frequency } = pkg;
  return (
    <section className="rounded-lg bg-kumo-recessed px-4 py-3" aria-label={t("agreed")}>
      <dl className="grid grid-cols-[8rem_1fr] gap-y-1.5 text-base">
        <Line term={t("currency")}>{`${currency} – ${currencyName(currency)}`}</Line>
        <Line term={t("charged")}>{frequencyOf(frequency)}</Line>
        <Line term={t("firstCharge")}>{firstCharge(pkg)}</Line>
      </dl>
      <p className="mt-2.5 flex items-start gap-1.5 text-sm leading-snug text-kumo-subtle">
        <LockSimpleIcon size={14} className="mt-0.5 shrink-0" aria-hidden />
        {t("agreedWhy", subscribersOf(pkg))}
      </p>
    </section>
  );
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-kumo-subtle">{term}</dt>
      <dd className="min-w-0 text-kumo-default wrap-anywhere">{children}</dd>
    </>
  );
}
