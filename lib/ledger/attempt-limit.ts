import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { pool } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { networkOf } from "@/lib/core/network";
import type { DeclineReason } from "@/lib/gateways/reasons";

/**
 * Limits of live mode, shared by all processes: attempts per link or tokenization, and declined ones per client address.
 * Paid attempts do not count for the address: an office's payers share one. Test mode has no limits.
 */
function openLimiters() {
  const limits = env();
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool(),
      storeType: "pool",
      tableName: "rate_limit",
      tableCreated: true, // by the migrations
      ...{ keyPrefix, points, duration },
    });
  return {
    attempts: [
      limiter("attempt-min", limits.LINK_ATTEMPTS_PER_MINUTE, 60),
      limiter("attempt-hour", limits.LINK_ATTEMPTS_PER_HOUR, 3_600),
    ],
    declines: [
      limiter("decline-min", limits.ADDRESS_DECLINES_PER_MINUTE, 60),
      limiter("decline-hour", limits.ADDRESS_DECLINES_PER_HOUR, 3_600),
    ],
  };
}

let opened: ReturnType<typeof openLimiters> | undefined;

function limiters(): ReturnType<typeof openLimiters> {
  opened ??= openLimiters();
  return opened;
}

/** What an attempt is for: a payment link or a tokenization. */
interface Limited {
  id: string;
  livemode: boolean;
}

/** Seconds that the payer has to wait; 0 when the attempt may go on. */
type WaitSeconds = number;

/**
 * Checks whether an attempt may start. It counts nothing: `countAttempt` does once the attempt has started, so that payers who
 * find the link in flight do not use up its attempts.
 * @param client the payer's address as the front server saw it; null when unknown
 */
export async function secondsUntilAttempt({ id, livemode }: Limited, client: string | null): Promise<WaitSeconds> {
  if (!livemode) return 0;
  const { attempts, declines } = limiters();
  const waits = [
    ...attempts.map((limiter) => remainingSeconds(limiter, id)),
    ...declines.map((limiter) => (client === null ? 0 : remainingSeconds(limiter, networkOf(client)))),
  ];
  return Math.max(...(await Promise.all(waits)));
}

/** Checks and counts an attempt to save a card at once. */
export async function countCardSave({ id, livemode }: Limited, client: string | null): Promise<WaitSeconds> {
  if (!livemode) return 0;
  const { attempts, declines } = limiters();
  const waits = [
    consume(attempts, id),
    ...declines.map((limiter) => (client === null ? 0 : remainingSeconds(limiter, networkOf(client)))),
  ];
  return Math.max(...(await Promise.all(waits)));
}

async function remainingSeconds(limiter: RateLimiterPostgres, key: string): Promise<WaitSeconds> {
  const state = await limiter.get(key);
  return state && state.consumedPoints >= limiter.points ? seconds(state) : 0;
}

export async function countAttempt({ id, livemode }: Limited): Promise<void> {
  if (livemode) await consume(limiters().attempts, id);
}

/** Reasons that are not a bank's refusal of a card: the payer or the gateway ended the attempt. */
const uncounted: readonly DeclineReason[] = ["abandoned", "processing_error", "gateway_refused"];

/** Counts a decline against the address of the payer who learns of it. */
export async function countDecline(livemode: boolean, client: string | null, reason: DeclineReason): Promise<void> {
  if (livemode && client !== null && !uncounted.includes(reason)) await consume(limiters().declines, networkOf(client));
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

async function consume(counters: RateLimiterPostgres[], key: string): Promise<WaitSeconds> {
  const counted = await Promise.allSettled(counters.map((limiter) => limiter.consume(key)));
  let wait = 0;
  for (const result of counted) {
    if (result.status === "fulfilled") continue;
    if (!(result.reason instanceof RateLimiterRes)) throw result.reason;
    wait = Math.max(wait, seconds(result.reason));
  }
  return wait;
}

const seconds = (state: RateLimiterRes): WaitSeconds => Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
