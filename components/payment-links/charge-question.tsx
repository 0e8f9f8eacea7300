import { use, useState } from "react";
import { useTranslations } from "use-intl";
import { useCardWords } from "@/components/tokenizations/words";
import { linkClass } from "@/components/ui/detail";
import { ConfirmDialog } from "@/components/ui/dialog-frames";
import { Field, NativeSelect } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { type SavedCardRow, useSavedCard } from "@/lib/resources/tokenizations/queries";

interface ChargeQuestionProps {
  link: Pick<PaymentLink, "email" | "title" | "amount_cents" | "currency" | "subscription_id">;
  cards: readonly SavedCardRow[];
  suggested: Promise<SavedCardRow>;
  run: (card: SavedCardRow) => Promise<unknown>;
}

/** Asks before a link is charged to a saved card, and which one if the payer has several. */
export function ChargeQuestion({ link, cards, suggested, run }: ChargeQuestionProps) {
  const t = useTranslations("paymentLinks.charge");
  const cardWords = useCardWords();
  const isPeriod = link.subscription_id !== null;
  const billed = useSavedCard(link.email, false, isPeriod).data ?? null;
  const [card, setCard] = useState(use(suggested));
  const amount = formatMoney(link.amount_cents, link.currency);
  const choose = (id: string) => setCard(cards.find(({ _id }) => _id === id) ?? card);
  const body = (
    <>
      <p>
        {t.rich("text", {
          card: cardWords(card.card),
          email: link.email,
          amount,
          title: link.title,
          b: (words) => <b className="font-medium">{words}</b>,
          name: (words) => <bdi>{words}</bdi>,
        })}
      </p>
      {cards.length > 1 && (
        <Field label={t("card")}>
          {(control) => (
            <NativeSelect {...control} value={card._id} onChange={({ target }) => choose(target.value)}>
              {cards.map((row) => (
                <option key={row._id} value={row._id}>
                  {cardWords(row.card)}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
      {isPeriod && (
        <p role="status" className="text-kumo-default empty:-mt-2">
          {billed &&
            billed.tokenization_id !== card._id &&
            t.rich("laterPeriods", {
              card: cardWords(billed),
              open: (words) => (
                <Link href={`/tokenizations/${billed.tokenization_id}`} className={linkClass}>
                  {words}
                </Link>
              ),
            })}
        </p>
      )}
    </>
  );
  return (
    <ConfirmDialog title={t("title", { amount })} body={body} action={t("action", { amount })} run={() => run(card)} />
  );
}
