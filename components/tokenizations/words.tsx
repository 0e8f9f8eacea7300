import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { useTranslations } from "use-intl";
import type { Texts } from "@/components/ui/list/columns";
import { type Look, Pill } from "@/components/ui/pill";
import { cardExpiresAt } from "@/lib/core/card-expiry";
import { useNow } from "@/lib/resources/test-clock/queries";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import type { SavedCard } from "@/lib/resources/tokenizations/queries";

type Status = Tokenization["status"];

export const tokenizationLooks: Record<Status, Omit<Look, "label">> = {
  pending: { icon: HourglassIcon, tone: "info" },
  active: { icon: CheckCircleIcon, tone: "good" },
  revoked: { icon: ProhibitIcon, tone: "quiet" },
  expired: { icon: ClockIcon, tone: "quiet" },
};

export function TokenizationBadge({
  tokenization,
}: {
  tokenization: Pick<Tokenization, "status" | "declined_at" | "card_expired">;
}) {
  const t = useTranslations("tokenizations.status");
  const { status, declined_at, card_expired } = tokenization;
  if (status === "active" && declined_at !== null)
    return <Pill icon={WarningCircleIcon} tone="bad" label={t("declined")} />;
  if (status === "active" && card_expired)
    return <Pill icon={WarningCircleIcon} tone="warning" label={t("cardExpired")} />;
  return <Pill {...tokenizationLooks[status]} label={t(status)} />;
}

type NamedCard = Pick<SavedCard, "brand" | "last4">;

/** The expiry of a payment's card may be unknown. */
interface KnownExpiry {
  exp_month: number;
  exp_year: number;
}

export const knownExpiry = <Card extends { exp_month: number | null; exp_year: number | null }>(
  card: Card,
): (Card & KnownExpiry) | null =>
  card.exp_month === null || card.exp_year === null ? null : (card as Card & KnownExpiry);

/** "Visa ending in 4242" */
export const cardName = ({ brand, last4 }: NamedCard, t: Texts): string =>
  brand && last4 ? t("tokenizations.card.name", { brand, last4 }) : t("tokenizations.card.unknown");

export function useCardName(): (card: NamedCard) => string {
  const t = useTranslations();
  return (card) => cardName(card, t);
}

/** "12/40" */
export const cardExpiry = ({ exp_month, exp_year }: KnownExpiry): string =>
  `${String(exp_month).padStart(2, "0")}/${String(exp_year).slice(-2)}`;

/** In a sentence: "Visa ending in 4242 (12/40)" */
export function useCardWords(): (card: SavedCard) => string {
  const t = useTranslations();
  return (card) => `${cardName(card, t)} (${cardExpiry(card)})`;
}

/** "12/40", and whether that has passed by the business's clock. */
export function CardExpiry({ card }: { card: KnownExpiry }) {
  const t = useTranslations("tokenizations.card");
  const expired = cardExpiresAt(card.exp_year, card.exp_month) <= useNow().getTime();
  return (
    <span className={`tabular-nums ${expired ? "text-(--ink-warning)" : "text-kumo-subtle"}`}>
      {cardExpiry(card)}
      {expired && ` (${t("expired")})`}
    </span>
  );
}
