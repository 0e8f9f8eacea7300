import { useState } from "react";
import { ApiFailure } from "@/lib/client/api-failure";
import { randomKey } from "./random-key";

/**
 * The Idempotency-Key of a form or dialog. It stays the same if the response was lost. A refusal renews it, because the
 * same key would return the stored refusal.
 * @returns the key, and how to renew it: with a failure only if that was a refusal
 */
export function useIdempotencyKey(): [key: string, renew: (failure?: unknown) => void] {
  const [key, setKey] = useState(randomKey);
  return [key, (failure) => (failure === undefined || wasRefused(failure)) && setKey(randomKey())];
}

/** Whether the failed request surely had no effect. An ended session, or a key in use or used before, leaves it open. */
export const wasRefused = (failure: unknown): boolean =>
  failure instanceof ApiFailure &&
  failure.status >= 400 &&
  failure.status < 500 &&
  failure.status !== 401 &&
  !failure.code?.startsWith("idempotency_key");
