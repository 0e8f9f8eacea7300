import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { seal, unseal } from "@/lib/core/secrets";
import { connectAccount } from "@/lib/gateways/accounts";
import type { Gateway } from "@/lib/gateways/gateway";
import { beginAttempt, settle } from "@/lib/ledger/attempt";
import { gatewayFor } from "@/lib/ledger/gateways";
import { aboutLink } from "./about";
import { saveCardAt } from "./checkout";
import { baseUrl, call } from "./http";
import { createDatabase } from "./postgres";
import { create } from "./samples";
import { type StripeFake, startStripeFake } from "./stripe/fake";

/**
 * Starts a fake Stripe and configures this process for it, with a database of its own: for tests that call the code without
 * a server. Call it before anything reads the configuration.
 */
export async function startWithStripe(options?: Parameters<typeof startStripeFake>[0]): Promise<StripeFake> {
  const fake = await startStripeFake(options);
  Object.assign(process.env, {
    DATABASE_URL: await createDatabase(),
    APP_SECRET: randomBytes(32).toString("base64url"),
    APP_URL: "http://localhost:3000",
    STRIPE_API_URL: fake.url,
  });
  return fake;
}

/** Connects a business's test mode to the fake Stripe, like the command. @returns the account's id */
export async function connectStripe(
  businessId: number,
  secretKey = process.env.TEST_STRIPE_KEY ?? "",
): Promise<string> {
  return (await connectAccount({ businessId, livemode: false, secretKey })).id;
}

export interface StripeShop {
  businessId: number;
  accountId: string;
  gateway: Gateway;
  /** The account at Stripe, and its client. */
  stripeId: string;
  stripe: Stripe;
}

/** Creates a business with a Stripe account of its own, in test mode. */
export async function openStripeShop(fake: StripeFake, options: { settlesIn?: string } = {}): Promise<StripeShop> {
  const { id: businessId } = await db.business.create({ data: { name: "Shop" } });
  const { id: stripeId, secretKey } = fake.account("test", options);
  const accountId = await connectStripe(businessId, secretKey);
  const gateway = await gatewayFor({ business_id: businessId, livemode: false, gateway_account_id: accountId });
  if (!gateway) throw new Error("The account has no gateway.");
  return { businessId, accountId, gateway, stripeId, stripe: fake.client(secretKey) };
}

export interface Order {
  amountCents: number;
  currency: string;
  number?: string;
  /** Whether Stripe books the charge after its reply. */
  late?: boolean;
  /** Of a subscription's period. */
  period?: { subscription_id: string; period_index: number; period_start: Date; period_end: Date };
}

/** A link, paid at Stripe's page. @returns the payment's id */
export async function payInShop(
  fake: StripeFake,
  { businessId, gateway }: StripeShop,
  { amountCents, currency, number, late, period }: Order,
): Promise<string> {
  const [id, linkId] = [newId("pay"), newId("pl")];
  const email = "ada@example.com";
  const tenant = { business_id: businessId, livemode: false };
  await db.paymentLink.create({
    data: { ...tenant, id: linkId, email, title: "Order", amount_cents: amountCents, currency, ...period },
  });
  const shown = { amountCents, currency };
  const attempt = await beginAttempt({ id, linkId, shown, gateway, tokenizationId: null });
  if (!attempt) throw new Error("The link cannot be paid.");
  const sent = { gatewayKey: id, startedAt: attempt.startedAt, ...shown };
  const page = {
    card: null,
    merchant: "Shop",
    title: "Order",
    about: aboutLink("pl_0"),
    email,
    returnPath: "/pay",
  } as const;
  const opened = await gateway.pay({ ...sent, ...page });
  if (opened.outcome !== "action") throw new Error(`ended as ${opened.outcome}`);
  fake.payer.complete(opened.ref, { number: number ?? "4242424242424242" });
  const result = await gateway.lookup({ ...sent, ref: opened.ref, cardRef: null });
  if (result.outcome !== "succeeded") throw new Error(`ended as ${result.outcome}`);
  const settled = late ? { ...result, booked: null } : result;
  await Promise.all([settle(attempt, settled), settle(attempt, settled)]);
  return id;
}

/** Pays on Stripe's page without a browser: posts its form and answers the bank. @returns the final URL */
export async function payAtStripe(url: string, number = "4242424242424242", answer = "complete"): Promise<string> {
  const form = { number, expiry: "12 / 34", cvc: "123", name: "Ada Lovelace" };
  const post = (to: string, body: Record<string, string>) =>
    fetch(to, { method: "POST", body: new URLSearchParams(body), redirect: "manual" });
  const first = (await post(url, form)).headers.get("location") ?? "";
  if (!first.endsWith("/bank")) return first;
  const bank = new URL(first, url).href;
  return (await post(bank, { answer })).headers.get("location") ?? "";
}

/** Replaces an account's key by one that Stripe refuses, as after a key was rolled. @returns puts the old key back */
export async function loseKey(id: string): Promise<() => Promise<unknown>> {
  const { secrets } = await db.gatewayAccount.findUniqueOrThrow({ where: { id } });
  const context = `gateway_account/${id}/secrets`;
  const known = JSON.parse(unseal(secrets, context));
  const lost = seal(JSON.stringify({ ...known, secretKey: "sk_test_rolled0123456789" }), context);
  await db.gatewayAccount.update({ where: { id }, data: { secrets: lost } });
  return () => db.gatewayAccount.update({ where: { id }, data: { secrets } });
}

/** The page at Stripe to which our page leads. */
export async function pageAtStripe(path: string): Promise<string> {
  const page = await fetch(new URL(path, baseUrl()), { redirect: "manual" });
  return (page.headers.get("refresh") ?? "").replace("0; url=", "");
}

/** Saves a card on Stripe's page. @returns the token */
export async function savedAtStripe(key: string, email = "ada@example.com", number?: string): Promise<string> {
  const id = await create(key, "tokenizations", { email });
  const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
  const { location } = await saveCardAt(`/activate/${token}`);
  const back = await payAtStripe(await pageAtStripe(location), number);
  await fetch(new URL(back, baseUrl()), { redirect: "manual" });
  return token;
}
