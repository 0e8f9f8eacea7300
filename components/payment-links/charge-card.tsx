import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { useTranslations } from "use-intl";
import { useCardWords } from "@/components/tokenizations/words";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { wasRefused } from "@/components/ui/idempotency-key";
import { onDemand } from "@/components/ui/on-demand";
import { useToasts } from "@/components/ui/toasts";
import { formatMoney } from "@/lib/core/money";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { type SavedCardRow, useSavedCards } from "@/lib/resources/tokenizations/queries";
import { useChargeCard } from "./use-charge-card";

const ChargeQuestion = onDemand(() => import("./charge-question").then(({ ChargeQuestion }) => ChargeQuestion));

/** Hidden if the payer has no saved card. */
export function ChargeCard({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks.charge");
  const cardWords = useCardWords();
  const cards = useSavedCards(link.email, link.status === "Active").data ?? [];
  const { charge, suggest } = useChargeCard(link);
  const toasts = useToasts();
  const { openDialog } = useDialogs();
  if (link.status !== "Active" || cards.length === 0) return null;
  const amount = formatMoney(link.amount_cents, link.currency);

  async function run(card: SavedCardRow): Promise<void> {
    try {
      const { paid } = await charge(card);
      toasts.add(
        paid
          ? { title: t("paid", { amount }), description: t("paidText", { card: cardWords(card.card) }) }
          : { title: t("unanswered"), description: t("unansweredText") },
      );
    } catch (error) {
      toasts.failed(t(wasRefused(error) ? "failed" : "unknown"), error as Error);
    }
  }

  const ask = (): void => openDialog(<ChargeQuestion link={link} cards={cards} suggested={suggest(cards)} run={run} />);

  return (
    <Button variant="secondary" icon={<CreditCardIcon size={16} />} onClick={ask}>
      {t("button")}
    </Button>
  );
}
