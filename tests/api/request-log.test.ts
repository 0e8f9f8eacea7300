import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { mapConcurrently } from "@/tests/faults/map-concurrently";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { callAs, signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const list = async (query = "", key = merchant.key): Promise<Row[]> =>
  (await call("GET", `/requests?per_page=100&${query}`, { key })).json.data;

/** Waits until the log has the entry with this X-Request-Id. */
async function entry(requestId: string | null, key = merchant.key): Promise<Row> {
  let found: Row | undefined;
  await expect
    .poll(async () => {
      found = (await list("", key)).find(({ request_id }) => request_id === requestId);
      return found;
    })
    .toBeDefined();
  return (await call("GET", `/requests/${found?._id}`, { key })).json.data;
}

it("records a key's request and response, with actor, address and duration", async () => {
  const body = { email: "ada@example.com", currency: "EUR", amount: "10.50", title: "Order 1001" };
  const refused = await call("POST", "/payment-links", { key: merchant.key, body });
  expect(refused.status).toBe(422);
  const seen = await entry(refused.headers.get("x-request-id"));
  expect(seen).toMatchObject({
    method: "POST",
    path: "/payment-links",
    query: null,
    status: 422,
    livemode: false,
    business_id: merchant.businessId,
    actor: { type: "api_key", name: "test" },
    request_body: JSON.stringify(body),
    response_body: refused.text,
  });
  expect(seen.address).toMatch(/127\.0\.0\.1|^::1$/);
  expect(seen.duration_ms).toBeGreaterThan(0);
  expect(seen._id).toMatch(/^req_/);
  expect(Math.abs(Date.parse(String(seen.created_at)) - Date.now())).toBeLessThan(20_000);
});

it("records only the query of a successful read", async () => {
  const read = await call("GET", "/payment-links?per_page=3&status=Active", { key: merchant.key });
  expect(await entry(read.headers.get("x-request-id"))).toMatchObject({
    path: "/payment-links",
    query: "per_page=3&status=Active",
    status: 200,
    request_body: null,
    response_body: null,
  });
});

it("stores no tokens, keys, passwords or card numbers, in any field", async () => {
  const canary = `canary-${newId("key")}`;
  const number = "4000056655665556";
  const key = await createKey(merchant, ["write", "api_keys:write"]);
  const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: `Card ${number}`, token: canary };
  const ids: (string | null)[] = [];
  const ask = async (path: string, body: Record<string, unknown>) => {
    const reply = await call("POST", path, { key, body });
    ids.push(reply.headers.get("x-request-id"));
    return reply;
  };
  await ask("/payment-links", { ...link, [number]: number, password: canary });
  const made = await ask("/api-keys", { name: "Web shop", scopes: ["read"], key: canary });
  const tokenization = await ask("/tokenizations/create-token", {
    email: "a@example.com",
    title: "T",
    description: "D",
  });
  const endpoint = await ask("/webhook-endpoints", { url: "https://hooks.invalid/x", events: ["package.deleted"] });
  for (const id of ids) await entry(id);
  const rows = await db.apiRequest.findMany({ where: { business_id: merchant.businessId } });
  const dump = JSON.stringify(rows);
  const secrets = [canary, number, made.json.data.key, tokenization.json.data.token, endpoint.json.data.secret].map(
    String,
  );
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(dump).not.toContain(secret);
  }
  expect(dump).toContain("Web shop");
  expect(dump).toContain("Card [redacted]");
});

it("filters strictly by method, status class, path, key and time", async () => {
  const other = await createMerchant();
  const key = await createKey(other, ["read"]);
  const { id } = await db.apiKey.findFirstOrThrow({
    where: { business_id: other.businessId },
    orderBy: { id: "desc" },
  });
  await call("GET", "/packages", { key: other.key });
  const absent = await call("GET", `/payment-links/pl_${"0".repeat(35)}a`, { key });
  const denied = await call("POST", "/packages", { key, body: {} });
  await entry(absent.headers.get("x-request-id"), other.key);
  await entry(denied.headers.get("x-request-id"), other.key);
  const of = async (query: string) =>
    (await list(query, other.key)).map(
      ({ method, path, status }) => `${method} ${String(path).slice(0, 10)} ${status}`,
    );
  expect(await of("method=POST")).toEqual(["POST /packages 403"]);
  expect(await of("path=/packages")).toEqual(["POST /packages 403", "GET /packages 200"]);
  expect(await of("status=4xx")).toEqual(["POST /packages 403", "GET /payment-l 404"]);
  expect(await of(`api_key_id=${id}`)).toEqual(["POST /packages 403", "GET /payment-l 404"]);
  expect(await of("actor_type=user")).toEqual([]);
  expect(await of("path=/package_")).toEqual([]); // underscores are literal
  expect(await of("created_from=2100-01-01")).toEqual([]);
  const wrong = await call("GET", "/requests?status=404&nonsense=1", { key: other.key });
  expect([wrong.status, Object.keys(wrong.json.errors).sort()]).toEqual([422, ["nonsense"]]);
});

it("finds a request by its response's id, only within the mode and business", async () => {
  const response = await call("GET", "/packages?per_page=7", { key: merchant.key });
  await call("GET", "/packages?per_page=8", { key: merchant.key });
  const id = response.headers.get("x-request-id");
  const { _id } = await entry(id);
  const found = await list(`request_id=${id}`);
  expect(found.map((row) => [row._id, row.query])).toEqual([[_id, "per_page=7"]]);
  expect(await list(`request_id=${id?.slice(0, 20)}`)).toEqual([]); // only the complete id matches
  expect(await list(`request_id=${id}&status=4xx`)).toEqual([]);
  expect(await list(`request_id=${id}`, merchant.liveKey)).toEqual([]);
  expect(await list(`request_id=${id}`, (await createMerchant()).key)).toEqual([]);
  const long = await call("GET", `/requests?request_id=${"a".repeat(65)}`, { key: merchant.key });
  expect([long.status, Object.keys(long.json.errors)]).toEqual([422, ["request_id"]]);
});

it("records people's requests, shows them by role, and separates modes and businesses", async () => {
  const { cookie } = await signedIn(merchant, "developer");
  const response = await fetch(`${baseUrl()}/api/packages`, { headers: { Cookie: cookie } });
  expect(await entry(response.headers.get("x-request-id"))).toMatchObject({
    actor: { type: "user" },
    path: "/packages",
  });
  for (const [role, status] of [
    ["developer", 200],
    ["support", 403],
    ["viewer", 403],
  ] as const) {
    const { cookie } = await signedIn(merchant, role);
    const reply = await fetch(`${baseUrl()}/api/requests`, { headers: { Cookie: cookie } });
    expect([role, reply.status]).toEqual([role, status]);
  }
  const live = await call("GET", "/packages", { key: merchant.liveKey });
  const stranger = await createMerchant("Another shop");
  const theirs = await call("GET", "/packages", { key: stranger.key });
  await entry(live.headers.get("x-request-id"), merchant.liveKey);
  await entry(theirs.headers.get("x-request-id"), stranger.key);
  const ownIds = (await list()).map(({ request_id }) => request_id);
  expect(ownIds).not.toContain(live.headers.get("x-request-id"));
  expect(ownIds).not.toContain(theirs.headers.get("x-request-id"));
});

it("records at most 100 requests a second of one business, and answers all of them", async () => {
  const busy = await createMerchant();
  const requestCount = 290;
  const started = performance.now();
  // If all were sent at once, a slow machine would answer the last of them with 503.
  const replies = await mapConcurrently(40, Array.from({ length: requestCount }), () =>
    call("GET", "/packages?per_page=1", { key: busy.key }),
  );
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  const writes = Math.ceil((performance.now() - started) / 1_000) + 1;
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const kept = await db.apiRequest.count({ where: { business_id: busy.businessId } });
  expect(kept).toBeGreaterThanOrEqual(100);
  expect(kept).toBeLessThanOrEqual(100 * writes);
});

it("has no successful answers to what the dashboard asks again and again", async () => {
  const { cookie } = await signedIn(merchant);
  const asked = await callAs(cookie, "GET", "/notifications");
  const refused = await callAs(cookie, "GET", "/notifications?strange=1");
  expect([asked.status, refused.status]).toEqual([200, 422]);
  await entry(refused.headers.get("x-request-id"));
  const logged = (await list("actor_type=user")).map(({ request_id }) => request_id);
  expect(logged).not.toContain(asked.headers.get("x-request-id"));
});
