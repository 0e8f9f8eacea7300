import { useState } from "react";
import { ApiFailure } from "@/lib/client/call";
import { randomKey } from "./random-key";

/**
 * An Idempotency-Key for what a person does, however often it has to be sent: kept when the answer was lost, and another
 * one after a refusal, which is the stored answer of the first.
 * @returns the key, and what to tell of a failure; without one, that it is done or that something else begins
 */
export function useIdempotencyKey(): [key: string, renew: (failure?: unknown) => void] {
  const [key, setKey] = useState(randomKey);
  return [key, (failure) => (failure === undefined || wasRefused(failure)) && setKey(randomKey())];
}

/** Whether nothing was done. Not a key that is at work or was used, nor a session that had ended: what was sent may yet have its effect, or has it. */
export const wasRefused = (failure: unknown): boolean =>
  failure instanceof ApiFailure &&
  failure.status >= 400 &&
  failure.status < 500 &&
  failure.status !== 401 &&
  !failure.code?.startsWith("idempotency_key");
