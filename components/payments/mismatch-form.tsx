import { useWatch } from "react-hook-form";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { SelectField, TextAreaField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { formatMoney } from "@/lib/core/money";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { type ResolveMismatchBody, useResolveMismatch } from "@/lib/resources/payments/queries";

const fields = ["resolution", "note"] as const;
type Values = ResolveMismatchBody;

const resolver = contractResolver<Values>(paymentEndpoints.resolveMismatch.body, (values) => values);

/** Resolves a mismatch: a payment that the gateway took although staff had recorded it as failed. */
export function MismatchForm({ payment, onDone }: { payment: PaymentOfLink; onDone: () => void }) {
  const t = useTranslations("payments.mismatchForm");
  const title = useTranslations("payments.detail")("resolve");
  const resolve = useResolveMismatch(payment._id);
  const toasts = useToasts();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { resolution: "counted", note: "" },
    fields,
    send: async (body, idempotencyKey) => {
      await resolve.mutateAsync({ body, idempotencyKey });
      toasts.add({ title: t(body.resolution === "counted" ? "doneCounted" : "doneAcknowledged") });
      onDone();
    },
  });
  const resolution = useWatch({ control: form.control, name: "resolution" });
  return (
    <SheetForm label={title} action={t("action")} {...form}>
      <p className="text-base text-kumo-subtle">
        {t("about", { amount: formatMoney(payment.amount_cents, payment.currency) })}
      </p>
      <SelectField {...field("resolution")} label={t("resolution")} hint={t(`${resolution}Hint`)}>
        <option value="counted">{t("counted")}</option>
        <option value="acknowledged">{t("acknowledged")}</option>
      </SelectField>
      <TextAreaField {...field("note")} label={t("note")} hint={t("noteHint")} rows={3} />
    </SheetForm>
  );
}
