import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { WarningIcon } from "@phosphor-icons/react/dist/ssr/Warning";
import { XCircleIcon } from "@phosphor-icons/react/dist/ssr/XCircle";
import { type Look, Pill } from "@/components/shell/pill";
import type { WebhookDelivery, WebhookEndpoint } from "@/lib/webhooks/contract";

/** Enabled and well, failing, or disabled. */
export function EndpointBadge({ status, failing_since }: WebhookEndpoint) {
  if (status === "disabled") return <Pill label="Disabled" icon={ProhibitIcon} tone="quiet" />;
  if (failing_since) return <Pill label="Failing" icon={WarningIcon} tone="warning" />;
  return <Pill label="Enabled" icon={CheckCircleIcon} tone="good" />;
}

export const deliveryLabels = { pending: "Pending", succeeded: "Delivered", failed: "Failed" } as const;

const looks: Record<WebhookDelivery["status"], Look> = {
  pending: { label: deliveryLabels.pending, icon: ClockIcon, tone: "info" },
  succeeded: { label: deliveryLabels.succeeded, icon: CheckCircleIcon, tone: "good" },
  failed: { label: deliveryLabels.failed, icon: XCircleIcon, tone: "bad" },
};

export const DeliveryBadge = ({ status }: { status: WebhookDelivery["status"] }) => <Pill {...looks[status]} />;

/** "All events", "payment_link.paid", "3 types" */
export function eventsWords({ events }: WebhookEndpoint): string {
  if (events.includes("*")) return "All events";
  return events.length === 1 ? (events[0] ?? "") : `${events.length} types of events`;
}

export const disabledWords: Record<NonNullable<WebhookEndpoint["disabled_reason"]>, string> = {
  by_hand: "Somebody disabled it. Events are not kept for it until it is enabled.",
  gone: "It answered 410: nobody listens there any more. Events are not kept for it until it is enabled.",
  failing: "Nothing could be delivered to it for five days. Events are not kept for it until it is enabled.",
};

/** What an attempt came to: "200 in 48 ms", or why there was no answer. */
export function attemptWords({ status, error, latency_ms }: NonNullable<WebhookDelivery["last_attempt"]>): string {
  const time = latency_ms < 1_000 ? `${latency_ms} ms` : `${(latency_ms / 1_000).toFixed(1)} s`;
  if (error) return status === null ? error : `${status}. ${error}`;
  return `${status} in ${time}`;
}
