import { setTimeout as sleep } from "node:timers/promises";
import type Stripe from "stripe";
import { isLocked, keyRefusalOf, notExecutedOf } from "./errors";

const lockedPauseMs = 1_000;

const clients = new WeakMap<Stripe, Map<string, number>>();

/**
 * Sends the request by which a call changes something at Stripe, and repeats it once if its object was locked. Stripe's
 * client sends a request again after a closed connection. In both cases the first one may have been executed. So a refused
 * key or rate limit proves that nothing was executed only if the request was sent once.
 * @param send uses `idempotencyKey`
 * @throws KeyRefused when Stripe refuses the secret key
 * @throws NotExecuted when the request has certainly not been executed
 */
export async function sendCounted<T>(stripe: Stripe, idempotencyKey: string, send: () => Promise<T>): Promise<T> {
  const counts = countsOf(stripe);
  counts.set(idempotencyKey, counts.get(idempotencyKey) ?? 0);
  try {
    return await send().catch(async (error: unknown) => {
      if (!isLocked(error)) throw error;
      await sleep(lockedPauseMs);
      return send();
    });
  } catch (error) {
    const once = counts.get(idempotencyKey) === 1;
    throw keyRefusalOf(error, once) ?? (once ? notExecutedOf(error) : null) ?? error;
  } finally {
    counts.delete(idempotencyKey);
  }
}

/** How often the client has sent each idempotency key whose call is in progress. */
function countsOf(stripe: Stripe): Map<string, number> {
  const known = clients.get(stripe);
  if (known) return known;
  const counts = new Map<string, number>();
  stripe.on("request", ({ idempotency_key: key }: Stripe.RequestEvent) => {
    const count = key === undefined ? undefined : counts.get(key);
    if (key !== undefined && count !== undefined) counts.set(key, count + 1);
  });
  clients.set(stripe, counts);
  return counts;
}
