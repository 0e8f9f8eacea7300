"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cardExpiry, useCardName } from "@/components/tokenizations/words";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { Field, NativeSelect } from "@/components/ui/field";
import { useIdempotencyKey } from "@/components/ui/idempotency-key";
import { useToasts } from "@/components/ui/toasts";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useChargePaymentLink } from "@/lib/resources/payment-links/queries";
import { useSavedCards } from "@/lib/resources/tokenizations/saved-cards";

/** Charges a card that the payer has saved; not there when the payer has none. One question makes one charge. */
export function ChargeCard({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks.charge");
  const cardName = useCardName();
  const cards = useSavedCards(link.email, link.status === "Active");
  const charge = useChargePaymentLink(link._id);
  const toasts = useToasts();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState("");
  const [idempotencyKey, renewKey] = useIdempotencyKey();
  const rows = cards.data ?? [];
  const card = rows.find(({ _id }) => _id === chosen) ?? rows[0];
  if (link.status !== "Active" || !card) return null;
  const amount = formatMoney(link.amount_cents, link.currency);

  function choose(id: string): void {
    renewKey(); // another card is another charge
    setChosen(id);
  }

  function act(): void {
    if (!card) return;
    setChosen(card._id); // also when it is tried again and the payer has another one by then
    charge.mutate(
      { token: card.token, idempotencyKey },
      {
        onSuccess: ({ paid }) => {
          renewKey();
          toasts.add(
            paid
              ? { title: t("paid", { amount }), description: t("paidText", { card: cardName(card.card) }) }
              : { title: t("unanswered"), description: t("unansweredText") },
          );
        },
        onError: (error) => {
          renewKey(error);
          toasts.failed(t("failed"), error);
        },
        onSettled: () => setOpen(false),
      },
    );
  }

  return (
    <>
      <Button variant="secondary" icon={<CreditCardIcon size={16} />} onClick={() => setOpen(true)}>
        {t("button")}
      </Button>
      <ConfirmAction
        open={open}
        onOpenChange={(still) => !charge.isPending && setOpen(still)}
        title={t("title", { amount })}
        action={t("action", { amount })}
        busy={charge.isPending}
        onConfirm={act}
      >
        <p>
          {t.rich("text", {
            card: cardName(card.card),
            email: link.email,
            amount,
            title: link.title,
            b: (words) => <b className="font-medium">{words}</b>,
            name: (words) => <bdi>{words}</bdi>,
          })}
        </p>
        {rows.length > 1 && (
          <Field label={t("card")}>
            {(control) => (
              <NativeSelect {...control} value={card._id} onChange={({ target }) => choose(target.value)}>
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
