import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

const lists = ["/payment-links", "/tokenizations", "/packages", "/subscriptions"];
const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

describe.each(lists)("%s", (path) => {
  const table = path.slice(1, -1).replace("-", "_");

  it.each([
    "2026-01-01T00:00:00+20:00",
    "2026-01-01T00:00:00-23:59",
    "2026-01-01T00:00:00+14:60",
    "0000-01-01",
    "9999-99-99",
  ])("refuses the bound %s", async (bound) => {
    for (const name of ["created_from", "created_to"]) {
      const { status, json } = await call("GET", `${path}?${name}=${encodeURIComponent(bound)}`, { key });
      expect([status, json.errors]).toEqual([422, { [name]: [`The ${name} is not a valid date.`] }]);
    }
  });

  it("refuses every forged cursor", async () => {
    for (const made of [
      forged(table, "-created_at", false, "2026-02-30T00:00:00.000000Z", "pl_x"),
      forged(table, "-created_at", false, "0000-01-01T00:00:00.000000Z", "pl_x"),
      forged(table, "-created_at", false, "2026-01-01T24:30:00.000000Z", "pl_x"),
      forged(table, "-created_at", "no", "2026-01-01T00:00:00.000000Z", "pl_x"),
      forged(table, "-created_at", false, "2026-01-01T00:00:00.000000Z", "pl'x"),
      forged(table, "-created_at", false, "2026-01-01T00:00:00.000000Z"),
      forged({}),
      "null",
      "%00",
      "a".repeat(5000),
    ]) {
      const { status, json } = await call("GET", `${path}?cursor=${made}`, { key });
      expect([status, Object.keys(json.errors)]).toEqual([422, ["cursor"]]);
    }
  });

  it("names every unknown parameter, also blank ones", async () => {
    for (const name of ["constructor", "toString", "page"]) {
      const reply = await call("GET", `${path}?${name}=1`, { key });
      expect([reply.status, reply.text]).toEqual([
        422,
        expect.stringContaining(`The ${name} parameter is not supported.`),
      ]);
    }
    expect((await call("GET", `${path}?status=`, { key })).status).toBe(422);
    expect((await call("GET", `${path}?cursor=`, { key })).status).toBe(422);
  });
});

describe("the same request again", () => {
  it("changes nothing, including updated_at", async () => {
    const id = await create(key, "subscriptions");
    const cancel = () => call("PUT", `/subscriptions/${id}`, { key, body: { status: "cancel" } });
    const first = (await cancel()).json.data;
    expect((await cancel()).json.data).toEqual(first);
    const link = await create(key, "payment_links");
    const body = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
    const before = (await call("GET", `/payment-links/${link}`, { key })).json.data;
    expect((await call("PUT", `/payment-links/${link}`, { key, body })).json.data).toEqual(before);
  });
});

describe("mode-specific rules", () => {
  it("are reported together with the schema's errors, before the id is checked", async () => {
    const body = { email: "ada@example.com", currency: "EUR", amount: "1050", redirect_url: "http://shop.example/" };
    const { status, json } = await call("POST", "/payment-links", {
      key: merchant.liveKey,
      body: { ...body, expires_at: "2020-01-01T00:00:00Z" },
    });
    expect([status, Object.keys(json.errors).sort()]).toEqual([422, ["expires_at", "redirect_url", "title"]]);
    const put = (id: string) =>
      call("PUT", `/payment-links/${id}`, { key: merchant.liveKey, body: { ...body, title: "x" } });
    const [malformed, absent] = [await put("x"), await put(`pl_${"0".repeat(36)}`)];
    expect([malformed.status, malformed.text]).toEqual([absent.status, absent.text]);
  });
});

describe("a body for an endpoint without one", () => {
  it("must still be JSON, and counts in the idempotency fingerprint", async () => {
    const id = await create(key, "payment_links");
    const post = (raw: string, headers: Record<string, string> = {}) =>
      call("POST", `/payment-links/${id}/deactivate`, { key, raw, headers });
    const bare = await call("POST", `/payment-links/${id}/activate`, { key, headers: { "Content-Type": undefined } });
    expect(bare.status).toBe(200);
    expect((await post("{{{")).status).toBe(400);
    expect((await post("{}", { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await post('{"a":1}', { "Idempotency-Key": "same" })).status).toBe(200);
    expect((await post('{"a":2}', { "Idempotency-Key": "same" })).status).toBe(409);
  });
});

describe("next-auth's routes", () => {
  it.each([
    ["GET", "callback/credentials"],
    ["GET", "session"],
    ["GET", "signin"],
    ["GET", "error"],
    ["POST", "signin/credentials"],
    ["POST", "_log"],
    ["PUT", "csrf"],
  ])("%s /api/auth/%s does not exist", async (method, path) => {
    const reply = await fetch(`${baseUrl()}/api/auth/${path}`, { method });
    expect([404, 405]).toContain(reply.status);
  });

  it("accepts only forms", async () => {
    const reply = await fetch(`${baseUrl()}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: baseUrl() },
      body: "{bad",
    });
    expect(reply.status).toBe(415);
  });
});

it("waits at most two seconds for a locked row", async () => {
  const id = await create(key, "payment_links");
  const body = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Changed" };
  const reply = await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM payment_link WHERE id = ${id} FOR UPDATE`;
      return call("PUT", `/payment-links/${id}`, { key, body });
    },
    { timeout: 20_000 },
  );
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await call("PUT", `/payment-links/${id}`, { key, body })).status).toBe(200);
});
