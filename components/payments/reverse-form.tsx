import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextAreaField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { formatMoney } from "@/lib/core/money";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { useReversePayment } from "@/lib/resources/payments/queries";

type Values = { reason: string };

const resolver = contractResolver<Values>(paymentEndpoints.reverse.body, (values) => values);

/** Reverses a manual payment. */
export function ReverseForm({ payment, onDone }: { payment: PaymentOfLink; onDone: () => void }) {
  const t = useTranslations("payments.reverseForm");
  const reverse = useReversePayment(payment._id);
  const toasts = useToasts();
  const amount = formatMoney(payment.amount_cents, payment.currency);
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { reason: "" },
    fields: ["reason"],
    send: async (body, idempotencyKey) => {
      await reverse.mutateAsync({ body, idempotencyKey });
      toasts.add({ title: t("done", { amount }), description: t("doneText") });
      onDone();
    },
  });
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <p className="text-base text-kumo-subtle">
        {t.rich("about", { amount, title: payment.title, name: (words) => <bdi>{words}</bdi> })}
      </p>
      <TextAreaField {...field("reason")} label={t("reason")} hint={t("reasonHint")} rows={3} />
    </SheetForm>
  );
}
