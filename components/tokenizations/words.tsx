import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import { type Tokenization, tokenizationStatuses } from "@/lib/resources/tokenizations/contract";
import type { SavedCard } from "@/lib/resources/tokenizations/queries";

type Status = Tokenization["status"];

const looks: Record<Status, Omit<Look, "label">> = {
  pending: { icon: HourglassIcon, tone: "info" },
  active: { icon: CheckCircleIcon, tone: "good" },
  revoked: { icon: ProhibitIcon, tone: "quiet" },
  expired: { icon: ClockIcon, tone: "quiet" },
};

/** The states and their words, in the order of a filter. */
export function useStatusLabels(): Record<Status, string> {
  const t = useTranslations("tokenizations.status");
  return Object.fromEntries(tokenizationStatuses.map((status) => [status, t(status)])) as Record<Status, string>;
}

export function TokenizationBadge({ status }: { status: Status }) {
  const t = useTranslations("tokenizations.status");
  return <Pill {...looks[status]} label={t(status)} />;
}

/** Makes "Visa ending in 4242". */
export function useCardName(): (card: Pick<SavedCard, "brand" | "last4">) => string {
  const t = useTranslations("tokenizations.card");
  return ({ brand, last4 }) => (brand && last4 ? t("name", { brand, last4 }) : t("unknown"));
}

/** "12/40", as it is printed on the card. */
export const cardExpiry = ({ exp_month, exp_year }: SavedCard): string =>
  `${String(exp_month).padStart(2, "0")}/${String(exp_year).slice(-2)}`;
