import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { seal, unseal } from "@/lib/core/secrets";

/** Bound to the endpoint: a sealed secret that was moved to another one does not open. */
const place = (endpointId: string): string => `webhook_endpoint/${endpointId}/secret`;

/** A new secret in Standard Webhooks' form: 256 random bits. */
export function newSecret(endpointId: string): { shown: string; sealed: string } {
  const shown = `whsec_${randomBytes(32).toString("base64")}`;
  return { shown, sealed: seal(shown, place(endpointId)) };
}

/** The secrets that sign now, sealed: the endpoint's and, after a rotation, the one before. */
export interface SigningSecrets {
  endpointId: string;
  secrets: string[];
}

/**
 * The headers of one attempt, signed now with every secret. A repeated message has the same id.
 * @throws Error when a secret does not open (another APP_SECRET)
 */
export function signedHeaders(
  { endpointId, secrets }: SigningSecrets,
  messageId: string,
  body: string,
): Record<string, string> {
  // The system's time, not the business's: the receiver compares it with its own.
  const now = new Date();
  const signatures = secrets.map((sealed) => new Webhook(unseal(sealed, place(endpointId))).sign(messageId, now, body));
  return {
    "content-type": "application/json",
    "user-agent": "Paydesk-Webhooks/1",
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
