import { useTranslations } from "use-intl";
import { useToasts } from "@/components/ui/toasts";
import { type RedeliveryOutcome, useRedeliveryOutcome } from "@/lib/resources/webhook-endpoints/queries";

interface Failure {
  at: string;
  reason: string;
}

/** Functions that say in a toast whether redelivered events arrived, and return why the first of those that did not has failed. */
export function useFollowRedelivery() {
  const t = useTranslations("webhooks.outcome");
  const toasts = useToasts();
  const outcome = useRedeliveryOutcome();

  async function report(reading: Promise<RedeliveryOutcome | null>): Promise<Failure | null> {
    // Not said if it could not be read. The deliveries show it.
    const { delivered = 0, failed = [] } = (await reading.catch(() => null)) ?? {};
    const attempt = failed.find(({ last_attempt }) => last_attempt)?.last_attempt;
    if (!attempt) {
      if (delivered > 0) toasts.add({ title: t("delivered", { count: delivered }) });
      return null;
    }
    const reason = attempt.error ?? t("answered", { status: String(attempt.status) });
    const title = delivered > 0 ? t("failedInPart", { delivered, failed: failed.length }) : t("failed");
    toasts.add({ title, description: reason, variant: "error" });
    return { at: attempt.created_at, reason };
  }

  return {
    ofDeliveries: (ids: string[]) => report(outcome.ofDeliveries(ids)),
    ofEndpoint: (id: string, count: number) => report(outcome.ofEndpoint(id, count)),
  };
}
