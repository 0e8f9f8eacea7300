import { useTimeZone, useTranslations } from "use-intl";
import { useToday } from "@/components/shell/use-today";
import { contractResolver } from "@/components/ui/contract-form";
import { SelectField, TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { formatMoney } from "@/lib/core/money";
import type { ManualMethod } from "@/lib/core/payment-methods";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useMarkPaid } from "@/lib/resources/payment-links/queries";
import { manualMethods, paymentEndpoints } from "@/lib/resources/payments/contract";

const fields = ["method", "paid_on", "reference", "note"] as const;
type Values = { method: ManualMethod; paid_on: string; reference: string; note: string };

const toBody = ({ reference, note, ...values }: Values) => ({
  ...values,
  reference: reference.trim() || null,
  note: note.trim() || null,
});

const resolver = contractResolver<Values>(paymentEndpoints.markPaid.body, toBody);

/** Records that a link was paid without a gateway. */
export function MarkPaidForm({ link, onDone }: { link: PaymentLink; onDone: () => void }) {
  const t = useTranslations("paymentLinks.markPaid");
  const methods = useTranslations("payments.method");
  const zone = useTimeZone() ?? "UTC";
  const today = useToday();
  const mark = useMarkPaid(link._id);
  const toasts = useToasts();
  const amount = formatMoney(link.amount_cents, link.currency);
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { method: "transfer", paid_on: today, reference: "", note: "" },
    fields,
    send: async (values, idempotencyKey) => {
      const { amount_cents, currency } = link;
      await mark.mutateAsync({ body: { ...toBody(values), amount: amount_cents, currency }, idempotencyKey });
      toasts.add({ title: t("done", { amount }), description: t("doneText") });
      onDone();
    },
  });
  return (
    <SheetForm label={t("title")} action={t("action", { amount })} {...form}>
      <p className="text-base text-kumo-subtle">
        {t.rich("about", { amount, email: link.email, payer: (words) => <bdi className="wrap-anywhere">{words}</bdi> })}
      </p>
      <SelectField {...field("method")} label={t("method")}>
        {manualMethods.map((method) => (
          <option key={method} value={method}>
            {methods(method)}
          </option>
        ))}
      </SelectField>
      <TextField {...field("paid_on")} label={t("paidOn")} hint={t("paidOnHint", { zone })} type="date" max={today} />
      <TextField {...field("reference")} label={t("reference")} optional hint={t("referenceHint")} />
      <TextAreaField {...field("note")} label={t("note")} optional hint={t("noteHint")} rows={3} />
    </SheetForm>
  );
}
