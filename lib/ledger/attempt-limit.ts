import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { pool } from "@/lib/core/db";
import { networkOf } from "@/lib/core/network";

/** Attempts to pay or to save a card, for each link or token and for each client address, over all processes. */
const windows = [
  { name: "min", points: 6, seconds: 60 },
  { name: "hour", points: 20, seconds: 3_600 },
] as const;

let limiters: RateLimiterPostgres[] | undefined;

function ready(): RateLimiterPostgres[] {
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

/** How long a payer has to wait, in seconds; 0 when the attempt may go on. */
type Wait = number;

/**
 * Whether an attempt to pay a link may begin. It counts against the payer's address at once, and against the link when it
 * has begun (`countBegun`): of many payers at once all but one find the link taken, and are not to use up its attempts.
 * @param client the payer's address as our front server saw it; null when it is not known.
 */
export async function mayBegin(linkId: string, client: string | null): Promise<Wait> {
  const used = await Promise.all(ready().map((limiter) => limiter.get(linkId)));
  const link = used.map((state, i) => {
    const points = windows[i]?.points ?? 0;
    return state && state.consumedPoints >= points ? seconds(state) : 0;
  });
  return Math.max(...link, await count(client === null ? [] : [`client-${networkOf(client)}`]));
}

/** Counts an attempt that has begun against its link. */
export async function countBegun(linkId: string): Promise<void> {
  await count([linkId]);
}

/** Counts an attempt to save a card against the tokenization and the payer's address. */
export function countActivation(tokenizationId: string, client: string | null): Promise<Wait> {
  return count(client === null ? [tokenizationId] : [tokenizationId, `client-${networkOf(client)}`]);
}

const questions = new RateLimiterMemory({ points: 10, duration: 10 });

/**
 * Whether a visit may ask the gateway about a link's attempt: however often a page is loaded, the merchant's account there is
 * asked ten times in ten seconds at most, for each link and process. The page looks again by itself.
 */
export async function mayAsk(linkId: string): Promise<boolean> {
  return questions.consume(linkId).then(
    () => true,
    () => false,
  );
}

async function count(keys: string[]): Promise<Wait> {
  const counted = await Promise.allSettled(ready().flatMap((limiter) => keys.map((key) => limiter.consume(key))));
  let wait = 0;
  for (const result of counted) {
    if (result.status === "fulfilled") continue;
    if (!(result.reason instanceof RateLimiterRes)) throw result.reason;
    wait = Math.max(wait, seconds(result.reason));
  }
  return wait;
}

const seconds = (state: RateLimiterRes): Wait => Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
