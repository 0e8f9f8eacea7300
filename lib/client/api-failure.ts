import type { FieldErrors } from "@/lib/core/errors";

export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
    /** A 422's messages, by field; empty for other statuses. */
    readonly errors: FieldErrors = {},
    readonly requestId: string | null = null,
    /** Seconds, from the Retry-After header. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "ApiFailure";
  }

  /** When the response arrived, for counting down `retryAfter`. */
  readonly at = new Date();
}
