"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useRef, useState } from "react";
import { fromCents, toCents } from "@/components/payment-links/amount";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextArea, TextInput } from "@/components/ui/field";
import type { FieldErrors } from "@/lib/api/errors";
import { formatMoney } from "@/lib/money";
import type { PaymentOfLink } from "@/lib/payments/contract";
import { refundEndpoints } from "@/lib/refunds/contract";
import { type RefundBody, useRefund } from "@/lib/refunds/queries";
import { cardOf, refundWords } from "./words";

const fields = ["amount", "reason"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = (values: Values): RefundBody => ({
  amount: values.amount.trim() === "" ? "" : (toCents(values.amount) ?? values.amount),
  reason: values.reason.trim() || null,
});

/** The API speaks of cents, the field of units. */
function reword(errors: FieldErrors): FieldErrors {
  const inUnits = (text: string) =>
    text
      .replace(/(at least|greater than) (\d+)\./, (_, words, cents) => `${words} ${fromCents(Number(cents))}.`)
      .replace("must be a multiple of 100:", "must be a whole number:")
      .replace("must be an integer.", "must be a number like 10.50, with at most two decimals.");
  return errors.amount ? { ...errors, amount: errors.amount.map(inUnits) } : errors;
}

const resolver = contractResolver<Values>(refundEndpoints.create.body, toBody, reword);

/** What can still be returned of a payment, in cents. */
export const refundable = ({ status, amount_cents, refunded_amount, refund_pending_amount }: PaymentOfLink): number =>
  status === "succeeded" ? amount_cents - Math.round((refunded_amount + refund_pending_amount) * 100) : 0;

/** How much, and why; then a question that says what will be returned to whom. One opening makes one refund. */
export function RefundForm({ payment, onDone }: { payment: PaymentOfLink; onDone: () => void }) {
  const left = refundable(payment);
  const refund = useRefund(payment.payment_link_id);
  const toasts = useKumoToastManager();
  const [asking, setAsking] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const answer = useRef<(yes: boolean) => void>(() => {});
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { amount: fromCents(left), reason: "" },
    fields,
    reword,
    send: async (values, idempotencyKey) => {
      const body = toBody(values);
      const cents = body.amount ? Number(body.amount) : left;
      const yes = await new Promise<boolean>((resolve) => {
        answer.current = resolve;
        setAsking(cents);
      });
      if (!yes) return;
      setBusy(true);
      try {
        const made = await refund.mutateAsync({ body: { ...body, amount: cents }, idempotencyKey });
        const money = formatMoney(made.amount_cents, made.currency);
        const title = {
          succeeded: `${money} returned`,
          pending: `The refund of ${money} is pending`,
          failed: `The refund of ${money} failed`,
        }[made.status];
        const failed = made.status === "failed" ? ({ variant: "error" } as const) : {};
        toasts.add({ title, description: refundWords(made), ...failed });
        onDone();
      } finally {
        setBusy(false);
        setAsking(null);
      }
    },
  });
  const { register, errorOf } = form;

  function decide(yes: boolean): void {
    if (busy) return;
    if (!yes) setAsking(null);
    answer.current(yes);
  }

  return (
    <>
      <SheetForm label="Refund" action="Refund" problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
        <p className="text-base text-kumo-subtle">
          The money goes back to the card that paid: {cardOf(payment)} of {payment.email}.
        </p>
        <Field
          label={`Amount in ${payment.currency}`}
          error={errorOf("amount")}
          hint={`At most ${formatMoney(left, payment.currency)}; empty: all of it.`}
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("amount")}
              inputMode="decimal"
              autoComplete="off"
              className="tabular-nums"
            />
          )}
        </Field>
        <Field
          label="Reason"
          optional
          error={errorOf("reason")}
          hint="For your own records; the payer does not see it."
        >
          {(control) => <TextArea {...control} {...register("reason")} rows={3} />}
        </Field>
      </SheetForm>
      <ConfirmAction
        open={asking !== null}
        onOpenChange={(open) => !open && decide(false)}
        title={`Return ${formatMoney(asking ?? left, payment.currency)}?`}
        action="Return the money"
        destructive
        busy={busy}
        onConfirm={() => decide(true)}
      >
        <p>
          <b className="font-medium text-kumo-default">{formatMoney(asking ?? left, payment.currency)}</b> of{" "}
          {formatMoney(payment.amount_cents, payment.currency)} for “{payment.title}” will be returned to{" "}
          {payment.email}, to the card {cardOf(payment)}. This cannot be undone.
        </p>
        <p>The payment link stays paid. The gateway’s fee is usually not returned.</p>
      </ConfirmAction>
    </>
  );
}
