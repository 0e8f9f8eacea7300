import Stripe from "stripe";
import { env } from "@/lib/core/env";
import { retryingClient } from "./retries";

/** Explicit, so that a package upgrade with another version fails to compile. */
export const apiVersion = "2026-10-28.endive";

/** Shorter than `gatewayDeadlineMs` (lib/ledger/deadline.ts). */
const timeoutMs = 20_000;

const clients = new Map<string, Stripe>();

/**
 * The client of a secret key, cached because it holds the connections. Besides what
 * `retryingClient` repeats, it repeats a request once after a closed connection, with the same idempotency key.
 */
export function stripeClient(secretKey: string): Stripe {
  const { protocol, hostname, port } = new URL(env().STRIPE_API_URL);
  const known = clients.get(secretKey);
  if (known) return known;
  const secure = protocol === "https:";
  const client = new Stripe(secretKey, {
    apiVersion,
    protocol: secure ? "https" : "http",
    host: hostname.replace(/^\[|\]$/g, ""), // without the brackets of an IPv6 address
    port: port || (secure ? 443 : 80),
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    httpClient: retryingClient(),
    telemetry: false,
    appInfo: { name: "Paydesk" },
  });
  clients.set(secretKey, client);
  return client;
}
