import { useMemo } from "react";
import type { Resolver } from "react-hook-form";
import { useTranslations } from "use-intl";
import { errorsInUnits, fromCents } from "@/components/ui/amount";
import { AmountField } from "@/components/ui/amount-field";
import { contractResolver } from "@/components/ui/contract-form";
import { useDialogs } from "@/components/ui/dialogs";
import { TextAreaField } from "@/components/ui/form-fields";
import { sendOnce } from "@/components/ui/idempotency-key";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { formatMoney } from "@/lib/core/money";
import { type AmountBounds, toCents } from "@/lib/core/typed-amount";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { type RefundBody, useRefund } from "@/lib/resources/refunds/queries";
import { refundable, refundWords, usePaidWith } from "./words";

const fields = ["amount", "reason"] as const;
type Values = Record<(typeof fields)[number], string>;

const boundsOf = (payment: PaymentOfLink): AmountBounds => ({ min: 1, max: refundable(payment) });

const toBody = (values: Values, payment: PaymentOfLink): RefundBody => ({
  amount:
    values.amount.trim() === "" ? "" : (toCents(values.amount, payment.currency, boundsOf(payment)) ?? values.amount),
  reason: values.reason.trim() || null,
});

/** What can be refunded, and whether it is the rest or the whole payment. */
function leftWords(payment: PaymentOfLink): { left: string; part: "rest" | "whole" } {
  const left = refundable(payment);
  return { left: formatMoney(left, payment.currency), part: left < payment.amount_cents ? "rest" : "whole" };
}

/**
 * Each opening makes at most one refund. If its response was lost, the next one has the same idempotency key, unless the page knows
 * of that refund by then: it learns of it instead of making another.
 */
export function RefundForm({ payment, onDone }: { payment: PaymentOfLink; onDone: () => void }) {
  const texts = useTranslations("payments");
  const t = useTranslations("payments.refundForm");
  const paidWith = usePaidWith();
  const left = refundable(payment);
  const byHand = payment.manual !== null;
  const refund = useRefund(payment.payment_link_id);
  const toasts = useToasts();
  const { confirm } = useDialogs();
  const tooMuch = t("tooMuch", { left: formatMoney(left, payment.currency) });
  const resolver = useMemo((): Resolver<Values> => {
    const body = (values: Values) => toBody(values, payment);
    const contract = contractResolver<Values>(refundEndpoints.create.body, body, errorsInUnits);
    return async (values, ...rest) => {
      const result = await contract(values, ...rest);
      const isTooMuch = Object.keys(result.errors).length === 0 && Number(body(values).amount) > left;
      return isTooMuch ? { values: {}, errors: { amount: { type: "left", message: tooMuch } } } : result;
    };
  }, [payment, left, tooMuch]);
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { amount: fromCents(left), reason: "" },
    fields,
    reword: errorsInUnits,
    send: async (values) => {
      const body = toBody(values, payment);
      const cents = body.amount ? Number(body.amount) : left;
      let sent: ReturnType<typeof refund.mutateAsync> | null = null;
      await confirm({
        title: t(byHand ? "recordQuestion" : "question", { amount: formatMoney(cents, payment.currency) }),
        body: <Consequences payment={payment} cents={cents} />,
        action: t(byHand ? "record" : "confirm"),
        destructive: true,
        run: () => {
          sent = sendOnce(`refund ${payment._id}`, String(left), (idempotencyKey) =>
            refund.mutateAsync({ body: { ...body, amount: cents }, idempotencyKey }),
          );
          return sent.catch(() => undefined); // the form shows the failure
        },
      });
      const result = await (sent as ReturnType<typeof refund.mutateAsync> | null);
      if (!result) return false;
      const title = t(`done.${result.status}`, { amount: formatMoney(result.amount_cents, result.currency) });
      const failed = result.status === "failed" ? ({ variant: "error" } as const) : {};
      const description = byHand ? texts("refunds.recorded") : refundWords(texts, result);
      toasts.add({ title, description, ...failed });
      onDone();
    },
  });
  const { field } = form;

  return (
    <SheetForm label={t(byHand ? "recordTitle" : "title")} action={t(byHand ? "record" : "action")} {...form}>
      <p className="text-base text-kumo-subtle">
        {byHand
          ? t("recordAbout", { method: paidWith(payment), email: payment.email })
          : t("about", { card: paidWith(payment), email: payment.email })}
      </p>
      <AmountField
        {...field("amount")}
        currency={payment.currency}
        bounds={boundsOf(payment)}
        onChoose={(amount) => form.setValue("amount", amount, { shouldDirty: true, shouldValidate: true })}
        label={t("amount", { currency: payment.currency })}
        hint={t("amountHint", leftWords(payment))}
      />
      <TextAreaField {...field("reason")} label={t("reason")} optional hint={t("reasonHint")} rows={3} />
    </SheetForm>
  );
}

function Consequences({ payment, cents }: { payment: PaymentOfLink; cents: number }) {
  const t = useTranslations("payments.refundForm");
  const paidWith = usePaidWith();
  return (
    <>
      <p>
        {t.rich(payment.manual ? "recordText" : "text", {
          amount: formatMoney(cents, payment.currency),
          ...leftWords(payment),
          title: payment.title,
          email: payment.email,
          card: paidWith(payment),
          b: (words) => <b className="font-medium text-kumo-default">{words}</b>,
          name: (words) => <bdi>{words}</bdi>,
        })}
      </p>
      <p>{t(payment.manual ? "recordStays" : "stays")}</p>
    </>
  );
}
