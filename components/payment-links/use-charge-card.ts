import { sendOnce, unansweredAbout } from "@/components/ui/idempotency-key";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useChargePaymentLink } from "@/lib/resources/payment-links/queries";
import { fetchDeclinedCards } from "@/lib/resources/payments/queries";
import type { SavedCardRow } from "@/lib/resources/tokenizations/queries";

/**
 * Charges a link to a saved card, unless it has another amount by now than the one that is shown. A charge whose response was lost
 * is repeated with the same card and key.
 */
export function useChargeCard(shown: Pick<PaymentLink, "_id" | "amount_cents" | "currency">) {
  const { _id: linkId, amount_cents: amount, currency } = shown;
  const { mutateAsync } = useChargePaymentLink(linkId);
  const action = `charge ${linkId}`;
  const aboutOf = (cardId: string) => `${cardId} ${amount} ${currency}`;

  /**
   * Suggests the card of a charge whose response was lost; else the last one saved that was not declined for this link; else the
   * one whose decline is the longest ago.
   */
  async function suggest(cards: readonly SavedCardRow[]): Promise<SavedCardRow> {
    const lost = cards.find(({ _id }) => aboutOf(_id) === unansweredAbout(action));
    if (lost) return lost;
    const declined = cards.length > 1 ? await fetchDeclinedCards(linkId) : [];
    const rank = ({ _id }: SavedCardRow) => declined.indexOf(_id);
    return cards.find((card) => rank(card) < 0) ?? cards.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  }

  return {
    suggest,
    charge: ({ _id, token }: SavedCardRow) =>
      sendOnce(action, aboutOf(_id), (idempotencyKey) => mutateAsync({ token, amount, currency, idempotencyKey })),
  };
}
