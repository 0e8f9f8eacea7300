"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { useRef, useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { randomKey } from "@/components/shell/use-sheet-form";
import { cardExpiry, cardName } from "@/components/tokenizations/words";
import { explainFailure } from "@/components/ui/explain-failure";
import { Field, NativeSelect } from "@/components/ui/field";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { useChargePaymentLink } from "@/lib/payment-links/queries";
import { useSavedCards } from "@/lib/tokenizations/saved-cards";

/** Charges a card that the payer has saved; not there when the payer has none. One question makes one charge. */
export function ChargeCard({ link }: { link: PaymentLink }) {
  const cards = useSavedCards(link.email, link.status === "Active");
  const charge = useChargePaymentLink(link._id);
  const toasts = useKumoToastManager();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState("");
  const key = useRef("");
  const rows = cards.data ?? [];
  const card = rows.find(({ _id }) => _id === chosen) ?? rows[0];
  if (link.status !== "Active" || !card) return null;
  const amount = formatMoney(link.amount_cents, link.currency);

  function ask(): void {
    key.current = randomKey();
    setOpen(true);
  }

  function act(): void {
    if (!card) return;
    charge.mutate(
      { token: card.token, idempotencyKey: key.current },
      {
        onSuccess: ({ paid }) =>
          toasts.add(
            paid
              ? { title: `Paid: ${amount}`, description: `${cardName(card.card)} was charged.` }
              : { title: "The gateway has not answered yet", description: "Nothing else is charged until it does." },
          ),
        onError: (error) =>
          toasts.add({ title: "The card was not charged", description: explainFailure(error), variant: "error" }),
        onSettled: () => setOpen(false),
      },
    );
  }

  return (
    <>
      <Button variant="secondary" icon={<CreditCardIcon size={16} />} onClick={ask}>
        Charge saved card
      </Button>
      <ConfirmAction
        open={open}
        onOpenChange={(still) => !charge.isPending && setOpen(still)}
        title={`Charge ${amount} now?`}
        action={`Charge ${amount}`}
        busy={charge.isPending}
        onConfirm={act}
      >
        <p>
          {cardName(card.card)} of {link.email} will be charged <b className="font-medium">{amount}</b> for “
          {link.title}”, without the payer doing anything. The payment link is then paid.
        </p>
        {rows.length > 1 && (
          <Field label="Card">
            {(control) => (
              <NativeSelect {...control} value={card._id} onChange={({ target }) => setChosen(target.value)}>
                {rows.map((row) => (
                  <option key={row._id} value={row._id}>
                    {cardName(row.card)}, {cardExpiry(row.card)}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
        )}
      </ConfirmAction>
    </>
  );
}
