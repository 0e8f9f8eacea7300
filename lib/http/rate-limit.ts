import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Actor } from "@/lib/auth/actor";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import type { Incoming } from "@/lib/core/incoming";
import { clientOf, networkOf } from "@/lib/core/network";

// Counted per web process: a shared counter would add a write to every read. Limits that must hold across processes
// (payment attempts, sign-ins) are counted in PostgreSQL.
let limiters: { callers: RateLimiterMemory; businesses: RateLimiterMemory } | undefined;

/** A business may have many keys. So many of them can use up their own limits at the same time. */
const keysAtOnce = 4;

function makeLimiters() {
  const points = env().RATE_LIMIT_PER_MINUTE;
  return {
    callers: new RateLimiterMemory({ points, duration: 60 }),
    businesses: new RateLimiterMemory({ points: keysAtOnce * points, duration: 60 }),
  };
}

/**
 * Counts one request against a caller's limit (RATE_LIMIT_PER_MINUTE, 300 by default).
 * @returns the X-RateLimit headers
 * @throws ApiError too_many_attempts
 */
export function takeRequest(caller: string): Promise<Record<string, string>> {
  limiters ??= makeLimiters();
  return take(limiters.callers, caller);
}

/**
 * Counts one request of a key against the limit of its business and mode. Requests of people do not count: an owner can always
 * revoke a key.
 * @throws ApiError too_many_attempts
 */
export async function takeRequestOfBusiness({ businessId, livemode, who }: Actor): Promise<void> {
  if (who.type !== "api_key") return;
  limiters ??= makeLimiters();
  await take(limiters.businesses, `${businessId} ${livemode}`);
}

async function take(limiter: RateLimiterMemory, key: string): Promise<Record<string, string>> {
  const { points } = limiter;
  try {
    return headers(points, await limiter.consume(key));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfter = String(secondsUntil(refusal));
    throw new ApiError("too_many_attempts", undefined, { ...headers(points, refusal), "Retry-After": retryAfter });
  }
}

const secondsUntil = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

let failures: RateLimiterMemory | undefined;

/** What was wrong: an API key, a session, or the address of a page. Each has its own count. */
type Failure = "key" | "session" | "page";

/**
 * Counts a request that named nothing of ours, such as an unknown key or link, against its client's address
 * (ADDRESS_FAILURES_PER_MINUTE). Requests that succeed neither count nor are refused: an office behind one address is never
 * locked out (docs/decisions/0041-failures-by-address.md).
 * @returns seconds to wait, if the answer must be 429 instead of the failure; else 0
 */
export async function countFailure(of: Failure, request: Incoming): Promise<number> {
  failures ??= new RateLimiterMemory({ points: env().ADDRESS_FAILURES_PER_MINUTE, duration: 60 });
  try {
    await failures.consume(`${of} ${networkOf(clientOf(request).address)}`);
    return 0;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return secondsUntil(refusal);
  }
}

function headers(points: number, state: RateLimiterRes): Record<string, string> {
  return { "X-RateLimit-Limit": String(points), "X-RateLimit-Remaining": String(Math.max(0, state.remainingPoints)) };
}
