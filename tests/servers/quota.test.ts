import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createKey, createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";
import { until } from "@/tests/support/receiver";

// Limits of a key, and of a business that has any number of keys.

let servers: Launched[];
beforeAll(async () => {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  Object.assign(process.env, settings); // before the first query
  const limits = { ...settings, RATE_LIMIT_PER_MINUTE: "20", WRITES_PER_MONTH: "12" };
  servers = await Promise.all([launch(limits, paydeskWeb), launch(limits, paydeskWeb)]);
  at(0);
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const at = (index: number) => {
  process.env.TEST_URL = servers[index]?.url;
};

const link = {
  email: "ada@example.com",
  currency: "EUR",
  amount: "1050",
  title: "Order",
  redirect_url: "https://a.example",
};
const post = async (key: string) => (await call("POST", "/payment-links", { key, body: link })).status;

it("returns 429 with Retry-After above a key's limit, without affecting other keys", async () => {
  const merchant = await createMerchant();
  const other = await createKey(merchant, ["read"]);
  const get = (key: string) => call("GET", "/packages", { key });
  for (let left = 19; left >= 0; left--) {
    const reply = await get(merchant.key);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-ratelimit-limit")).toBe("20");
    expect(reply.headers.get("x-ratelimit-remaining")).toBe(String(left));
  }
  const refused = await get(merchant.key);
  expect([refused.status, refused.text]).toEqual([429, '{"message":"Too Many Attempts.","code":"too_many_attempts"}']);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  expect((await get(other)).status).toBe(200);
});

it("does not store a 429 for an Idempotency-Key", async () => {
  const { liveKey: key } = await createMerchant();
  const headers = { "Idempotency-Key": "once" };
  const statuses: number[] = [];
  for (let i = 0; i < 21; i++) statuses.push((await call("POST", "/packages", { key, body: {}, headers })).status);
  expect(statuses).toEqual([...Array(20).fill(422), 429]);
});

it("limits the requests of all keys of a business together, and no other business", async () => {
  const merchant = await createMerchant();
  const keys = await Promise.all(Array.from({ length: 6 }, () => createKey(merchant, ["read"])));
  const statuses: number[] = [];
  for (const key of keys) for (let i = 0; i < 18; i++) statuses.push((await call("GET", "/packages", { key })).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(80); // of 108
  expect(statuses.filter((status) => status === 429)).toHaveLength(28);
  const refused = await call("GET", "/packages", { key: keys[5] });
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await call("GET", "/packages", { key: merchant.liveKey })).status).toBe(200);
  expect((await call("GET", "/packages", { key: (await createMerchant()).key })).status).toBe(200);
});

it("limits the writes of 30 days in test mode, over all processes; DELETE stays possible", async () => {
  const merchant = await createMerchant();
  const { key, liveKey, businessId } = merchant;
  const writers = await Promise.all([1, 2].map(() => createKey(merchant, ["read", "write"]))); // each has its own rate limit
  const [second = "", third = ""] = writers;
  for (let i = 0; i < 11; i++) expect(await post(key)).toBe(200);
  const stored = () => db.writeUsage.findMany({ where: { business_id: businessId } });
  await until("the count", async () => (await stored())[0]?.writes === 11);
  at(1);
  expect(await post(second)).toBe(200); // this process learns the sum
  await until("the count", async () => (await stored())[0]?.writes === 12);
  await until("a refusal", async () => (await post(second)) === 429);
  const refused = await call("POST", "/payment-links", { key: second, body: link });
  expect(refused.headers.get("retry-after")).toBe("3600");
  expect(refused.json.message).toBe("Test mode allows a business 12 writes in 30 days.");
  const [first] = (await call("GET", "/payment-links", { key })).json.data;
  expect((await call("DELETE", `/payment-links/${first?._id}`, { key })).status).toBe(200);
  expect(await post(liveKey)).toBe(200);

  // A month later.
  await db.writeUsage.updateMany({ where: { business_id: businessId }, data: { day: new Date("2026-01-01") } });
  await until("room again", async () => (await post(third)) === 200);
});

it("counts the links that an import and a test clock make, not their requests alone", async () => {
  const merchant = await createMerchant();
  const { key, businessId } = merchant;
  at(0);
  const written = async () => (await db.writeUsage.findMany({ where: { business_id: businessId } }))[0]?.writes ?? 0;
  const { redirect_url: _, ...row } = link;
  const rows = [1, 2, 3].map((number) => ({ row: number, ...row }));
  const imported = await call("POST", "/payment-links/import", { key, body: { file: "links.csv", rows } });
  expect(imported.json.data.counts).toMatchObject({ created: 3 });
  await until("the import's count", async () => (await written()) === 1 + 3);

  const body = { name: "Club", amount: "500", currency: "EUR", frequency: "daily" };
  const plan = (await call("POST", "/packages", { key, body })).json.data._id;
  await call("POST", "/subscriptions", { key, body: { package_id: plan, email: "ada@example.com" } });
  await until("two writes more", async () => (await written()) === 4 + 2);
  const to = new Date(Date.now() + 4 * 86_400_000).toISOString();
  const clock = await call("POST", "/test-clock", { key, body: { to } });
  expect(clock.status, clock.text).toBe(200);
  await until("the clock's count", async () => (await written()) >= 6 + 1 + 4);
});
