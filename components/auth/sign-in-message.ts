import { waitUntil } from "@/components/ui/wait-until";
import type { TextsOf } from "@/messages/texts-of";

export function signInMessage(t: TextsOf<"auth.refusal">, code: string, now = new Date(), timeZone?: string): string {
  if (code === "CredentialsSignin") return t("wrong");
  if (code === "PasskeyRefused") return t("passkeyRefused");
  const until = /^TooManyAttempts\.(\d{10,16})$/.exec(code)?.[1];
  if (until === undefined) return t("away");
  return t("tooMany", waitUntil(new Date(Number(until)), now, timeZone));
}

const factors = { Code: "code", Passkey: "passkey", CodeOrPasskey: "either" } as const;

export interface SecondStep {
  ticket: string;
  /** What the person has besides recovery codes. */
  factors: (typeof factors)[keyof typeof factors];
}

/** The second step, if the password was right and the account needs one (lib/auth/options.ts). */
export function secondStepOf(error: string): SecondStep | null {
  const [, needed, ticket] = /^(Code|Passkey|CodeOrPasskey)Needed\.([\w.-]+)$/.exec(error) ?? [];
  return needed && ticket ? { ticket, factors: factors[needed as keyof typeof factors] } : null;
}
