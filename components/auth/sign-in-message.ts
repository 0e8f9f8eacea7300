import { waitUntil } from "@/components/ui/wait-until";
import type { TextsOf } from "@/messages/texts-of";

/** One calm sentence for each of the codes that lib/auth/options.ts answers a sign-in with. */
export function signInMessage(t: TextsOf<"auth.refusal">, code: string, now = new Date(), timeZone?: string): string {
  if (code === "CredentialsSignin") return t("wrong");
  const until = /^TooManyAttempts\.(\d{10,16})$/.exec(code)?.[1];
  if (until === undefined) return t("away");
  return t("tooMany", waitUntil(new Date(Number(until)), now, timeZone));
}

/** What goes with the code, where the password was right and a code is asked for. */
export const ticketOf = (error: string): string | null => /^CodeNeeded\.([\w.-]+)$/.exec(error)?.[1] ?? null;
