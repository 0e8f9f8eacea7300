import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";
import { warnOfClock } from "./clock-difference";

/** Pauses before retries: together well below the deadline of a lookup (lib/ledger/deadline.ts). */
const pausesMs = [250, 750, 2_000];

type Client = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * Repeats requests that Stripe has surely not executed, with the same idempotency key: it limits our rate (429), or no
 * connection was made. The library's `maxNetworkRetries` does not repeat a 429, and repeats requests that may have been
 * executed. A locked object is also a 429, but Stripe had begun that request: `sendCounted` repeats it.
 */
export function retryingClient(): Client {
  const client = Stripe.createNodeHttpClient();
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      for (const pause of pausesMs) {
        try {
          const response = await client.makeRequest(...request);
          warnOfClock(response.getHeaders().date);
          if (response.getStatusCode() !== 429) return response;
          const body = await response.toJSON().catch(nullOfProxy); // also frees the connection
          if (body?.error?.code === "lock_timeout") return Object.assign(response, { toJSON: async () => body });
        } catch (error) {
          if (!wasNotSent(error)) throw error;
        }
        await sleep(pause * (0.5 + Math.random() / 2));
      }
      return client.makeRequest(...request);
    },
  };
}

/** For a 429 that is no JSON: it is a proxy's, and Stripe did not get the request. A body that was cut may be Stripe's. */
function nullOfProxy(error: unknown): null {
  if (error instanceof SyntaxError) return null;
  throw error;
}

/** Whether no connection was made: the name was not resolved, or the connection was refused or timed out. */
export function wasNotSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(wasNotSent); // one for each address of a name
  const syscall = error instanceof Error && "syscall" in error ? error.syscall : null;
  return syscall === "connect" || syscall === "getaddrinfo";
}
