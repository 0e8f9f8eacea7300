import { beforeAll, describe, expect, it } from "vitest";
import { hashToken } from "@/lib/auth/token";
import { db } from "@/lib/core/db";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create, savedCard } from "@/tests/support/samples";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

const charge = (linkId: string, token: unknown, headers: Record<string, string> = {}, by = key) =>
  call("POST", `/payment-links/${linkId}/charge`, { key: by, body: { token }, headers });
const newLink = (over: Record<string, unknown> = {}) => create(key, "payment_links", { ...over });
const statusOf = async (id: string) => (await call("GET", `/payment-links/${id}`, { key })).json.data.status;
const attemptsOf = async (id: string) =>
  (await call("GET", `/payments?payment_link_id=${id}&sort=created_at`, { key })).json.data;

describe("charging a saved card", () => {
  it("pays the link off-session and names the card", async () => {
    const [id, token] = [await newLink(), await savedCard(key)];
    const reply = await charge(id, token);
    expect([reply.status, reply.json.data]).toMatchObject([200, { _id: id, status: "Paid", paid: true }]);
    const [payment] = await attemptsOf(id);
    expect(payment).toMatchObject({
      status: "succeeded",
      amount: 10.5,
      currency: "EUR",
      gateway: "sandbox",
      reason: null,
      card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2040 },
      refunded_amount: 0,
      fee: { amount_cents: 40, currency: "EUR" },
    });
    expect(payment?.tokenization_id).toMatch(/^tkn_/);
    expect(payment?.gateway_reference).toMatch(/^sbx_ch_/);
    const recorded = await db.sandboxCharge.findUniqueOrThrow({ where: { gateway_key: String(payment?._id) } });
    expect(recorded).toMatchObject({ link: id, subscription: null, period: null });
    const again = await charge(id, token);
    expect([again.status, again.json.code]).toEqual([409, "link_already_paid"]);
  });

  it("is refused if the link has another amount than the caller has shown", async () => {
    const [id, token] = [await newLink(), await savedCard(key)];
    const chargeShown = (shown: object) =>
      call("POST", `/payment-links/${id}/charge`, { key, body: { token, ...shown } });
    for (const shown of [{ amount: "1049" }, { currency: "USD" }, { amount: 1050, currency: "USD" }]) {
      const { status, json } = await chargeShown(shown);
      expect([status, json.code], JSON.stringify(shown)).toEqual([412, "precondition_failed"]);
    }
    expect([await statusOf(id), await attemptsOf(id)]).toEqual(["Active", []]);
    expect((await chargeShown({ amount: 1050, currency: "EUR" })).json.data).toMatchObject({ _id: id, status: "Paid" });
  });

  it("returns 402 with the reason for a declined card, and leaves the link payable", async () => {
    const [id, token] = [await newLink(), await savedCard(key, "4000000000009995")];
    const reply = await charge(id, token);
    expect([reply.status, reply.json]).toMatchObject([
      402,
      { code: "payment_declined", reason: "insufficient_funds", message: "Insufficient funds." },
    ]);
    expect(await statusOf(id)).toBe("Active");
    expect(await attemptsOf(id)).toMatchObject([{ status: "failed", reason: "insufficient_funds", receipt_url: null }]);
    expect((await charge(id, await savedCard(key))).json.data.paid).toBe(true);
    expect((await attemptsOf(id)).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  });

  it("directs the payer to the link when the bank requires authentication", async () => {
    const [id, token] = [await newLink(), await savedCard(key, "4000002760003184")];
    const reply = await charge(id, token);
    expect([reply.status, reply.json]).toMatchObject([402, { reason: "authentication_required" }]);
    expect(reply.json.message).toContain("payment_url");
    expect(await statusOf(id)).toBe("Active");
  });

  it("accepts only an active token of the same business, mode and e-mail", async () => {
    const id = await newLink();
    const stranger = await createMerchant("Another shop");
    const refused = async (token: unknown, text: string) => {
      const reply = await charge(id, token);
      expect([reply.status, reply.json.errors]).toEqual([422, { token: [text] }]);
    };
    await refused("nonsense", "The selected token is invalid.");
    await refused(await savedCard(stranger.key), "The selected token is invalid.");
    await refused(5, "The token must be a string.");
    const pending = await create(key, "tokenizations");
    const { token } = (await call("GET", `/tokenizations/${pending}`, { key })).json.data;
    await refused(token, "The token is pending: only an active one can be charged.");
    const active = await savedCard(key);
    const row = await db.tokenization.findUniqueOrThrow({ where: { token_hash: hashToken(active) } });
    await call("DELETE", `/tokenizations/${row.id}`, { key });
    await refused(active, "The token is revoked: only an active one can be charged.");
    const other = await newLink({ email: "grace@example.com" });
    const reply = await charge(other, await savedCard(key));
    expect(reply.json.errors).toEqual({ token: ["The token was saved for another email than the payment link's."] });
    expect((await charge(await newLink({ email: "ADA@example.com" }), await savedCard(key))).json.data.paid).toBe(true);
    expect(await attemptsOf(id)).toEqual([]);
  });

  it("is refused while the link cannot be paid", async () => {
    const token = await savedCard(key);
    const inactive = await newLink();
    await call("POST", `/payment-links/${inactive}/deactivate`, { key });
    expect((await charge(inactive, token)).json.code).toBe("link_not_active");
    const expired = await newLink();
    await db.paymentLink.update({ where: { id: expired }, data: { expires_at: new Date(Date.now() - 1000) } });
    expect((await charge(expired, token)).json.code).toBe("link_expired");
    const deleted = await newLink();
    await call("DELETE", `/payment-links/${deleted}`, { key });
    expect((await charge(deleted, token)).status).toBe(404);
  });

  it("charges once for many simultaneous requests", async () => {
    const [id, token] = [await newLink(), await savedCard(key)];
    const replies = await Promise.all(Array.from({ length: 20 }, () => charge(id, token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of replies) expect([200, 409, 429]).toContain(status);
    expect((await attemptsOf(id)).filter(({ status }) => status === "succeeded")).toHaveLength(1);
  });

  it("is not limited in test mode", async () => {
    const [id, token] = [await newLink(), await savedCard(key, "4000000000009995")];
    for (let i = 0; i < 22; i++) expect((await charge(id, token)).status).toBe(402);
  });
});

describe("a repeated charge", () => {
  it("gets the stored answer, even of a decline", async () => {
    for (const [number, status] of [[undefined, 200] as const, ["4000000000009995", 402] as const]) {
      const [id, token] = [await newLink(), await savedCard(key, number)];
      const headers = { "Idempotency-Key": `charge ${id}` };
      const replies = await Promise.all(Array.from({ length: 5 }, () => charge(id, token, headers)));
      const last = await charge(id, token, headers);
      expect([last.status, last.headers.get("idempotency-replayed")]).toEqual([status, "true"]);
      for (const reply of replies)
        if (reply.status === 409) expect(reply.json.code).toBe("idempotency_key_in_flight");
        else expect(reply.text).toBe(last.text);
      expect(await attemptsOf(id)).toHaveLength(1);
    }
  });

  it("continues the attempt of a crashed request instead of starting another", async () => {
    const account = String(merchant.businessId);
    const [id, token] = [await newLink(), await savedCard(key)];
    const headers = { "Idempotency-Key": `died ${id}` };
    await setFault(account, "lost", 1);
    const lost = await charge(id, token, headers);
    await clearFaults(account);
    expect([lost.status, lost.json.data.status, lost.json.data.paid]).toEqual([200, "Processing", false]);
    // Simulates a process that died before it stored the answer.
    await db.idempotencyKey.updateMany({
      where: { business_id: merchant.businessId, key: headers["Idempotency-Key"] },
      data: { status: null, body: null, locked_until: new Date(0) },
    });
    const again = await charge(id, token, headers);
    expect([again.status, again.json.data.paid]).toEqual([200, true]);
    expect(await attemptsOf(id)).toHaveLength(1);
    expect(
      await db.sandboxCharge.count({ where: { account, status: "succeeded", return_path: { contains: id } } }),
    ).toBe(0);
  });

  it("is refused while the first one may still be running", async () => {
    const [id, token] = [await newLink(), await savedCard(key)];
    const headers = { "Idempotency-Key": `busy ${id}` };
    expect((await charge(id, token, headers)).status).toBe(200);
    const where = { business_id: merchant.businessId, key: headers["Idempotency-Key"] };
    await db.idempotencyKey.updateMany({
      where,
      data: { status: null, body: null, locked_until: new Date(Date.now() + 30_000) },
    });
    const reply = await charge(id, token, headers);
    expect([reply.status, reply.json.code]).toEqual([409, "idempotency_key_in_flight"]);
  });
});

describe("an unknown outcome", () => {
  it("blocks the link until a callback or a query to the gateway settles it", async () => {
    const account = String(merchant.businessId);
    const [id, token] = [await newLink(), await savedCard(key)];
    await setFault(account, "lost", 1);
    expect((await charge(id, token)).json.data.status).toBe("Processing");
    expect((await charge(id, token)).json.code).toBe("link_processing");
    expect((await call("DELETE", `/payment-links/${id}`, { key })).json.code).toBe("link_processing");
    await clearFaults(account);
    await expect.poll(() => statusOf(id)).toBe("Paid");
    expect(await attemptsOf(id)).toHaveLength(1);
  });
});
