import { afterAll, beforeAll, expect, it } from "vitest";
import { createKey, createMerchant } from "@/tests/support/factory";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";

// A second server on the same database, with a limit that a test can reach.
let server: Launched;
beforeAll(async () => {
  const { DATABASE_URL, APP_SECRET } = process.env;
  server = await launch({ DATABASE_URL, APP_SECRET, RATE_LIMIT_PER_MINUTE: "5" }, paydeskWeb);
});

afterAll(() => server.stop());

it("returns 429 with Retry-After above a key's limit, without affecting other keys", async () => {
  const merchant = await createMerchant();
  const other = await createKey(merchant, ["read"]);
  const get = (key: string) => fetch(`${server.url}/api/packages`, { headers: { Authorization: `Bearer ${key}` } });
  for (let left = 4; left >= 0; left--) {
    const reply = await get(merchant.key);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-ratelimit-limit")).toBe("5");
    expect(reply.headers.get("x-ratelimit-remaining")).toBe(String(left));
  }
  const refused = await get(merchant.key);
  expect([refused.status, await refused.text()]).toEqual([
    429,
    '{"message":"Too Many Attempts.","code":"too_many_attempts"}',
  ]);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  expect((await get(other)).status).toBe(200);
});

it("does not store a 429 for an Idempotency-Key", async () => {
  const { key } = await createMerchant();
  const post = () =>
    fetch(`${server.url}/api/packages`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Idempotency-Key": "once" },
      body: "{}",
    });
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push((await post()).status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
});
