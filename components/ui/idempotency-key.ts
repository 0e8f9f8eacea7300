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

const unanswered = new Map<string, { key: string; sentAt: number }>();
/** After this time a repetition is meant as a new request. In milliseconds. */
const repeatMs = 600_000;

/**
 * Sends a request with an Idempotency-Key, the same again for the same thing if the response was lost. For an action of a menu,
 * which is gone when the action is repeated.
 * @param about names the action and all that its request depends on: a stored response says nothing of what has changed since
 */
export function sendOnce<T>(about: string, send: (key: string) => Promise<T>): Promise<T> {
  const before = unanswered.get(about);
  const sentAt = Date.now();
  const key = before && sentAt - before.sentAt < repeatMs ? before.key : randomKey();
  unanswered.set(about, { key, sentAt });
  const work = send(key);
  const forget = () => unanswered.delete(about);
  work.then(forget, (error) => wasRefused(error) && forget());
  return work;
}

/** Whether the failed request surely had no effect. An ended session, or a key in use or used before, leaves it open. */
export const wasRefused = (failure: unknown): boolean =>
  failure instanceof ApiFailure &&
  failure.status >= 400 &&
  failure.status < 500 &&
  failure.status !== 401 &&
  !failure.code?.startsWith("idempotency_key");
