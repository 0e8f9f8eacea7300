import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { callAs, signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
let cookie: string;
beforeAll(async () => {
  merchant = await createMerchant();
  cookie = (await signedIn(merchant)).cookie;
});

const make = (body: Record<string, unknown>, key = merchant.key) => call("POST", "/api-keys", { key, body });
const works = async (key: string) => (await call("GET", "/payment-links", { key })).status === 200;

describe("API keys", () => {
  it("are shown once, stored as a hash, and work immediately", async () => {
    const made = await callAs(cookie, "POST", "/api-keys", { name: "Web shop", scopes: ["read", "write"] });
    expect(made.status, made.text).toBe(200);
    const { key, _id } = made.json.data as unknown as { key: string; _id: string };
    expect(key).toMatch(/^sk_test_[A-Za-z0-9_-]{43}$/);
    expect(await works(key)).toBe(true);
    const got = await callAs(cookie, "GET", `/api-keys/${_id}`);
    expect(got.json.data).toMatchObject({ name: "Web shop", scopes: ["read", "write"], status: "active" });
    expect(got.text).not.toContain(key);
    expect(String(got.json.data.hint)).toContain(key.slice(-4));
    const [row] = await db.$queryRaw<
      { all: string }[]
    >`SELECT to_jsonb(k)::text AS all FROM api_key k WHERE id = ${_id}`;
    expect(row?.all).not.toContain(key);
    await expect
      .poll(async () => (await callAs(cookie, "GET", `/api-keys/${_id}`)).json.data.last_used_at)
      .toBeTruthy();
  });

  it("belong to the mode in which they were created", async () => {
    const made = await callAs(cookie, "POST", "/api-keys", { name: "Live", scopes: ["read"] }, "live");
    expect(made.json.data).toMatchObject({ livemode: true });
    expect(String(made.json.data.key)).toMatch(/^sk_live_/);
    expect((await callAs(cookie, "GET", `/api-keys/${made.json.data._id}`)).status).toBe(404);
    expect((await callAs(cookie, "GET", `/api-keys/${made.json.data._id}`, undefined, "live")).status).toBe(200);
  });

  it("are replayed for an Idempotency-Key without being stored in plain text", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { name: "Once", scopes: ["read"] };
    const first = await call("POST", "/api-keys", { key: merchant.key, body, headers });
    const again = await call("POST", "/api-keys", { key: merchant.key, body, headers });
    expect(again.text).toBe(first.text);
    const { key } = first.json.data;
    const [{ kept } = { kept: "" }] = await db.$queryRaw<{ kept: string }[]>`
      SELECT body AS kept FROM idempotency_key WHERE key = ${headers["Idempotency-Key"]}`;
    expect(kept).not.toBe("");
    expect(kept).not.toContain(key);
  });

  it("never exceed their creator's scopes, general ones included, or expiry", async () => {
    const soon = new Date(Date.now() + 3_600_000);
    const maker = await createKey(merchant, ["payment_links:write", "api_keys:write"], { expiresAt: soon });
    for (const [scopes, said] of [
      [["refunds:write"], "refunds:write"],
      [["read"], "read"],
      [["payment_links:write", "write"], "write"],
    ] as const) {
      const reply = await make({ name: "More", scopes }, maker);
      expect([reply.status, reply.json.errors]).toEqual([422, { scopes: [`The scopes exceed your own: ${said}.`] }]);
    }
    const later = new Date(Date.now() + 7_200_000).toISOString();
    const longer = await make({ name: "Longer", scopes: ["payment_links:read"], expires_at: later }, maker);
    expect(Object.keys(longer.json.errors)).toEqual(["expires_at"]);
    const made = await make({ name: "Same", scopes: ["payment_links:read"] }, maker);
    expect(Date.parse(made.json.data.expires_at)).toBe(soon.getTime());
    // Nor through a key with more scopes.
    const other = await make({ name: "Strong", scopes: ["read", "write"] });
    expect((await call("POST", `/api-keys/${other.json.data._id}/rotate`, { key: maker, body: {} })).status).toBe(403);
  });

  it("refuse scopes for people and unknown scopes", async () => {
    for (const scope of ["team:read", "team:write", "account:read", "account:write", "everything"])
      expect((await make({ name: "People", scopes: [scope] })).json.errors).toEqual({
        scopes: ["The selected scopes is invalid."],
      });
    expect((await make({ name: "None", scopes: [] })).json.errors).toEqual({
      scopes: ["The scopes field is required."],
    });
  });

  it("expire", async () => {
    const past = await make({ name: "Past", scopes: ["read"], expires_at: "2020-01-01T00:00:00Z" });
    expect(past.json.errors).toEqual({ expires_at: ["The expires_at must lie in the future."] });
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const made = (await make({ name: "Short", scopes: ["read"], expires_at })).json.data;
    expect(await works(String(made.key))).toBe(true);
    await db.apiKey.update({ where: { id: made._id }, data: { expires_at: new Date() } });
    expect(await works(String(made.key))).toBe(false);
    expect((await call("GET", `/api-keys/${made._id}`, { key: merchant.key })).json.data.status).toBe("expired");
  });

  it("are revoked immediately and permanently, and stay in the list", async () => {
    const made = (await make({ name: "Gone", scopes: ["read"] })).json.data;
    const path = `/api-keys/${made._id}`;
    const first = await call("DELETE", path, { key: merchant.key });
    expect(first.json.data.status).toBe("revoked");
    expect(await works(String(made.key))).toBe(false);
    expect((await call("DELETE", path, { key: merchant.key })).json.data.revoked_at).toBe(first.json.data.revoked_at);
    const rotated = await call("POST", `${path}/rotate`, { key: merchant.key, body: {} });
    expect([rotated.status, rotated.json.code]).toEqual([409, "key_not_usable"]);
    const list = async (usable: boolean) => {
      const { data } = (await call("GET", `/api-keys?per_page=100&usable=${usable}`, { key: merchant.key })).json;
      return data.map(({ _id }) => _id);
    };
    expect(await list(true)).not.toContain(made._id);
    expect(await list(false)).toContain(made._id);
  });

  it("are rotated once, with an overlap during which both keys work", async () => {
    const old = (await make({ name: "Shop", scopes: ["payment_links:write"] })).json.data;
    const rotate = () => call("POST", `/api-keys/${old._id}/rotate`, { key: merchant.key, body: { overlap_hours: 2 } });
    const replies = await Promise.all([rotate(), rotate(), rotate()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const next = replies.find(({ status }) => status === 200)?.json.data;
    expect(next).toMatchObject({ name: "Shop", scopes: ["payment_links:write"], expires_at: null });
    expect([await works(String(old.key)), await works(String(next?.key))]).toEqual([true, true]);
    const left = (await call("GET", `/api-keys/${old._id}`, { key: merchant.key })).json.data;
    expect(left.replaced_by).toBe(next?._id);
    expect(Date.parse(left.expires_at) - Date.now()).toBeLessThan(2 * 3_600_000 + 5_000);
    expect(Date.parse(left.expires_at) - Date.now()).toBeGreaterThan(2 * 3_600_000 - 60_000);
    const other = (await make({ name: "At once", scopes: ["read"] })).json.data;
    await call("POST", `/api-keys/${other._id}/rotate`, { key: merchant.key, body: { overlap_hours: 0 } });
    expect(await works(String(other.key))).toBe(false);
  });

  it("are out of reach for support, viewers and keys with general scopes", async () => {
    for (const role of ["support", "viewer"] as const) {
      const theirs = (await signedIn(merchant, role)).cookie;
      expect((await callAs(theirs, "GET", "/api-keys")).status).toBe(403);
      expect((await callAs(theirs, "POST", "/api-keys", { name: "x", scopes: ["read"] })).status).toBe(403);
    }
    const general = await createKey(merchant, ["read", "write"]);
    expect((await make({ name: "x", scopes: ["read"] }, general)).status).toBe(403);
    const developer = (await signedIn(merchant, "developer")).cookie;
    expect((await callAs(developer, "POST", "/api-keys", { name: "x", scopes: ["read", "write"] })).status).toBe(200);
  });
});

it("are at most 100 active ones in each mode, also at once", async () => {
  const { businessId, key } = await createMerchant();
  const rows = Array.from({ length: 97 }, (_, index) => ({
    id: newId("key"),
    business_id: businessId,
    livemode: false,
    name: `Key ${index}`,
    hint: "sk_test_…",
    hash: newId("key"),
    scopes: ["read"],
  }));
  await db.apiKey.createMany({ data: rows }); // and the one in use
  const more = await Promise.all(Array.from({ length: 5 }, () => make({ name: "More", scopes: ["read"] }, key)));
  expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
  expect(more.find(({ status }) => status === 409)?.json.code).toBe("too_many_api_keys");
  expect((await call("POST", `/api-keys/${rows[0]?.id}/rotate`, { key, body: {} })).status).toBe(409);
  await call("DELETE", `/api-keys/${rows[0]?.id}`, { key });
  expect((await make({ name: "Again", scopes: ["read"] }, key)).status).toBe(200);
});
