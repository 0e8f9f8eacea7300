import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { HourglassIcon } from "@phosphor-icons/react/dist/ssr/Hourglass";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { cardWords } from "@/components/public/words";
import { type Look, Pill } from "@/components/shell/pill";
import type { Tokenization } from "@/lib/tokenizations/contract";
import type { SavedCard } from "@/lib/tokenizations/queries";

type Status = Tokenization["status"];

export const statusLabels = {
  pending: "Pending",
  active: "Active",
  revoked: "Revoked",
  expired: "Expired",
} as const satisfies Record<Status, string>;

const looks: Record<Status, Look> = {
  pending: { label: statusLabels.pending, icon: HourglassIcon, tone: "info" },
  active: { label: statusLabels.active, icon: CheckCircleIcon, tone: "good" },
  revoked: { label: statusLabels.revoked, icon: ProhibitIcon, tone: "quiet" },
  expired: { label: statusLabels.expired, icon: ClockIcon, tone: "quiet" },
};

export const TokenizationBadge = ({ status }: { status: Status }) => <Pill {...looks[status]} />;

/** "Visa ending in 4242" */
export const cardName = ({ brand, last4 }: SavedCard): string => cardWords(brand, last4) ?? "a card";

/** "12/40", as it is printed on the card. */
export const cardExpiry = ({ exp_month, exp_year }: SavedCard): string =>
  `${String(exp_month).padStart(2, "0")}/${String(exp_year).slice(-2)}`;
