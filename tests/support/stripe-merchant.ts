import { connectAccount } from "@/lib/gateways/accounts";

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
