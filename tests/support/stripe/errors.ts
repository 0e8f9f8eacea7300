type Envelope = {
  type: "invalid_request_error" | "api_error" | "card_error" | "idempotency_error";
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
};

/** A refusal, in the envelope that the API sends. */
export class ApiError extends Error {
  /** `executed` says that work had begun, so that an idempotency key remembers the refusal. */
  constructor(
    readonly status: number,
    readonly envelope: Envelope,
    readonly executed = false,
  ) {
    super(envelope.message);
  }
}

/** Refuses a parameter before anything is done: an idempotency key does not remember it. */
export function badParameter(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, param, code });
}

/** Refuses what the object's state forbids: an idempotency key remembers it. */
export function badState(message: string, more: Partial<Envelope> = {}): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, ...more }, true);
}

/** An object that this account does not have: 404 where the address names it, 400 where a parameter does. */
export function missing(noun: string, id: string, param?: string): ApiError {
  const envelope = { type: "invalid_request_error", code: "resource_missing", param: param ?? "id" } as const;
  return new ApiError(param ? 400 : 404, { ...envelope, message: `No such ${noun}: '${id}'` });
}

/** Loud, so that no test passes because the fake looked away. */
export function unimplemented(what: string): ApiError {
  return new ApiError(501, { type: "api_error", message: `the fake does not implement ${what}` });
}
