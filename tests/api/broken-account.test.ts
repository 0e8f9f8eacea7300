import { beforeAll, describe, expect, it } from "vitest";
import { payAt, post } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { connectStripe, loseKey, pageAtStripe, payAtStripe, savedAtStripe } from "@/tests/support/stripe-merchant";

// The merchant has rolled the key at Stripe, and Paydesk still has the old one.

let merchant: Merchant;
let key: string;
let account: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
  account = await connectStripe(merchant.businessId);
});

const edited = { email: "ada@example.com", currency: "EUR", amount: "2000", title: "Order 1001, changed" };
const linkOf = async (id: string) => (await call("GET", `/payment-links/${id}`, { key })).json.data;
const paymentsOf = async (id: string) => (await call("GET", `/payments?payment_link_id=${id}`, { key })).json.data;
const textOf = async (path: string) => (await fetch(new URL(path, baseUrl()))).text();

async function whileLost<T>(work: () => Promise<T>): Promise<T> {
  const restore = await loseKey(account);
  try {
    return await work();
  } finally {
    await restore();
  }
}

describe("a request that moves money, with a refused key", () => {
  const plain = "The merchant cannot take this payment at the moment. Nothing was charged. Please contact them.";

  it("fails at once when a payer pays, and the link can be changed, deleted and paid", async () => {
    const [id, other] = [await create(key, "payment_links"), await create(key, "payment_links")];
    await whileLost(async () => {
      for (const link of [id, other]) {
        const { location } = await payAt(`/pay?id=${link}`);
        const page = await textOf(location);
        expect(page).toContain(plain);
        expect(page).not.toContain("don’t pay again");
        expect(await linkOf(link)).toMatchObject({ status: "Active", paid: false });
      }
      expect(await paymentsOf(id)).toMatchObject([{ status: "failed", reason: "gateway_refused" }]);
      expect((await call("PUT", `/payment-links/${id}`, { key, body: edited })).status).toBe(200);
      expect((await call("DELETE", `/payment-links/${other}`, { key })).status).toBe(200);
    });
    const { location } = await payAt(`/pay?id=${id}`);
    await payAtStripe(await pageAtStripe(location));
    await expect.poll(async () => (await linkOf(id)).paid, { timeout: 15_000 }).toBe(true);
  });

  it("fails at once when a system charges a saved card, saves a card or refunds", async () => {
    const token = await savedAtStripe(key);
    const paid = await create(key, "payment_links");
    expect((await call("POST", `/payment-links/${paid}/charge`, { key, body: { token } })).status).toBe(200);
    const id = await create(key, "payment_links");
    const refund = () => call("POST", `/payment-links/${paid}/refunds`, { key, body: { amount: "300" } });
    await whileLost(async () => {
      const reply = await call("POST", `/payment-links/${id}/charge`, { key, body: { token } });
      expect([reply.status, reply.json]).toMatchObject([402, { code: "payment_declined", reason: "gateway_refused" }]);
      expect(await linkOf(id)).toMatchObject({ status: "Active" });

      const saving = (await call("GET", `/tokenizations/${await create(key, "tokenizations")}`, { key })).json.data;
      const form = await post(`/activate/${saving.token}`, {});
      expect([form.status, form.text]).toEqual([402, expect.stringContaining("The merchant cannot")]);

      expect((await refund()).json.data).toMatchObject({ status: "failed", failure_reason: "account_refused" });
      const [payment] = await paymentsOf(paid);
      expect(payment).toMatchObject({ refunded_amount: 0, refund_pending_amount: 0 });
    });
    expect((await call("POST", `/payment-links/${id}/charge`, { key, body: { token } })).json.data.paid).toBe(true);
    expect((await refund()).json.data).toMatchObject({ status: "succeeded" });
    expect(await linkOf(paid)).toMatchObject({ refunded_amount: 3 });
  });
});
