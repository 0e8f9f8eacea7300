/** "lasts": the same request is always refused again. "passes": the refusing state can change. */
type Duration = "lasts" | "passes";
type OtherStatus = 400 | 401 | 403 | 405 | 412 | 413 | 415 | 417 | 429 | 500 | 503;
type Entry = readonly [OtherStatus, message: string] | readonly [402 | 404 | 409, message: string, Duration];

/**
 * Every error of the API: code -> status and default message (contract, section 5). The list is closed. A 402, 404 or 409 also
 * has its duration: an Idempotency-Key stores only refusals that last. A 404 lasts, because no id is used twice. A declined
 * charge lasts, because the attempt belongs to the key.
 */
const table = {
  invalid_json: [400, "The request body is not valid JSON."],
  invalid_idempotency_key: [400, "The Idempotency-Key header must have 1 to 255 characters."],
  bad_request: [400, "The request could not be understood."],
  unauthenticated: [401, "Unauthenticated."],
  forbidden: [403, "This action is unauthorized."],
  address_not_allowed: [403, "This API key may not be used from this IP address."],
  not_found: [404, "Not found.", "lasts"],
  method_not_allowed: [405, "The method is not supported for this route."],
  conflict: [409, "The request conflicts with the current state.", "passes"],
  link_already_paid: [409, "The payment link has been paid and can no longer be changed.", "lasts"],
  link_processing: [409, "A payment of this link is in progress. Try again when it has finished.", "passes"],
  payment_declined: [402, "The card was declined.", "lasts"],
  account_refused: [
    409,
    "The gateway refuses the account's key. Reconnect the account, or settle the payment by hand.",
    "passes",
  ],
  payment_settled: [409, "The payment is settled already.", "lasts"],
  link_not_active: [409, "The payment link is not active. Activate it first.", "passes"],
  link_not_paid: [409, "The payment link has not been paid: there is nothing to refund.", "passes"],
  nothing_to_refund: [409, "The whole payment has been refunded, or is being refunded.", "passes"],
  payment_disputed: [
    409,
    "The payer's bank has taken this money back while it decides the dispute. A refund would return it twice.",
    "passes",
  ],
  payment_not_manual: [
    409,
    "Only a payment that was marked as paid by hand can be reversed. Refund this one instead.",
    "lasts",
  ],
  payment_reversed: [409, "The payment has been reversed already.", "lasts"],
  payment_refunded: [409, "A part of the payment is recorded as returned, so it cannot be reversed.", "lasts"],
  amount_not_supported: [409, "The gateway cannot take this amount in this currency.", "passes"],
  link_expired: [409, "The payment link has expired. Give it a later expires_at first.", "passes"],
  too_many_webhook_endpoints: [
    409,
    "A business can have at most 16 webhook endpoints in each mode. Delete one first.",
    "passes",
  ],
  too_many_api_keys: [409, "A business can have at most 100 active keys in each mode. Revoke one first.", "passes"],
  webhook_endpoint_disabled: [409, "The webhook endpoint is disabled. Enable it first.", "passes"],
  already_subscribed: [409, "The customer already has this subscription.", "passes"],
  customer_exists: [409, "A customer with this e-mail already exists. Two customers cannot be merged.", "passes"],
  nothing_to_move: [
    409,
    "The customer has no open links, running subscriptions or cards. What was paid stays with the e-mail.",
    "passes",
  ],
  package_in_use: [409, "The package has subscriptions.", "passes"],
  idempotency_key_reused: [409, "This Idempotency-Key was used with a different request.", "passes"],
  idempotency_key_in_flight: [409, "A request with this Idempotency-Key is still in progress.", "passes"],
  key_not_usable: [409, "The key is revoked, expired or rotated already.", "lasts"],
  last_owner: [409, "A business needs an owner. Make another member an owner first.", "passes"],
  already_member: [409, "This person is a member already.", "passes"],
  already_invited: [
    409,
    "This person has been invited already. Send the invitation again, or withdraw it first.",
    "passes",
  ],
  invitation_not_open: [
    409,
    "The invitation is no longer open: it was accepted or withdrawn, or it has expired.",
    "lasts",
  ],
  two_factor_on: [409, "Two-factor sign-in is on already.", "passes"],
  two_factor_off: [409, "Two-factor sign-in is not set up. Start the setup first.", "passes"],
  two_factor_needed: [
    409,
    "A business of yours requires two-factor sign-in. Add another second factor first.",
    "passes",
  ],
  own_two_factor_needed: [409, "Set up a second factor for yourself first, so that you can still sign in.", "passes"],
  too_many_passkeys: [409, "You can have at most 20 passkeys. Remove one first.", "passes"],
  passkey_exists: [409, "This passkey is registered already.", "lasts"],
  too_many_saved_views: [409, "You can have at most 30 saved views of a list. Delete one first.", "passes"],
  saved_view_exists: [409, "This list already has a view with this name.", "passes"],
  gateway_busy: [409, "An account of this business is being connected already. Try again.", "passes"],
  business_changed: [409, "This browser has switched to another business. Reload the page.", "passes"],
  confirmation_required: [403, "Confirm your identity, then repeat the request."],
  two_factor_required: [403, "This business requires two-factor sign-in. Set up a second factor first."],
  email_verified: [409, "The e-mail address is confirmed already.", "lasts"],
  email_not_verified: [
    403,
    "Confirm your e-mail address first, with the link that was sent to it. PUT /account/email-verification takes it.",
  ],
  registration_closed: [403, "New businesses cannot register here. Ask the person who runs this server."],
  precondition_failed: [412, "This has changed since you loaded it. Check the current version before you change it."],
  body_too_large: [413, "The request body must not be larger than 64 kB."],
  unsupported_media_type: [415, "The Content-Type must be application/json."],
  expectation_failed: [417, "The Expect header can only be 100-continue."],
  too_many_attempts: [429, "Too Many Attempts."],
  server_error: [500, "Server Error"],
  gateway_away: [503, "The gateway gave no usable answer. Nothing was changed. Try again later."],
  service_unavailable: [503, "Service Unavailable"],
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof table;

/** Every code with its status and message, for the API reference. */
export const errorCodes: readonly { code: string; status: number; message: string }[] = Object.entries(table).map(
  ([code, [status, message]]) => ({ code, status, message }),
);

/** An error response, thrown anywhere below a route. lib/http/handle.ts turns it into a response. */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message?: string,
    readonly headers: Record<string, string> = {},
    readonly details: Record<string, string> = {},
  ) {
    super(message ?? table[code][1]);
    this.status = table[code][0];
  }

  /** Whether the same request is always refused again. */
  get lasts(): boolean {
    const [, , duration] = table[this.code] as Entry;
    return duration === "lasts";
  }

  body(): string {
    return JSON.stringify({ message: this.message, code: this.code, ...this.details });
  }
}

export type FieldErrors = Record<string, string[]>;

/** The specification's 422: no envelope, a list of messages for each field. */
export class ValidationError extends Error {
  readonly status = 422;
  readonly headers: Record<string, string> = {};

  constructor(readonly errors: FieldErrors) {
    super("The given data was invalid.");
  }

  body(): string {
    return JSON.stringify({ message: this.message, errors: this.errors });
  }
}

/**
 * The same 404 for absent, deleted, malformed and another business's ids.
 * @param what the resource, such as "Payment link"
 */
export function notFound(what: string): ApiError {
  return new ApiError("not_found", `${what} not found.`);
}

/** For a reference to a missing or unusable resource. */
export function invalidSelection(field: string): ValidationError {
  return new ValidationError({ [field]: [`The selected ${field} is invalid.`] });
}
