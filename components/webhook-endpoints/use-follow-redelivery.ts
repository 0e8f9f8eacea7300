import { useTranslations } from "use-intl";
import type { Texts } from "@/components/ui/list/columns";
import { useToasts } from "@/components/ui/toasts";
import type { WebhookDelivery } from "@/lib/resources/webhook-endpoints/contract";
import { useRedeliveryOutcome } from "@/lib/resources/webhook-endpoints/queries";

/** Why an attempt failed. Not in words.tsx, whose icons the overview does not need. */
export const failureWords = (t: Texts, { status, error }: NonNullable<WebhookDelivery["last_attempt"]>): string =>
  error ?? t("webhooks.outcome.answered", { status: String(status) });

interface Options {
  /** Of all redelivered events, if it may be more than the ids. */
  count?: number;
  /** Aborts it without a toast. */
  signal?: AbortSignal;
}

/** A function that says in a toast whether redelivered events arrived, and returns the id of the first delivery that failed again. */
export function useFollowRedelivery() {
  const texts = useTranslations();
  const t = useTranslations("webhooks.outcome");
  const toasts = useToasts();
  const readOutcome = useRedeliveryOutcome();

  return async (ids: string[], { count = ids.length, signal }: Options = {}): Promise<string | null> => {
    // Not said if it could not be read. The deliveries show it.
    const outcome = await readOutcome(ids, signal).catch(() => null);
    if (!outcome) return null;
    const { failed } = outcome;
    // Of more than the ids, how many were delivered is unknown.
    const delivered = count > ids.length ? 0 : outcome.delivered;
    const [first] = failed;
    if (!first) {
      if (delivered > 0) toasts.add({ title: t("delivered", { count: delivered }) });
      return null;
    }
    const title = delivered > 0 ? t("failedInPart", { delivered, failed: failed.length }) : t("failed");
    toasts.add({ title, description: failureWords(texts, first.attempt), variant: "error" });
    return first.id;
  };
}
