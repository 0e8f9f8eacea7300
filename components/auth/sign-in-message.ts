import type { TextsOf } from "@/messages/texts-of";

/** One calm sentence for each of the codes that lib/auth/options.ts answers a sign-in with. */
export function signInMessage(t: TextsOf<"auth.refusal">, code: string, now = new Date(), timeZone?: string): string {
  if (code === "CredentialsSignin") return t("wrong");
  const until = /^TooManyAttempts\.(\d{10,16})$/.exec(code)?.[1];
  if (until === undefined) return t("away");
  const at = new Date(Number(until));
  // Rounded up to the minute that is shown: whoever comes back then is let in.
  const shown = new Date(Math.ceil(at.getTime() / 60_000) * 60_000);
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(shown);
  const minutes = Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 60_000));
  return t("tooMany", { time, minutes });
}

/** What goes with the code, where the password was right and a code is asked for. */
export const ticketOf = (error: string): string | null => /^CodeNeeded\.([\w.-]+)$/.exec(error)?.[1] ?? null;
