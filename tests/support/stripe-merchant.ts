import { db } from "@/lib/core/db";
import { seal, unseal } from "@/lib/core/secrets";
import { connectAccount } from "@/lib/gateways/accounts";
import { saveCardAt } from "./checkout";
import { baseUrl, call } from "./http";
import { create } from "./samples";

/** Connects a business's test mode to the fake Stripe, like the command. @returns the account's id */
export async function connectStripe(businessId: number): Promise<string> {
  const { id } = await connectAccount({ businessId, livemode: false, secretKey: process.env.TEST_STRIPE_KEY ?? "" });
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
