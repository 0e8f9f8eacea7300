import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { Pill } from "@/components/shell/pill";
import type { RequestSummary, statusClasses } from "@/lib/requests/contract";

/** Who asked. */
export function askedBy({ actor }: RequestSummary): string {
  if (actor.type === "user") return actor.name ?? "Somebody in the dashboard";
  return actor.name ? `Key “${actor.name}”` : "An API key";
}

export const classLabels: Record<(typeof statusClasses)[number], string> = {
  "2xx": "Succeeded",
  "4xx": "Refused",
  "5xx": "Failed",
};

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
