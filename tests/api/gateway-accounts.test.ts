import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { callAs, signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
beforeEach(async () => {
  merchant = await createMerchant();
});
const stripeKey = () => process.env.TEST_STRIPE_KEY ?? "";
const connect = (body: object, key = merchant.key) => call("POST", "/gateway-accounts", { key, body });
const list = (query = "") => call("GET", `/gateway-accounts${query}`, { key: merchant.key });

it("connects, shows only the key's hint, and disconnects", async () => {
  expect((await list()).json.data).toEqual([]);
  const made = await connect({ secret_key: ` ${stripeKey()} ` });
  expect(made.status, made.text).toBe(200);
  expect(made.json.data).toMatchObject({
    gateway: "stripe",
    key_last4: stripeKey().slice(-4),
    status: "connected",
    callbacks: "created",
    livemode: false,
  });
  const listed = await list("?status=connected");
  expect(listed.json.data.map(({ _id }) => _id)).toEqual([made.json.data._id]);
  for (const { text } of [made, listed]) expect(text).not.toContain(stripeKey().slice(8, -4));
  const pay = `/pay?id=${await create(merchant.key, "payment_links")}`;
  expect(await (await fetch(`${baseUrl()}${pay}`)).text()).toContain("Continue to pay");

  const gone = await call("DELETE", `/gateway-accounts/${made.json.data._id}`, { key: merchant.key });
  expect(gone.json.data).toMatchObject({ status: "replaced", replaced_at: expect.any(String) });
  const again = await call("DELETE", `/gateway-accounts/${made.json.data._id}`, { key: merchant.key });
  expect([again.status, again.json.data.replaced_at]).toEqual([200, gone.json.data.replaced_at]);
  expect((await list("?status=connected")).json.data).toEqual([]);
  expect(await (await fetch(`${baseUrl()}${pay}`)).text()).toContain("Card number");
});

it.each([
  ["pk_test_0123456789abcdef", "secret_key", "no secret key of Stripe's"],
  ["sk_live_0123456789abcdef", "secret_key", "This is a live key"],
  ["sk_test_0123456789abcdef", "secret_key", "Stripe does not know this key."],
])("refuses %s on its field, and changes nothing", async (secret_key, field, words) => {
  const { json } = await connect({ secret_key: stripeKey() });
  const reply = await connect({ secret_key });
  expect([reply.status, reply.json.errors[field]?.[0]]).toEqual([422, expect.stringContaining(words)]);
  expect((await list()).json.data.map(({ _id, status }) => [_id, status])).toEqual([[json.data._id, "connected"]]);
});

it("refuses a malformed webhook secret", async () => {
  const reply = await connect({ secret_key: stripeKey(), webhook_secret: "secret" });
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ["webhook_secret"]]);
});

it("connects once for an Idempotency-Key, whose stored hash does not reveal the key", async () => {
  const headers = { "Idempotency-Key": "connect-1" };
  const ask = () =>
    call("POST", "/gateway-accounts", { key: merchant.key, body: { secret_key: stripeKey() }, headers });
  const first = await ask();
  const second = await ask();
  expect([second.text, second.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  const row = await db.idempotencyKey.findFirstOrThrow({ where: { business_id: merchant.businessId } });
  expect(JSON.stringify(row)).not.toContain(stripeKey());
  expect(await db.auditEntry.count({ where: { business_id: merchant.businessId } })).toBe(1);
});

it("is open to owners, admins and keys with its explicit scope", async () => {
  for (const [role, status] of [
    ["owner", 200],
    ["admin", 200],
    ["developer", 403],
    ["support", 403],
    ["viewer", 403],
  ] as const) {
    const { cookie } = await signedIn(merchant, role);
    expect([role, (await callAs(cookie, "GET", "/gateway-accounts")).status]).toEqual([role, status]);
  }
  const general = await createKey(merchant, ["read", "write"]);
  expect((await call("GET", "/gateway-accounts", { key: general })).status).toBe(403);
  expect((await connect({ secret_key: stripeKey() }, general)).status).toBe(403);
  const { cookie } = await signedIn(merchant, "developer");
  const input = { name: "Sneaky", scopes: ["gateway_accounts:write"] };
  expect((await callAs(cookie, "POST", "/api-keys", input)).status).toBe(422);
  expect((await callAs(cookie, "POST", "/api-keys", { name: "Plain", scopes: ["read", "write"] })).status).toBe(200);
});
