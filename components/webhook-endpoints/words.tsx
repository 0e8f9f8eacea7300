import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { WarningIcon } from "@phosphor-icons/react/dist/ssr/Warning";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { useTranslations } from "use-intl";
import type { Texts } from "@/components/ui/list/columns";
import { type Look, Pill } from "@/components/ui/pill";
import { isSuccess } from "@/lib/core/webhook-success";
import type { WebhookDelivery, WebhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";

export function EndpointBadge({ status, failing_since }: WebhookEndpoint) {
  const t = useTranslations("webhooks.words.state");
  if (status === "disabled") return <Pill label={t("disabled")} icon={ProhibitIcon} tone="quiet" />;
  if (failing_since) return <Pill label={t("failing")} icon={WarningIcon} tone="warning" />;
  return <Pill label={t("enabled")} icon={CheckCircleIcon} tone="good" />;
}

const looks: Record<WebhookDelivery["status"] | "retrying", Omit<Look, "label">> = {
  pending: { icon: ClockIcon, tone: "info" },
  retrying: { icon: WarningIcon, tone: "warning" },
  succeeded: { icon: CheckCircleIcon, tone: "good" },
  failed: { icon: XCircleIcon, tone: "bad" },
};

export function DeliveryBadge({ status, last_attempt }: Pick<WebhookDelivery, "status" | "last_attempt">) {
  const t = useTranslations("webhooks.words.delivery");
  const state = status === "pending" && last_attempt !== null && !isSuccess(last_attempt) ? "retrying" : status;
  return <Pill label={t(state)} {...looks[state]} />;
}

/** "All events", "payment_link.paid", "3 types" */
export function eventsWords(t: Texts, { events }: WebhookEndpoint): string {
  if (events.includes("*")) return t("webhooks.words.allEvents");
  return events.length === 1 ? (events[0] ?? "") : t("webhooks.words.typesOfEvents", { count: events.length });
}

/** "200 in 48 ms", or why there was no response. */
export function attemptWords(t: Texts, attempt: NonNullable<WebhookDelivery["last_attempt"]>): string {
  const { status, error, latency_ms } = attempt;
  const time = latency_ms < 1_000 ? `${latency_ms} ms` : `${(latency_ms / 1_000).toFixed(1)} s`;
  if (error) return status === null ? error : `${status}. ${error}`;
  return t("webhooks.words.answered", { status: String(status), time });
}
