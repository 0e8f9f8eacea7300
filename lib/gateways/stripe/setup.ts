import type Stripe from "stripe";
import { env, stripeApi } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { eventTypes } from "./callbacks";
import { apiVersion, stripeClient } from "./client";
import { plain, refusalOf, traits } from "./errors";

/** Why an account cannot be connected: what was given, the account of another attempt, or the gateway itself. */
export class ConnectProblem extends Error {
  constructor(
    readonly about: "secret_key" | "webhook_secret" | "account" | "gateway",
    message: string,
  ) {
    super(message);
  }
}

/**
 * What is wrong with a secret key before anybody is asked; null when it may be tried.
 * @param livemode the mode that it is meant for
 */
export function badKey(secretKey: string, livemode: boolean): string | null {
  const mode = /^[sr]k_(test|live)_[A-Za-z0-9]{10,200}$/.exec(secretKey)?.[1];
  if (!mode) return "This is no secret key of Stripe's: it begins with sk_ or rk_.";
  if ((mode === "live") === livemode) return null;
  return `This is a ${mode} key: it cannot take ${livemode ? "live" : "test"} payments.`;
}

/**
 * The name of the account that a key opens.
 * @throws ConnectProblem when Stripe does not take the key, or does not answer
 */
export async function accountOf(secretKey: string): Promise<string> {
  try {
    return (await stripeClient(secretKey).accounts.retrieveCurrent()).id;
  } catch (error) {
    const status = typeof error === "object" && error && "statusCode" in error ? error.statusCode : null;
    if (status === 401) throw new ConnectProblem("secret_key", "Stripe does not know this key.");
    if (status === 403)
      throw new ConnectProblem(
        "secret_key",
        "Stripe does not let this key read its account. See docs/stripe.md for its rights.",
      );
    throw new ConnectProblem("gateway", plain(error).message);
  }
}

/** Where Stripe calls back about this account (`gwa_...`). */
export function callbackAddress(id: string): string {
  return `${env().APP_URL}/api/gateways/stripe/webhook?account=${id}`;
}

/** Whether Stripe could reach us: it calls https addresses only. A stand-in for Stripe may call any. */
export function canBeCalled(): boolean {
  return env().APP_URL.startsWith("https:") || env().STRIPE_API_URL !== stripeApi;
}

/**
 * Has Stripe call us, with our version of its API, whatever the account's own is.
 * @returns null when Stripe does not want to: the key may not do it, or Stripe does not like the address
 */
export async function createEndpoint(
  secretKey: string,
  id: string,
): Promise<{ endpoint: string; webhookSecret: string } | null> {
  try {
    const made = await stripeClient(secretKey).webhookEndpoints.create(
      {
        url: callbackAddress(id),
        enabled_events: [...eventTypes],
        api_version: apiVersion,
        description: "Paydesk",
        metadata: { paydesk_account: id },
      },
      { maxNetworkRetries: 2 },
    );
    if (!made.secret) throw new Error("Stripe made a webhook endpoint without a secret.");
    return { endpoint: made.id, webhookSecret: made.secret };
  } catch (error) {
    const refused = refusalOf(error);
    const forbidden = typeof error === "object" && error && "statusCode" in error && error.statusCode === 403;
    if (!refused && !forbidden) throw new ConnectProblem("gateway", plain(error).message);
    log.warn({ account: id, ...(refused ? traits(refused) : {}) }, "Stripe refused to make a webhook endpoint");
    return null;
  }
}

/** Takes away the endpoints that were made for this account, except one. What cannot be taken away stays, and is logged. */
export async function removeEndpoints(secretKey: string, id: string, except: string | null): Promise<void> {
  const { webhookEndpoints } = stripeClient(secretKey);
  try {
    const ours: Stripe.WebhookEndpoint[] = [];
    for await (const endpoint of webhookEndpoints.list({ limit: 100 })) {
      if (endpoint.metadata.paydesk_account === id && endpoint.id !== except) ours.push(endpoint);
    }
    for (const endpoint of ours) await webhookEndpoints.del(endpoint.id);
  } catch (error) {
    log.warn({ account: id, reason: plain(error).message }, "old webhook endpoints at Stripe were not removed");
  }
}

/** Takes away one endpoint, if that is possible. */
export async function removeEndpoint(secretKey: string, endpoint: string): Promise<void> {
  try {
    await stripeClient(secretKey).webhookEndpoints.del(endpoint);
  } catch (error) {
    log.warn({ ref: endpoint, reason: plain(error).message }, "a webhook endpoint at Stripe was not removed");
  }
}
