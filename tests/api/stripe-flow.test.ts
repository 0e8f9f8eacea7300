import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { beginRefund, reconcileRefunds } from "@/lib/ledger/refund";
import { activateToken, findActivatable, setupGateway } from "@/lib/ledger/save-card";
import { card, payAt, post as postForm, saveCardAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { visit } from "@/tests/support/payer";
import { asOwner } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { connectStripe, payAtStripe } from "@/tests/support/stripe-merchant";

// The complete flow through the server: pages, the driver, Stripe's page, callbacks, the ledger.

let merchant: Merchant;
let key: string;
let account: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
  account = await connectStripe(merchant.businessId);
});

/** A request that the merchant makes at Stripe directly. */
const atStripe = (path: string, params: Record<string, string> = {}) =>
  fetch(`${process.env.STRIPE_API_URL}/v1/${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${process.env.TEST_STRIPE_KEY}` },
    body: new URLSearchParams(params),
  });
const page = (path: string) => fetch(new URL(path, baseUrl()), { redirect: "manual" });
const linkOf = async (id: string) => (await call("GET", `/payment-links/${id}`, { key })).json.data;
const paymentsOf = async (id: string) =>
  (await call("GET", `/payments?payment_link_id=${id}&sort=created_at`, { key })).json.data;

/** Opens and posts the form, and returns the URL of the gateway's page. */
async function toStripe(id: string): Promise<string> {
  const form = await (await page(`/pay?id=${id}`)).text();
  expect(form).toContain("Continue to pay €10.50");
  expect(form).not.toContain("Card number");
  const sent = await payAt(`/pay?id=${id}`);
  expect([sent.status, sent.location]).toEqual([303, `/pay?id=${id}&wait=1&go=1`]);
  const refresh = (await page(sent.location)).headers.get("refresh") ?? "";
  expect(refresh).toMatch(/^0; url=http:\/\/\S+\/c\/pay\/cs_test_\w+$/);
  return refresh.replace("0; url=", "");
}

async function paidLink(): Promise<string> {
  const id = await create(key, "payment_links");
  await payAtStripe(await toStripe(id));
  await expect.poll(async () => (await linkOf(id)).paid).toBe(true);
  return id;
}

describe("a payment at Stripe", () => {
  it("is made on Stripe's page, and settled before the payer returns", async () => {
    const id = await create(key, "payment_links");
    const back = await payAtStripe(await toStripe(id));
    await expect.poll(async () => (await linkOf(id)).status).toBe("Paid");
    expect((await page(back)).headers.get("location")).toBe(`/thank-you?id=${id}`);
    const [payment] = await paymentsOf(id);
    expect(payment).toMatchObject({
      gateway: "stripe",
      status: "succeeded",
      card: { brand: "visa", last4: "4242", exp_month: expect.any(Number), exp_year: expect.any(Number) },
      gateway_reference: expect.stringMatching(/^pi_/),
    });
    await expect.poll(async () => (await paymentsOf(id))[0]?.fee).toEqual({ amount_cents: 60, currency: "EUR" });
  });

  it("can be left and continued, or started again", async () => {
    const id = await create(key, "payment_links");
    const first = await toStripe(id);
    const open = await (await page(`/pay?id=${id}&wait=1`)).text();
    expect(open).toContain("Your payment isn’t finished");
    expect(open).toContain(first);
    expect((await payAt(`/pay?id=${id}`)).status).toBe(409);
    const cancelled = await fetch(`${baseUrl()}/pay?id=${id}`, {
      method: "POST",
      body: new URLSearchParams({ action: "cancel" }),
      redirect: "manual",
    });
    const after = await page(cancelled.headers.get("location") ?? "");
    const form = await page(after.headers.get("location") ?? "");
    expect([form.status, await form.text()]).toEqual([402, expect.stringContaining("The payment was not finished.")]);
    // The abandoned page accepts no payment.
    expect(await payAtStripe(first)).toBe("");
    await payAtStripe(await toStripe(id));
    await expect.poll(async () => (await linkOf(id)).paid).toBe(true);
    expect((await paymentsOf(id)).map(({ status, reason }) => [status, reason])).toEqual([
      ["failed", "abandoned"],
      ["succeeded", null],
    ]);
  });

  it("handles a declined card and 3-D Secure on Stripe's page", async () => {
    const id = await create(key, "payment_links");
    const url = await toStripe(id);
    expect(await payAtStripe(url, "4000000000000002")).toBe("");
    expect((await linkOf(id)).status).toBe("Processing");
    await payAtStripe(url, "4000002760003184");
    await expect.poll(async () => (await linkOf(id)).paid).toBe(true);
    expect(await paymentsOf(id)).toHaveLength(1);
  });

  it("is refunded in part, and a refund from Stripe's dashboard is booked", async () => {
    const id = await paidLink();
    const reply = await call("POST", `/payment-links/${id}/refunds`, { key, body: { amount: "250" } });
    expect(reply.json.data).toMatchObject({ status: "succeeded", gateway_reference: expect.stringMatching(/^re_/) });
    const [payment] = await paymentsOf(id);
    await atStripe("refunds", { payment_intent: String(payment?.gateway_reference), amount: "300" });
    await expect.poll(async () => (await linkOf(id)).refunded_amount).toBe(5.5);
    const refunds = (await call("GET", `/refunds?payment_link_id=${id}&sort=created_at`, { key })).json.data;
    expect(refunds.map(({ amount, reason }) => [amount, reason])).toEqual([
      [2.5, null],
      [3, "Made at stripe"],
    ]);
  });

  it("is refunded although the request was lost, also beside a refund from Stripe's dashboard", async () => {
    const id = await paidLink();
    const [payment] = await paymentsOf(id);
    const ours = newId("ref");
    expect(await beginRefund({ id: ours, paymentId: payment?._id ?? "", amountCents: 250, reason: null })).toBe(true);
    await atStripe("refunds", { payment_intent: String(payment?.gateway_reference), amount: "300" });
    await expect.poll(async () => (await linkOf(id)).refunded_amount).toBe(3);
    await db.$executeRaw`UPDATE refund SET started_at = started_at - interval '2 minutes' WHERE id = ${ours}`;
    await reconcileRefunds({ refundId: ours });
    expect((await call("GET", `/refunds/${ours}`, { key })).json.data).toMatchObject({
      amount: 2.5,
      status: "succeeded",
      gateway_reference: expect.stringMatching(/^re_/),
    });
    expect((await paymentsOf(id))[0]).toMatchObject({ refunded_amount: 5.5, refund_pending_amount: 0 });
  });
});

describe("a card at Stripe", () => {
  async function savedAt(number?: string): Promise<string> {
    const id = await create(key, "tokenizations", { redirect_url: "https://shop.example/account" });
    const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    const sent = await saveCardAt(`/activate/${token}`);
    expect(sent.location).toBe(`/activate/${token}?go=1`);
    const url = ((await page(sent.location)).headers.get("refresh") ?? "").replace("0; url=", "");
    const back = await payAtStripe(url, number);
    expect((await page(back)).headers.get("location")).toBe(`/activate/${token}?done=1`);
    expect((await call("GET", `/tokenizations/${id}`, { key })).json.data).toMatchObject({
      status: "active",
      card: { brand: "visa", exp_month: 12, exp_year: 2034 },
    });
    return token;
  }
  const charge = async (token: string) => {
    const id = await create(key, "payment_links");
    return { id, reply: await call("POST", `/payment-links/${id}/charge`, { key, body: { token } }) };
  };

  it("is saved on Stripe's page and charged off-session", async () => {
    const { id, reply } = await charge(await savedAt());
    expect([reply.status, reply.json.data]).toMatchObject([200, { status: "Paid", paid: true }]);
    expect(await paymentsOf(id)).toMatchObject([{ status: "succeeded", gateway: "stripe" }]);
  });

  it("that requires authentication leads the payer to the link", async () => {
    const { id, reply } = await charge(await savedAt("4000002760003184"));
    expect([reply.status, reply.json]).toMatchObject([402, { reason: "authentication_required" }]);
    await payAtStripe(await toStripe(id));
    await expect.poll(async () => (await linkOf(id)).paid).toBe(true);
  });

  it("that is declined later reports the decline", async () => {
    const { reply } = await charge(await savedAt("4000000000000341"));
    expect([reply.status, reply.json.reason]).toEqual([402, "card_declined"]);
  });

  const statusOf = async (id: string) => (await call("GET", `/tokenizations/${id}`, { key })).json.data.status;
  async function toSave(token: string): Promise<string> {
    const { location } = await saveCardAt(`/activate/${token}`);
    return ((await page(location)).headers.get("refresh") ?? "").replace("0; url=", "");
  }

  it("becomes active even if the payer does not return", async () => {
    const id = await create(key, "tokenizations");
    const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    await payAtStripe(await toSave(token));
    await expect.poll(() => statusOf(id)).toBe("active");
  });

  it("is saved on a page that was opened just before the activation's expiry", async () => {
    const id = await create(key, "tokenizations");
    const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    await db.tokenization.update({ where: { id }, data: { expires_at: new Date(Date.now() + 60_000) } });
    const url = await toSave(token);
    // Stripe's page does not outlive the activation.
    const { expires_at } = await db.tokenization.findUniqueOrThrow({ where: { id } });
    const session = await fetch(`${process.env.STRIPE_API_URL}/v1/checkout/sessions/${url.split("/").at(-1)}`, {
      headers: { Authorization: `Bearer ${process.env.TEST_STRIPE_KEY}` },
    });
    expect(((await session.json()) as { expires_at: number }).expires_at * 1000).toBeLessThan(expires_at.getTime());
    await payAtStripe(url);
    await expect.poll(() => statusOf(id)).toBe("active");
  });

  it("is not saved later than 25 hours after the creation, however often the payer returns", async () => {
    const id = await create(key, "tokenizations");
    const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    const passMinutes = (minutes: number) =>
      db.$executeRaw`
        UPDATE tokenization SET created_at = created_at - ${minutes}::int * interval '1 minute',
               expires_at = expires_at - ${minutes}::int * interval '1 minute' WHERE id = ${id}`;
    const hours = async () => {
      const { created_at, expires_at } = await db.tokenization.findUniqueOrThrow({ where: { id } });
      return (expires_at.getTime() - created_at.getTime()) / 3_600_000;
    };
    await passMinutes(24 * 60 - 10);
    const url = await toSave(token);
    expect(await hours()).toBeCloseTo(24 + 50 / 60, 1);
    await passMinutes(30);
    expect(await toSave(token)).toBe(url);
    expect(await hours()).toBe(25);
    expect((await atStripe(`checkout/sessions/${url.split("/").at(-1)}/expire`)).status).toBe(200);
    expect((await postForm(`/activate/${token}`, card)).status).toBe(410);
    expect(await statusOf(id)).toBe("expired");
  });

  it("is saved on one page for simultaneous forms", async () => {
    const id = await create(key, "tokenizations");
    const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    /** Reads the form now and posts it later, after the other payers were redirected. */
    const slowForm = async () => {
      const read = await findActivatable(token);
      const gateway = read && (await setupGateway(read));
      return async () => {
        const result = read && gateway && (await activateToken(read, gateway, null));
        return result?.outcome === "action" ? result.url : null;
      };
    };
    const slow = await slowForm();
    const [first, second] = await Promise.all([toSave(token), toSave(token)]);
    expect([first, second, await slow()]).toEqual([expect.stringMatching(/\/c\/pay\/cs_test_\w+$/), first, first]);
    // The same after that page has expired.
    const [slower, slowest] = [await slowForm(), await slowForm()];
    expect((await atStripe(`checkout/sessions/${first.split("/").at(-1)}/expire`)).status).toBe(200);
    const next = await slower();
    expect(next).not.toBe(first);
    const tooSlow = await slowForm();
    expect(await slowest()).toBe(next);
    const { expires_at } = await db.tokenization.findUniqueOrThrow({ where: { id } });
    await db.tokenization.update({ where: { id }, data: { expires_at: new Date() } });
    expect(await tooSlow()).toBeNull();
    await db.tokenization.update({ where: { id }, data: { expires_at } });
    await payAtStripe(next ?? "");
    await expect.poll(() => statusOf(id)).toBe("active");
  });
});

describe("a callback", () => {
  const post = (path: string, body: string, headers: Record<string, string | undefined> = {}) =>
    call("POST", path, { raw: body, headers });
  const forged = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "checkout.session.completed",
    data: { object: { object: "checkout.session", client_reference_id: "pay_1" } },
  });

  it("that is not signed by the account is refused", async () => {
    const t = Math.floor(Date.now() / 1000);
    for (const query of [`?account=${account}`, "?account=gwa_0", "", "?account=1", "?account=%00"])
      for (const headers of [{}, { "Stripe-Signature": `t=${t},v1=${"0".repeat(64)}` }]) {
        const reply = await post(`/gateways/stripe/webhook${query}`, forged, headers);
        expect([query, reply.status, reply.json]).toEqual([
          query,
          400,
          { message: "The callback is not signed by the gateway.", code: "bad_request" },
        ]);
      }
    for (const query of [`?account=${merchant.businessId}`, "?account=0", ""])
      expect((await post(`/gateways/sandbox/webhook${query}`, "{}")).status).toBe(400);
  });

  it("is accepted only by POST", async () => {
    expect((await call("GET", "/gateways/stripe/webhook")).status).toBe(405);
  });
});

it("stores no key of the account in plain text", async () => {
  const row = await db.gatewayAccount.findUniqueOrThrow({ where: { id: account } });
  expect(JSON.stringify(row)).not.toContain(process.env.TEST_STRIPE_KEY);
  expect(JSON.stringify(row)).not.toContain("whsec_");
});

it("is not called on every page visit", async () => {
  const id = await create(key, "payment_links");
  await toStripe(id);
  const pages = await Promise.all(
    Array.from({ length: 60 }, () => page(`/pay?id=${id}`).then((reply) => reply.text())),
  );
  const pendingPages = pages.filter((text) => text.includes("Your payment isn’t finished")).length;
  expect(pendingPages).toBeGreaterThan(0);
  expect(pendingPages).toBeLessThanOrEqual(10);
});

// Test mode has no limits: an account of the fake Stripe takes live payments here.
describe("attempts in live mode are limited", () => {
  let live: Merchant;
  beforeAll(async () => {
    live = await createMerchant();
    const id = await connectStripe(live.businessId);
    await asOwner(`UPDATE gateway_account SET livemode = true WHERE id = '${id}'`);
  });

  let clients = 0;
  const newClient = () => `10.98.${++clients}.1`;
  const liveLink = () => create(live.liveKey, "payment_links", { send_email: false });
  const post = (id: string, form: Record<string, string>, client: string) => visit(`/pay?id=${id}`, { form, client });
  const open = (id: string, client: string) =>
    post(id, { amount_cents: "1050", currency: "EUR", action: "pay" }, client);
  const leave = (id: string, client: string) => post(id, { action: "cancel" }, client);
  const declined = async (id: string, client: string) => {
    expect((await open(id, client)).status).toBe(303);
    const refresh = (await visit(`/pay?id=${id}&wait=1&go=1`, { client })).headers.get("refresh") ?? "";
    await payAtStripe(refresh.replace("0; url=", ""), "4000000000000002");
    await leave(id, client);
  };

  it("to six a minute for a link over all addresses, whatever their outcome", async () => {
    const id = await liveLink();
    for (let i = 0; i < 5; i++) {
      const client = newClient();
      expect((await open(id, client)).status).toBe(303);
      await leave(id, client);
    }
    await declined(id, newClient());
    const client = newClient();
    const page = await open(id, client);
    expect([page.status, page.text]).toEqual([429, expect.stringContaining("Too many attempts")]);
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
    const [, back = ""] = /class="button plain" href="([^"]+)"/.exec(page.text) ?? [];
    const again = await visit(back.replaceAll("&amp;", "&"), { client });
    expect([again.status, again.text.includes("Payment failed")], "shows nobody else's decline").toEqual([200, false]);
  });

  it("to six declines a minute for an address over all links", async () => {
    const client = newClient();
    for (let i = 0; i < 6; i++) await declined(await liveLink(), client);
    const id = await liveLink();
    expect((await open(id, client)).status).toBe(429);
    expect((await open(id, newClient())).status).toBe(303);
  });

  it("to six a minute for a card to save", async () => {
    const id = await create(live.liveKey, "tokenizations");
    const { token } = (await call("GET", `/tokenizations/${id}`, { key: live.liveKey })).json.data;
    const save = () => visit(`/activate/${token}`, { form: { action: "save" } });
    for (let i = 0; i < 6; i++) expect((await save()).status).toBe(303);
    expect((await save()).status).toBe(429);
  });

  it("to six a minute for a link that is charged through the API", async () => {
    const tokenization = await create(live.liveKey, "tokenizations");
    const { token } = (await call("GET", `/tokenizations/${tokenization}`, { key: live.liveKey })).json.data;
    await visit(`/activate/${token}`, { form: { action: "save" } });
    const refresh = (await visit(`/activate/${token}?go=1`)).headers.get("refresh") ?? "";
    const back = await payAtStripe(refresh.replace("0; url=", ""), "4000000000000341");
    await visit(new URL(back).pathname + new URL(back).search);
    const id = await liveLink();
    const charge = () => call("POST", `/payment-links/${id}/charge`, { key: live.liveKey, body: { token } });
    for (let i = 0; i < 6; i++) expect((await charge()).status).toBe(402);
    const reply = await charge();
    expect([reply.status, reply.json.code]).toEqual([429, "too_many_attempts"]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("but an address may pay any number of links", async () => {
    const client = newClient();
    for (let i = 0; i < 22; i++) expect((await open(await liveLink(), client)).status).toBe(303);
  });
});
