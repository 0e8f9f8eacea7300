import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { pool } from "@/lib/core/db";
import { networkOf } from "@/lib/core/network";

/** Limits on attempts to pay or to save a card, per link or token and per client address, shared by all processes. */
const windows = [
  { name: "min", points: 6, seconds: 60 },
  { name: "hour", points: 20, seconds: 3_600 },
] as const;

let limiters: RateLimiterPostgres[] | undefined;

function attemptLimiters(): RateLimiterPostgres[] {
  limiters ??= windows.map(
    ({ name, points, seconds }) =>
      new RateLimiterPostgres({
        storeClient: pool(),
        tableName: "rate_limit",
        tableCreated: true, // by the migrations
        keyPrefix: `attempt-${name}`,
        points,
        duration: seconds,
      }),
  );
  return limiters;
}

/** Seconds that the payer has to wait; 0 when the attempt may go on. */
type WaitSeconds = number;

/**
 * Checks whether an attempt to pay a link may start, and counts it against the payer's address. The link's own count
 * rises in `countAttempt`, once the attempt has started: payers who find the link in flight do not use up its attempts.
 * @param client the payer's address as the front server saw it; null when unknown
 */
export async function secondsUntilAttempt(linkId: string, client: string | null): Promise<WaitSeconds> {
  const used = await Promise.all(attemptLimiters().map((limiter) => limiter.get(linkId)));
  const link = used.map((state, i) => {
    const points = windows[i]?.points ?? 0;
    return state && state.consumedPoints >= points ? seconds(state) : 0;
  });
  return Math.max(...link, await consume(client === null ? [] : [`client-${networkOf(client)}`]));
}

export async function countAttempt(linkId: string): Promise<void> {
  await consume([linkId]);
}

export function countCardSave(tokenizationId: string, client: string | null): Promise<WaitSeconds> {
  return consume(client === null ? [tokenizationId] : [tokenizationId, `client-${networkOf(client)}`]);
}

const lookups = new RateLimiterMemory({ points: 10, duration: 10 });

/**
 * Whether a page view may look up a link's attempt at the gateway. The limit is ten lookups in ten seconds per link and
 * process, so that reloading a page does not use up the merchant's quota at the gateway.
 */
export async function mayLookUp(linkId: string): Promise<boolean> {
  return lookups.consume(linkId).then(
    () => true,
    () => false,
  );
}

async function consume(keys: string[]): Promise<WaitSeconds> {
  const counted = await Promise.allSettled(
    attemptLimiters().flatMap((limiter) => keys.map((key) => limiter.consume(key))),
  );
  let wait = 0;
  for (const result of counted) {
    if (result.status === "fulfilled") continue;
    if (!(result.reason instanceof RateLimiterRes)) throw result.reason;
    wait = Math.max(wait, seconds(result.reason));
  }
  return wait;
}

const seconds = (state: RateLimiterRes): WaitSeconds => Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
