import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";

// Counted per web process: a shared counter would add a write to every read. Limits that must hold across processes
// (payment attempts, sign-ins) are counted in PostgreSQL.
let limiter: RateLimiterMemory | undefined;

/**
 * Counts one request against a caller's limit (RATE_LIMIT_PER_MINUTE, 300 by default).
 * @returns the X-RateLimit headers
 * @throws ApiError too_many_attempts
 */
export async function takeRequest(caller: string): Promise<Record<string, string>> {
  const points = env().RATE_LIMIT_PER_MINUTE;
  limiter ??= new RateLimiterMemory({ points, duration: 60 });
  try {
    return headers(points, await limiter.consume(caller));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new ApiError("too_many_attempts", undefined, { ...headers(points, refusal), "Retry-After": String(seconds) });
  }
}

function headers(points: number, state: RateLimiterRes): Record<string, string> {
  return { "X-RateLimit-Limit": String(points), "X-RateLimit-Remaining": String(Math.max(0, state.remainingPoints)) };
}
