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

/** An error response of the API. */
export class ApiError extends Error {
  /** `executed`: the request had begun, so its idempotency key stores the error. */
  constructor(
    readonly status: number,
    readonly envelope: Envelope,
    readonly executed = false,
  ) {
    super(envelope.message);
  }
}

/** A parameter error: the idempotency key does not store it. */
export function badParameter(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, param, code });
}

/** A state error: the idempotency key stores it. */
export function badState(message: string, more: Partial<Envelope> = {}): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, ...more }, true);
}

/** An object that the account does not have: 404 if the URL names it, 400 if a parameter does. */
export function missing(noun: string, id: string, param?: string): ApiError {
  const envelope = { type: "invalid_request_error", code: "resource_missing", param: param ?? "id" } as const;
  return new ApiError(param ? 400 : 404, { ...envelope, message: `No such ${noun}: '${id}'` });
}

/** 501, so that no test passes because of a missing feature. */
export function unimplemented(what: string): ApiError {
  return new ApiError(501, { type: "api_error", message: `the fake does not implement ${what}` });
}
