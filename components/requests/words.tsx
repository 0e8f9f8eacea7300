import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import type { Texts } from "@/components/ui/list/columns";
import { Pill } from "@/components/ui/pill";
import type { RequestSummary } from "@/lib/resources/requests/contract";

export function madeBy({ actor }: RequestSummary, t: Texts): string {
  if (actor.type === "user") return actor.name ?? t("requests.who.member");
  return actor.name ? t("requests.who.key", { name: actor.name }) : t("requests.who.anyKey");
}

export function StatusPill({ status }: { status: number }) {
  const label = String(status);
  if (status < 400) return <Pill label={label} icon={CheckCircleIcon} tone="good" />;
  if (status < 500) return <Pill label={label} icon={WarningCircleIcon} tone="warning" />;
  return <Pill label={label} icon={XCircleIcon} tone="bad" />;
}

export const duration = ({ duration_ms }: RequestSummary): string =>
  duration_ms < 10 ? `${duration_ms.toFixed(1)} ms` : `${Math.round(duration_ms)} ms`;

export const addressOf = ({ path, query }: RequestSummary): string => (query ? `${path}?${query}` : path);
