import Stripe from "stripe";
import { KeyRefused, NoAnswer } from "@/lib/gateways/gateway";
import { wasNotSent } from "./retries";

const { StripeError, StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors;
const { StripeAuthenticationError, StripeConnectionError, StripePermissionError, StripeRateLimitError } = Stripe.errors;
type StripeError = InstanceType<typeof StripeError>;

/**
 * The error if Stripe rejected the request without doing anything (400, 404). Null for a rejected secret key (see
 * `keyRefusalOf`), a concurrent request (409), rate limits (`notExecutedOf`) and server errors, after which the outcome is unknown.
 */
export function refusalOf(error: unknown): StripeError | null {
  return error instanceof StripeInvalidRequestError && (error.statusCode === 400 || error.statusCode === 404)
    ? error
    : null;
}

/** The error if the bank declined the card (402), which is final for this request. */
export function cardErrorOf(error: unknown): StripeError | null {
  return error instanceof StripeCardError ? error : null;
}

/**
 * The error if Stripe rejected the secret key (401) or its permission (403): this request has executed nothing.
 * @param executedNothing whether the whole call has executed nothing, unless `error` says so itself
 */
export function keyRefusalOf(error: unknown, executedNothing: boolean): KeyRefused | null {
  if (error instanceof KeyRefused) return error;
  const wholeKey = error instanceof StripeAuthenticationError;
  if (!wholeKey && !(error instanceof StripePermissionError)) return null;
  return new KeyRefused(error.code ?? null, wholeKey, executedNothing);
}

/** A request that Stripe has certainly not executed. */
export class NotExecuted extends NoAnswer {
  constructor(readonly code: string | null) {
    super(`Stripe takes no requests (${code ?? "no connection"}).`);
  }
}

/** Whether Stripe had begun the request, but another one kept its object locked. */
export function isLocked(error: unknown): boolean {
  return error instanceof StripeRateLimitError && error.code === "lock_timeout";
}

/**
 * The error if Stripe has not executed this request, nor its repetitions (`retryingClient`): it limits our rate, or no
 * connection was made. Null for a locked object, which is also a 429 (`isLocked`).
 */
export function notExecutedOf(error: unknown): NotExecuted | null {
  if (error instanceof StripeRateLimitError && !isLocked(error)) return new NotExecuted(codeOf(error));
  return error instanceof StripeConnectionError && wasNotSent(error.detail) ? new NotExecuted(null) : null;
}

/** The code of an error: the bank's, else Stripe's. Some refusals have only a type. */
export function codeOf({ decline_code, code, rawType }: Partial<StripeError>): string | null {
  return decline_code || code || rawType || null;
}

export function isKeyUsed(error: unknown): boolean {
  return error instanceof StripeIdempotencyError;
}

/** Whether Stripe repeated the stored answer of an earlier request, which may be outdated. */
export function isReplay({ lastResponse }: { lastResponse: { headers: Record<string, string> } }): boolean {
  return isReplayed(lastResponse.headers);
}

/** Whether Stripe repeated a failure of its own (5xx) that it stored under the key. It does so for a day, whatever happens. */
export function isStoredFailure(error: unknown): boolean {
  if (!(error instanceof StripeError)) return false;
  const { statusCode = 0, headers = {} } = error;
  return statusCode >= 500 && isReplayed(headers);
}

const isReplayed = (headers: Record<string, string>): boolean => headers["idempotent-replayed"] === "true";

/** The loggable fields of an error. Its message and objects can contain payer data. */
export function loggableFields(error: StripeError): { code?: string; param?: string; request?: string } {
  return { code: error.code, param: error.param, request: error.requestId };
}

/**
 * Converts to a loggable error: a `NoAnswer` for one of Stripe's. Those contain client secrets and payers' addresses, and quote the request.
 */
export function toLoggableError(error: unknown): Error {
  if (!(error instanceof StripeError)) return error instanceof Error ? error : new Error(String(error));
  const { detail } = error;
  const network = detail instanceof Error && "code" in detail ? String(detail.code) : undefined;
  const known = [error.type, error.statusCode, error.code, error.param, network, error.requestId];
  return new NoAnswer(`Stripe gave no usable answer (${known.filter((part) => part !== undefined).join(", ")}).`);
}
