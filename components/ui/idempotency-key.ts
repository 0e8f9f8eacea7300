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

/** By action: its last request, until the response arrives. */
const unanswered = new Map<string, { about: string; key: string; sentAt: number }>();
/** After this time, repeating the action sends a new request. In milliseconds. */
const repeatMs = 600_000;

function lastUnanswered(action: string) {
  const last = unanswered.get(action);
  return last && Date.now() - last.sentAt < repeatMs ? last : null;
}

/** What the action's last request was about, if its response was lost. */
export const unansweredAbout = (action: string): string | undefined => lastUnanswered(action)?.about;

/**
 * Sends a request with an Idempotency-Key, the same again for the same thing if the response was lost. Kept outside components,
 * because a menu unmounts when it closes.
 * @param action names the action and its resource
 * @param about all else that the request depends on, because a repeat returns the stored response
 */
export function sendOnce<T>(action: string, about: string, send: (key: string) => Promise<T>): Promise<T> {
  const last = lastUnanswered(action);
  const key = last?.about === about ? last.key : randomKey();
  unanswered.set(action, { about, key, sentAt: Date.now() });
  const work = send(key);
  // Not a later request of the action.
  const forget = () => unanswered.get(action)?.key === key && unanswered.delete(action);
  work.then(forget, (error) => (wasRefused(error) || hasWorked(error)) && forget());
  return work;
}

/** Whether an earlier request with the key, about something else, had its effect. */
const hasWorked = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.code === "idempotency_key_reused";

/**
 * Whether the failed request surely had no effect. An ended session, a key in use or used before, or a proxy that
 * waited too long leaves it open.
 */
export const wasRefused = (failure: unknown): boolean =>
  failure instanceof ApiFailure &&
  failure.status >= 400 &&
  failure.status < 500 &&
  failure.status !== 401 &&
  failure.status !== 408 &&
  !failure.code?.startsWith("idempotency_key");
