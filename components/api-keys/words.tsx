import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockCountdownIcon } from "@phosphor-icons/react/dist/ssr/ClockCountdown";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useTranslations } from "use-intl";
import { type Look, Pill } from "@/components/ui/pill";
import type { ApiKey } from "@/lib/resources/api-keys/contract";

const looks: Record<ApiKey["status"] | "rotated", Omit<Look, "label">> = {
  active: { icon: CheckCircleIcon, tone: "good" },
  rotated: { icon: ClockCountdownIcon, tone: "warning" },
  expired: { icon: ClockCountdownIcon, tone: "quiet" },
  revoked: { icon: ProhibitIcon, tone: "quiet" },
};

/** "Rotated" while an old key still works beside its replacement. */
export function KeyBadge({ apiKey: { status, replaced_by } }: { apiKey: ApiKey }) {
  const t = useTranslations("apiKeys.row");
  const shown = status === "active" && replaced_by ? "rotated" : status;
  return <Pill label={t(`status.${shown}`)} {...looks[shown]} />;
}
