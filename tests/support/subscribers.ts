import { expect } from "vitest";
import { saveCardAt } from "./checkout";
import { createMerchant } from "./factory";
import { call, type Row } from "./http";
import { create } from "./samples";

/** A merchant with helpers for billing tests. */
export async function createBiller() {
  const merchant = await createMerchant();
  const { key } = merchant;
  const get = async (path: string): Promise<Row> => (await call("GET", path, { key })).json.data;
  const put = (id: string, body: Record<string, unknown>) => call("PUT", `/subscriptions/${id}`, { key, body });
  const subscription = (id: string) => get(`/subscriptions/${id}`);

  return {
    merchant,
    key,
    get,
    put,
    subscription,
    /** Oldest first. */
    periods: async (id: string): Promise<Row[]> => [...(await subscription(id)).payment_links].reverse(),
    /** Advances the test clock and waits until it arrives. */
    advance: async (to: string): Promise<void> => {
      const reply = await call("POST", "/test-clock", { key, body: { to } });
      if (reply.status !== 200) throw new Error(reply.text);
      await expect
        .poll(async () => (await get("/test-clock")).status, { timeout: 60_000, interval: 100 })
        .toBe("ready");
    },
    /** The time `days` after the test clock's. */
    later: async (days: number): Promise<string> =>
      new Date(Date.parse(String((await get("/test-clock")).now)) + days * 86_400_000).toISOString(),
    createPackage: async (over: Record<string, unknown> = {}): Promise<string> => {
      const body = { name: "Reading club", amount: "1500", currency: "EUR", frequency: "monthly", ...over };
      return (await call("POST", "/packages", { key, body })).json.data._id;
    },
    subscribe: (packageId: string, email: string, over: Record<string, unknown> = {}): Promise<string> =>
      create(key, "subscriptions", { package_id: packageId, email, ...over }),
    /** @returns the tokenization's token */
    saveCard: async (email: string, number?: string): Promise<string> => {
      const id = await create(key, "tokenizations", { email });
      const token = String((await get(`/tokenizations/${id}`)).token);
      await saveCardAt(`/activate/${token}`, number);
      return token;
    },
    becomes: (id: string, status: string) =>
      expect.poll(async () => (await subscription(id)).status, { timeout: 15_000 }).toBe(status),
    billed: (id: string, count: number) =>
      expect
        .poll(async () => (await subscription(id)).payment_links.length, { timeout: 15_000 })
        .toBeGreaterThanOrEqual(count),
  };
}

export type Biller = Awaited<ReturnType<typeof createBiller>>;
