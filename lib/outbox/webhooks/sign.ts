import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { seal, unseal } from "@/lib/core/secrets";
import { headersOf } from "@/lib/resources/events/payload-contract";

/** Binds the sealed secret to its endpoint: copied to another row, it does not unseal. */
export const sealContext = (endpointId: string): string => `webhook_endpoint/${endpointId}/secret`;

/** A new secret of 256 random bits, in the format of Standard Webhooks. */
export function newSecret(endpointId: string): { shown: string; sealed: string } {
  const shown = `whsec_${randomBytes(32).toString("base64")}`;
  return { shown, sealed: seal(shown, sealContext(endpointId)) };
}

export interface SigningSecrets {
  endpointId: string;
  /** Sealed: the current one and, after a rotation, the previous one. */
  secrets: string[];
}

/**
 * The headers of one attempt, signed with every secret. A repeated message has the same id.
 * @throws Error when a secret does not unseal (another APP_SECRET)
 */
export function signedHeaders(
  { endpointId, secrets }: SigningSecrets,
  messageId: string,
  body: string,
): Record<string, string> {
  // System time, not the business's test clock: the receiver compares it with its own clock.
  const now = new Date();
  const signatures = secrets.map((sealed) =>
    new Webhook(unseal(sealed, sealContext(endpointId))).sign(messageId, now, body),
  );
  return {
    ...headersOf(messageId),
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
