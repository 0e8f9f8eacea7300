import { useWatch } from "react-hook-form";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { SelectField, TextAreaField, TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { formatMoney } from "@/lib/core/money";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { type SettleBody, useSettle } from "@/lib/resources/payments/queries";

const fields = ["status", "gateway_ref", "reason"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = ({ status, gateway_ref, reason }: Values): SettleBody => ({
  status: status === "succeeded" ? "succeeded" : "failed",
  gateway_ref: status === "succeeded" ? gateway_ref.trim() || null : null,
  reason,
});

const resolver = contractResolver<Values>(paymentEndpoints.settle.body, toBody);

export function SettleForm({ payment, onDone }: { payment: PaymentOfLink; onDone: () => void }) {
  const t = useTranslations("payments.settleForm");
  const settle = useSettle(payment._id);
  const toasts = useToasts();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { status: "failed", gateway_ref: "", reason: "" },
    fields,
    send: async (values, idempotencyKey) => {
      const { status } = await settle.mutateAsync({ body: toBody(values), idempotencyKey });
      toasts.add({ title: t(status === "succeeded" ? "doneSucceeded" : "doneFailed") });
      onDone();
    },
  });
  const succeeded = useWatch({ control: form.control, name: "status" }) === "succeeded";
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <p className="text-base text-kumo-subtle">
        {t("about", { amount: formatMoney(payment.amount_cents, payment.currency) })}
      </p>
      <SelectField {...field("status")} label={t("status")}>
        <option value="failed">{t("failed")}</option>
        <option value="succeeded">{t("succeeded")}</option>
      </SelectField>
      {succeeded && (
        <TextField {...field("gateway_ref")} label={t("reference")} hint={t("referenceHint")} spellCheck={false} />
      )}
      <TextAreaField {...field("reason")} label={t("reason")} hint={t("reasonHint")} rows={3} />
    </SheetForm>
  );
}
