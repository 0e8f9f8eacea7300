import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useCardWords } from "@/components/tokenizations/words";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { Field, NativeSelect } from "@/components/ui/field";
import { wasRefused } from "@/components/ui/idempotency-key";
import { randomKey } from "@/components/ui/random-key";
import { useToasts } from "@/components/ui/toasts";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useChargePaymentLink } from "@/lib/resources/payment-links/queries";
import { useSavedCards } from "@/lib/resources/tokenizations/queries";

type SavedCards = NonNullable<ReturnType<typeof useSavedCards>["data"]>;
type SavedCard = SavedCards[number];

/** Hidden if the payer has no saved card. */
export function ChargeCard({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks.charge");
  const cardWords = useCardWords();
  const cards = useSavedCards(link.email, link.status === "Active").data ?? [];
  const charge = useChargePaymentLink(link._id);
  const toasts = useToasts();
  const { confirm } = useDialogs();
  /** A charge whose response was lost: the next try repeats it with the same card and key. */
  const unanswered = useRef<{ id: string; key: string } | null>(null);
  const [first] = cards;
  if (link.status !== "Active" || !first) return null;
  const amount = formatMoney(link.amount_cents, link.currency);

  async function run(card: SavedCard): Promise<void> {
    const key = unanswered.current?.id === card._id ? unanswered.current.key : randomKey();
    unanswered.current = { id: card._id, key };
    try {
      const { paid } = await charge.mutateAsync({ token: card.token, idempotencyKey: key });
      unanswered.current = null;
      toasts.add(
        paid
          ? { title: t("paid", { amount }), description: t("paidText", { card: cardWords(card.card) }) }
          : { title: t("unanswered"), description: t("unansweredText") },
      );
    } catch (error) {
      if (wasRefused(error)) unanswered.current = null;
      toasts.failed(t("failed"), error as Error);
    }
  }

  function ask(firstCard: SavedCard): void {
    let chosen = cards.find(({ _id }) => _id === unanswered.current?.id) ?? firstCard;
    void confirm({
      title: t("title", { amount }),
      body: (
        <ChooseCard
          link={link}
          cards={cards}
          initial={chosen}
          onChoose={(card) => {
            chosen = card;
          }}
        />
      ),
      action: t("action", { amount }),
      run: () => run(chosen),
    });
  }

  return (
    <Button variant="secondary" icon={<CreditCardIcon size={16} />} onClick={() => ask(first)}>
      {t("button")}
    </Button>
  );
}

interface ChooseCardProps {
  link: PaymentLink;
  cards: SavedCards;
  initial: SavedCard;
  onChoose: (card: SavedCard) => void;
}

function ChooseCard({ link, cards, initial, onChoose }: ChooseCardProps) {
  const t = useTranslations("paymentLinks.charge");
  const cardWords = useCardWords();
  const [card, setCard] = useState(initial);

  function choose(id: string): void {
    const chosen = cards.find(({ _id }) => _id === id);
    if (!chosen) return;
    setCard(chosen);
    onChoose(chosen);
  }

  return (
    <>
      <p>
        {t.rich("text", {
          card: cardWords(card.card),
          email: link.email,
          amount: formatMoney(link.amount_cents, link.currency),
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
    </>
  );
}
