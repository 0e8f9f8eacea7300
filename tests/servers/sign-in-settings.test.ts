import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";
import { callAs, createStaff, signedIn, signIn } from "@/tests/support/sign-in";

// Each setting differs from its default, and each test would fail with the default.

let settings: Record<string, string>;
let server: Launched;
let merchant: Merchant;
beforeAll(async () => {
  settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  const limits = { SESSION_IDLE_MINUTES: "5", LOCKOUT_ATTEMPTS: "2", LOCKOUT_MINUTES: "1", PASSWORD_HISTORY: "1" };
  server = await launch({ ...settings, ...limits }, paydeskWeb);
  Object.assign(process.env, settings, { TEST_URL: server.url }); // before the first query
  merchant = await createMerchant();
});
afterAll(() => server.stop());

it("locks an account after LOCKOUT_ATTEMPTS, for LOCKOUT_MINUTES", async () => {
  const staff = await createStaff(merchant);
  for (let tries = 0; tries < 3; tries++) expect(await signIn({ ...staff, password: "a wrong phrase" })).toBeNull();
  expect(await signIn(staff)).toBeNull();
  await db.$executeRaw`UPDATE rate_limit SET expire = expire - 61000`;
  expect(await signIn(staff)).not.toBeNull();
});

it("ends a session that was idle for SESSION_IDLE_MINUTES", async () => {
  const { userId, cookie } = await signedIn(merchant);
  const idleFor = async (minutes: number) => {
    const last_seen_at = new Date(Date.now() - minutes * 60_000);
    await db.session.updateMany({ where: { user_id: userId }, data: { last_seen_at } });
    return (await callAs(cookie, "GET", "/settings")).status;
  };
  expect([await idleFor(4), await idleFor(6)]).toEqual([200, 401]);
});

it("lets a person return to the password before, with a PASSWORD_HISTORY of 1", async () => {
  const { cookie, password } = await signedIn(merchant);
  const next = "another long phrase of mine";
  const change = async (current_password: string, to: string) =>
    (await callAs(cookie, "PUT", "/account/password", { current_password, password: to })).status;
  expect([await change(password, next), await change(next, password)]).toEqual([200, 200]);
});

it("asks browsers for https on subdomains with HSTS_SUBDOMAINS", async () => {
  // tests/api/registration.test.ts reads the header without the setting.
  const https = await launch({ ...settings, APP_URL: "https://pay.example.com", HSTS_SUBDOMAINS: "1" }, paydeskWeb);
  const { headers } = await fetch(`${https.url}/healthz`);
  await https.stop();
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
});
