import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import { Pill } from "@/components/ui/pill";
import type { RequestSummary, statusClasses } from "@/lib/resources/requests/contract";
import type { TextsOf } from "@/messages/texts-of";

/** Who asked. */
export function askedBy(t: TextsOf<"requests.who">, { actor }: RequestSummary): string {
  if (actor.type === "user") return actor.name ?? t("somebody");
  return actor.name ? t("key", { name: actor.name }) : t("anyKey");
}

export function useClassLabels(): Record<(typeof statusClasses)[number], string> {
  const t = useTranslations("requests.statusClass");
  return { "2xx": t("2xx"), "4xx": t("4xx"), "5xx": t("5xx") };
}

export function StatusPill({ status }: { status: number }) {
  const label = String(status);
  if (status < 400) return <Pill label={label} icon={CheckCircleIcon} tone="good" />;
  if (status < 500) return <Pill label={label} icon={WarningCircleIcon} tone="warning" />;
  return <Pill label={label} icon={XCircleIcon} tone="bad" />;
}

export const duration = ({ duration_ms }: RequestSummary): string =>
  duration_ms < 10 ? `${duration_ms.toFixed(1)} ms` : `${Math.round(duration_ms)} ms`;

/** The path with its query, as it was asked for. */
export const addressOf = ({ path, query }: RequestSummary): string => (query ? `${path}?${query}` : path);
