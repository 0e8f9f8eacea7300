import { useTranslations } from "use-intl";
import { ApiFailure } from "@/lib/client/api-failure";
import type { TextsOf } from "@/messages/texts-of";
import { waitUntil } from "./wait-until";

export function useExplainFailure(): (error: Error) => string {
  const t = useTranslations("ui.failure");
  return (error) => {
    if (!(error instanceof ApiFailure)) return t("unexpected");
    const { status, message, requestId } = error;
    if (status === 401) return t("signedOut");
    if (error.code === "confirmation_required") return t("unconfirmed");
    if (error.code === "email_not_verified") return t("emailNotVerified");
    if (status === 403) return t("forbidden");
    if (status === 429) return tooMany(t, error);
    if (error.code === "idempotency_key_in_flight") return t("stillAtWork");
    if (status >= 500) return requestId ? t("awayRequest", { request: requestId }) : t("away");
    if (status === 422) return Object.values(error.errors).flat()[0] ?? message;
    return message;
  };
}

export function tooMany(t: TextsOf<"ui.failure">, { retryAfter, at }: ApiFailure, timeZone?: string): string {
  if (retryAfter === null) return t("tooMany");
  if (retryAfter < 60) return t("tooManySeconds", { seconds: Math.max(1, retryAfter) });
  const { time, minutes } = waitUntil(new Date(at.getTime() + retryAfter * 1_000), at, timeZone);
  if (minutes <= 60) return t("tooManyMinutes", { time, minutes });
  return t("tooManyHours", { time, hours: Math.round(minutes / 60) });
}
