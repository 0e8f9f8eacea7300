import { sendOnce, unansweredAbout } from "@/components/ui/idempotency-key";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { useChargePaymentLink } from "@/lib/resources/payment-links/queries";
import type { SavedCardRow } from "@/lib/resources/tokenizations/queries";

/** The cards in the order in which they are suggested: the newest last if it has failed, because billing charges it for a period. */
export const suggestedFirst = (
  cards: readonly SavedCardRow[],
  { subscription_id, attempt_count }: Pick<PaymentLink, "subscription_id" | "attempt_count">,
): readonly SavedCardRow[] =>
  subscription_id !== null && attempt_count > 0 ? [...cards.slice(1), ...cards.slice(0, 1)] : cards;

/** Charges a link to a saved card. A charge whose response was lost is repeated with the same card and key. */
export function useChargeCard(linkId: string) {
  const { mutateAsync } = useChargePaymentLink(linkId);
  const action = `charge ${linkId}`;
  return {
    /** Finds the card of a charge whose response was lost. */
    findUnanswered: (cards: readonly SavedCardRow[]) => cards.find(({ _id }) => _id === unansweredAbout(action)),
    charge: ({ _id, token }: SavedCardRow) =>
      sendOnce(action, _id, (idempotencyKey) => mutateAsync({ token, idempotencyKey })),
  };
}
