import { useTranslations } from "use-intl";
import { Moment } from "@/components/ui/moment";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import { cardExpiry, useCardName } from "./words";

/** The saved card, or how long its payer still has. */
export function CardCell({ row: { card, status, expires_at } }: { row: Tokenization }) {
  const t = useTranslations("tokenizations.card");
  const cardName = useCardName();
  if (card)
    return (
      <span className={status === "revoked" ? "text-kumo-subtle line-through decoration-kumo-line" : ""}>
        {cardName(card)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(card)}</span>
      </span>
    );
  return (
    <span className="text-kumo-subtle">
      {status === "expired"
        ? t("notSavedInTime")
        : t.rich("toBeSavedBy", { when: () => <Moment at={expires_at} time /> })}
    </span>
  );
}
