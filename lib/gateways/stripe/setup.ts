import type Stripe from "stripe";
import { env, stripeApi } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { eventTypes } from "./callbacks";
import { apiVersion, stripeClient } from "./client";
import { loggableFields, refusalOf, toLoggableError } from "./errors";

/** Why an account cannot be connected. `account`: a concurrent connection. `gateway`: Stripe failed. */
export class ConnectProblem extends Error {
  constructor(
    readonly about: "secret_key" | "webhook_secret" | "account" | "gateway",
    message: string,
  ) {
    super(message);
  }
}

/** Checks a secret key's format and mode; null when it is acceptable. */
export function badKey(secretKey: string, livemode: boolean): string | null {
  const mode = /^[sr]k_(test|live)_[A-Za-z0-9]{10,200}$/.exec(secretKey)?.[1];
  if (!mode) return "This is no secret key of Stripe's: it begins with sk_ or rk_.";
  if ((mode === "live") === livemode) return null;
  return `This is a ${mode} key: it cannot take ${livemode ? "live" : "test"} payments.`;
}

const statusOf = (error: unknown): unknown =>
  typeof error === "object" && error && "statusCode" in error ? error.statusCode : null;

/**
 * The account id of a secret key.
 * @throws ConnectProblem when Stripe rejects the key or does not answer
 */
export async function accountOf(secretKey: string): Promise<string> {
  try {
    return (await stripeClient(secretKey).accounts.retrieveCurrent()).id;
  } catch (error) {
    const status = statusOf(error);
    if (status === 401) throw new ConnectProblem("secret_key", "Stripe does not know this key.");
    if (status === 403)
      throw new ConnectProblem(
        "secret_key",
        "Stripe does not let this key read its account. In Stripe, give the key read access to the account, then try again.",
      );
    throw new ConnectProblem("gateway", toLoggableError(error).message);
  }
}

/** The lists that a restricted key must be allowed to read, by the names of Stripe's permissions. Write access includes reading. */
const neededLists: [permission: string, list: (stripe: Stripe) => Promise<unknown>][] = [
  ["Checkout Sessions", (stripe) => stripe.checkout.sessions.list({ limit: 1 })],
  ["Customers", (stripe) => stripe.customers.list({ limit: 1 })],
  ["PaymentIntents", (stripe) => stripe.paymentIntents.list({ limit: 1 })],
  ["Refunds", (stripe) => stripe.refunds.list({ limit: 1 })],
  ["Charges", (stripe) => stripe.charges.list({ limit: 1 })],
  ["Disputes", (stripe) => stripe.disputes.list({ limit: 1 })],
  ["SetupIntents", (stripe) => stripe.setupIntents.list({ limit: 1 })],
];

/**
 * Checks that a key may list what Paydesk reads. Only a write shows whether it may write.
 * @throws ConnectProblem that names the missing permissions, or when Stripe does not answer
 */
export async function assertMayList(secretKey: string): Promise<void> {
  const stripe = stripeClient(secretKey);
  const missing = await Promise.all(
    neededLists.map(async ([permission, list]) => {
      try {
        await list(stripe);
        return [];
      } catch (error) {
        if (statusOf(error) === 403) return [permission];
        throw new ConnectProblem("gateway", toLoggableError(error).message);
      }
    }),
  );
  const names = new Intl.ListFormat("en").format(missing.flat());
  if (!names) return;
  throw new ConnectProblem(
    "secret_key",
    `Stripe does not let this key list ${names}. In Stripe, give the key write access to Checkout Sessions, Customers, PaymentIntents, PaymentMethods and Refunds, and read access to Charges, Disputes and SetupIntents. Then try again.`,
  );
}

export function callbackAddress(id: string): string {
  return `${env().APP_URL}/api/gateways/stripe/webhook?account=${id}`;
}

/** Whether Stripe can call us: it calls https URLs only. A test server in place of Stripe may call any URL. */
export function canBeCalled(): boolean {
  return env().APP_URL.startsWith("https:") || env().STRIPE_API_URL !== stripeApi;
}

/** Whether Stripe opens payment pages: in live mode it sends payers back to https URLs only. */
export const canReturn = (livemode: boolean): boolean => !livemode || env().APP_URL.startsWith("https:");

/**
 * Creates our webhook endpoint at Stripe, pinned to our API version.
 * @returns null when Stripe refuses: the key lacks the permission, or Stripe rejects the URL
 */
export async function createEndpoint(
  secretKey: string,
  id: string,
): Promise<{ endpoint: string; webhookSecret: string } | null> {
  try {
    const created = await stripeClient(secretKey).webhookEndpoints.create(
      {
        url: callbackAddress(id),
        enabled_events: [...eventTypes],
        api_version: apiVersion,
        description: "Paydesk",
        metadata: { paydesk_account: id },
      },
      { maxNetworkRetries: 2 },
    );
    if (!created.secret) throw new Error("Stripe made a webhook endpoint without a secret.");
    return { endpoint: created.id, webhookSecret: created.secret };
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused && statusOf(error) !== 403) throw new ConnectProblem("gateway", toLoggableError(error).message);
    log.warn({ account: id, ...(refused ? loggableFields(refused) : {}) }, "Stripe refused to make a webhook endpoint");
    return null;
  }
}

/** Our endpoints of this account at Stripe, without those that a merchant created by hand. */
async function endpointsOf(secretKey: string, id: string): Promise<Stripe.WebhookEndpoint[]> {
  const ours: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripeClient(secretKey).webhookEndpoints.list({ limit: 100 })) {
    if (endpoint.metadata.paydesk_account === id) ours.push(endpoint);
  }
  return ours;
}

/** Subscribes endpoints that an older version of Paydesk created to the events added since. Failures are only logged. */
export async function renewSubscriptions(secretKey: string, id: string): Promise<void> {
  try {
    for (const { id: endpoint, enabled_events } of await endpointsOf(secretKey, id)) {
      const enabled = new Set<string>(enabled_events);
      if (enabled.has("*") || eventTypes.every((type) => enabled.has(type))) continue;
      await stripeClient(secretKey).webhookEndpoints.update(endpoint, { enabled_events: [...eventTypes] });
    }
  } catch (error) {
    log.warn(
      { account: id, reason: toLoggableError(error).message },
      "the webhook endpoint at Stripe was not subscribed to all events",
    );
  }
}

/** Deletes our endpoints of this account at Stripe, except one. Failures are only logged. */
export async function removeEndpoints(secretKey: string, id: string, except: string | null): Promise<void> {
  try {
    const ours = (await endpointsOf(secretKey, id)).filter((endpoint) => endpoint.id !== except);
    for (const endpoint of ours) await stripeClient(secretKey).webhookEndpoints.del(endpoint.id);
  } catch (error) {
    log.warn(
      { account: id, reason: toLoggableError(error).message },
      "old webhook endpoints at Stripe were not removed",
    );
  }
}

/** Failures are only logged. */
export async function removeEndpoint(secretKey: string, endpoint: string): Promise<void> {
  try {
    await stripeClient(secretKey).webhookEndpoints.del(endpoint);
  } catch (error) {
    log.warn({ ref: endpoint, reason: toLoggableError(error).message }, "a webhook endpoint at Stripe was not removed");
  }
}
