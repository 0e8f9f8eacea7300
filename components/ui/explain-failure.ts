import { ApiFailure } from "@/lib/api/client";

/** A failed call in a person's words. What the API says of a refusal is meant for people and stays. */
export function explainFailure(error: Error): string {
  if (!(error instanceof ApiFailure)) return "Something unexpected happened. Please reload the page.";
  const { status, message, requestId } = error;
  if (status === 403) return "Your role does not allow this.";
  if (status === 429) return "That were too many requests at once. Please wait a moment and try again.";
  if (status >= 500)
    return `Paydesk could not do this right now. Please try again.${requestId ? ` (Request ${requestId})` : ""}`;
  if (status === 422) return Object.values(error.errors).flat()[0] ?? message;
  return message;
}
