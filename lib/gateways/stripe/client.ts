import Stripe from "stripe";
import { env } from "@/lib/core/env";

/** Written out, so that an upgrade of the package which brings another one does not pass the compiler unread. */
export const apiVersion = "2026-10-28.endive";

/** Longest wait for one answer, in milliseconds; the ledger's own deadline is 30 s. */
const timeout = 20_000;

const clients = new Map<string, Stripe>();

/**
 * The connection of one key; kept, because it holds the sockets. It repeats nothing by itself, except a request whose
 * connection was closed under it, with the same idempotency key: who asks again is the ledger's decision.
 */
export function stripeClient(secretKey: string): Stripe {
  const { protocol, hostname, port } = new URL(env().STRIPE_API_URL);
  const known = clients.get(secretKey);
  if (known) return known;
  const secure = protocol === "https:";
  const client = new Stripe(secretKey, {
    apiVersion,
    protocol: secure ? "https" : "http",
    host: hostname.replace(/^\[|\]$/g, ""), // an IPv6 address stands in brackets
    port: port || (secure ? 443 : 80),
    timeout,
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: "Paydesk" },
  });
  clients.set(secretKey, client);
  return client;
}
