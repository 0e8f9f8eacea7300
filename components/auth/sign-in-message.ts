import { waitUntil } from "@/components/ui/wait-until";
import type { TextsOf } from "@/messages/texts-of";

export function signInMessage(t: TextsOf<"auth.refusal">, code: string, now = new Date(), timeZone?: string): string {
  if (code === "CredentialsSignin") return t("wrong");
  const until = /^TooManyAttempts\.(\d{10,16})$/.exec(code)?.[1];
  if (until === undefined) return t("away");
  return t("tooMany", waitUntil(new Date(Number(until)), now, timeZone));
}

/** The ticket for the second step, if the password was right and the account needs a code. */
export const ticketOf = (error: string): string | null => /^CodeNeeded\.([\w.-]+)$/.exec(error)?.[1] ?? null;
