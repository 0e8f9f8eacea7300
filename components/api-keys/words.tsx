import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockCountdownIcon } from "@phosphor-icons/react/dist/ssr/ClockCountdown";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { useTranslations } from "use-intl";
import type { Texts } from "@/components/ui/list/columns";
import { type Look, Pill } from "@/components/ui/pill";
import { resources } from "@/lib/auth/scopes";
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

/** "Read: Payments, Reports · Write: Refunds"; of a key for all resources, "Read · Write". */
export function permissionWords({ scopes }: ApiKey, t: Texts): string {
  return (["read", "write"] as const)
    .flatMap((action) => {
      const label = t(`apiKeys.form.${action}`);
      const names = resources
        .filter((name) => scopes.includes(`${name}:${action}`))
        .map((name) => t(`apiKeys.form.resources.${name}`));
      return [
        ...(scopes.includes(action) ? [label] : []),
        ...(names.length > 0 ? [`${label}: ${names.join(", ")}`] : []),
      ];
    })
    .join(" · ");
}
