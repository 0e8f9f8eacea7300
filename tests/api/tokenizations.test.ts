import { beforeAll, describe, expect, it } from "vitest";
import { hashToken } from "@/lib/auth/token";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { activate, create, savedCard } from "@/tests/support/samples";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

describe("tokenizations", () => {
  it("return the specification's fields in its order", async () => {
    const body = { email: "ada@example.com", title: "Card on file", description: "For later orders" };
    const { json } = await call("POST", "/tokenizations/create-token", { key, body });
    expect(Object.keys(json.data).slice(0, 10)).toEqual([
      ...["email", "phone_no", "redirect_url", "title", "description", "token", "activation_url", "_id"],
      ...["created_at", "updated_at"],
    ]);
    expect(json.data).toMatchObject({ ...body, phone_no: null, redirect_url: null, status: "pending", card: null });
    expect(json.data.token).toMatch(/^[\w-]{43}$/);
    const url = new URL(json.data.activation_url);
    expect([url.pathname, url.search]).toEqual([`/activate/${json.data.token}`, "?test=1"]);
    const hours = (Date.parse(json.data.expires_at) - Date.parse(json.data.created_at)) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
  });

  it("have no test parameter in live mode", async () => {
    const id = await create(merchant.liveKey, "tokenizations");
    const { data } = (await call("GET", `/tokenizations/${id}`, { key: merchant.liveKey })).json;
    expect(new URL(data.activation_url).search).toBe("");
    expect(data.livemode).toBe(true);
  });

  it("show the card once active, and are revoked permanently", async () => {
    const id = await create(key, "tokenizations");
    const early = await call("DELETE", `/tokenizations/${id}`, { key });
    expect([early.status, early.json.code]).toEqual([409, "conflict"]);
    await activate(id);
    expect((await call("GET", `/tokenizations/${id}`, { key })).json.data).toMatchObject({
      status: "active",
      card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 },
    });
    const revoked = await call("DELETE", `/tokenizations/${id}`, { key });
    expect([revoked.status, revoked.json.data.status]).toEqual([200, "revoked"]);
    expect((await call("DELETE", `/tokenizations/${id}`, { key })).json.data).toEqual(revoked.json.data);
  });

  it("say whether the card has expired, by the business's clock", async () => {
    const own = await createMerchant();
    const id = await create(own.key, "tokenizations");
    const read = async () => (await call("GET", `/tokenizations/${id}`, { key: own.key })).json.data;
    expect(await read()).toMatchObject({ card: null, card_expired: false });
    await activate(id);
    const at = async (instant: string) => {
      const test_clock_ahead = Date.parse(instant) - Date.now();
      await db.business.update({ where: { id: own.businessId }, data: { test_clock_ahead } });
      return read();
    };
    // The month ends last in UTC-12.
    expect(await at("2035-01-01T11:58:00Z")).toMatchObject({ status: "active", card_expired: false });
    expect(await at("2035-01-01T12:02:00Z")).toMatchObject({ status: "active", card_expired: true });
  });

  it("are detached at the gateway once revoked, also when it is away at first", async () => {
    const token = await savedCard(key);
    const { id, business_id, gateway_card } = await db.tokenization.findUniqueOrThrow({
      where: { token_hash: hashToken(token) },
    });
    const detached = async () =>
      (await db.sandboxCard.findUniqueOrThrow({ where: { ref: gateway_card ?? "" } })).detached_at !== null;
    await setFault(String(business_id), "away", 1);
    expect((await call("DELETE", `/tokenizations/${id}`, { key })).status).toBe(200);
    const failed = Prisma.sql`
      SELECT attempts FROM graphile_worker.jobs WHERE task_identifier = 'detach_card' AND attempts > 0`;
    await expect.poll(() => queryRows(db, failed)).not.toEqual([]);
    expect(await detached()).toBe(false);
    await clearFaults(String(business_id));
    await expect.poll(detached).toBe(true);
  });

  it("expire after 24 hours", async () => {
    const id = await create(key, "tokenizations");
    await db.tokenization.update({ where: { id }, data: { expires_at: new Date(Date.now() - 1000) } });
    expect((await call("GET", `/tokenizations/${id}`, { key })).json.data.status).toBe("expired");
    const listed = await call("GET", "/tokenizations?status=expired", { key });
    expect(listed.json.data.map(({ _id }: { _id: string }) => _id)).toEqual([id]);
  });
});
