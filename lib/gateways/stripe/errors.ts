import Stripe from "stripe";

const { StripeError, StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors;
type StripeError = InstanceType<typeof StripeError>;

/**
 * The refusal of a request as such (400, 404): Stripe read it and did nothing. Not a refused key (401, 403), one that is
 * in use (409), a full queue (429) or a failure of Stripe's own, after which anything may have happened.
 */
export function refusalOf(error: unknown): StripeError | null {
  return error instanceof StripeInvalidRequestError && (error.statusCode === 400 || error.statusCode === 404)
    ? error
    : null;
}

/** The bank's refusal of a card (402): final for this request. */
export function cardErrorOf(error: unknown): StripeError | null {
  return error instanceof StripeCardError ? error : null;
}

/** Whether another request has used this idempotency key. */
export function isKeyUsed(error: unknown): boolean {
  return error instanceof StripeIdempotencyError;
}

/** Whether a request was made before, so that this is its first answer, however much has happened since. */
export function isReplay({ lastResponse }: { lastResponse: { headers: Record<string, string> } }): boolean {
  return lastResponse.headers["idempotent-replayed"] === "true";
}

/** What of an error may be logged: not its message, which can repeat what was sent, nor the objects that it carries. */
export function traits(error: StripeError): { code?: string; param?: string; request?: string } {
  return { code: error.code, param: error.param, request: error.requestId };
}

/**
 * An error that may go through logs: Stripe's carry the objects they are about, with client secrets and addresses of
 * payers, and quote the request.
 */
export function plain(error: unknown): Error {
  if (!(error instanceof StripeError)) return error instanceof Error ? error : new Error(String(error));
  const { detail } = error;
  const network = detail instanceof Error && "code" in detail ? String(detail.code) : undefined;
  const known = [error.type, error.statusCode, error.code, error.param, network, error.requestId];
  return new Error(`Stripe gave no usable answer (${known.filter((part) => part !== undefined).join(", ")}).`);
}
