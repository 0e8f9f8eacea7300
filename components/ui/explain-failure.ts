import { useTranslations } from "use-intl";
import { ApiFailure } from "@/lib/api/client";

/** Makes of a failed call a person's words. What the API says of a refusal is meant for people and stays. */
export function useExplainFailure(): (error: Error) => string {
  const t = useTranslations("ui.failure");
  return (error) => {
    if (!(error instanceof ApiFailure)) return t("unexpected");
    const { status, message, requestId } = error;
    if (status === 401) return t("signedOut");
    if (status === 403) return t("forbidden");
    if (status === 429) return t("tooMany");
    if (error.code === "idempotency_key_in_flight") return t("stillAtWork");
    if (status >= 500) return requestId ? t("awayRequest", { request: requestId }) : t("away");
    if (status === 422) return Object.values(error.errors).flat()[0] ?? message;
    return message;
  };
}
