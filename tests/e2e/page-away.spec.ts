import { randomBytes } from "node:crypto";
import { expect } from "@playwright/test";
import { Client } from "pg";
import { expectAccessible, expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { attempt, expectHydrated, password, test } from "@/tests/support/staff";

// A database of its own, because a table that every page needs is locked.
let server: Launched;
let locker: Client;
const email = "ada@example.com";

test.beforeAll(async () => {
  const DATABASE_URL = await createDatabase();
  const settings = { DATABASE_URL, APP_SECRET: randomBytes(32).toString("base64url"), LOG_LEVEL: "error" };
  server = await launch({ ...settings, REGISTRATION: "open", TRUST_PROXY: "1" }, paydeskWeb);
  const owner = { business_name: "Blue Bottle Books", currency: "EUR", timezone: "UTC", name: "Ada", email, password };
  const headers = { "Content-Type": "application/json", Origin: server.url };
  const { status } = await fetch(`${server.url}/api/registrations`, {
    ...{ method: "POST", headers, body: JSON.stringify(owner) },
  });
  expect(status).toBe(200);
  locker = new Client({ connectionString: ownerUrl(DATABASE_URL) });
  await locker.connect();
});
test.afterAll(async () => {
  await locker?.end();
  await server?.stop();
});

const lock = () => locker.query("BEGIN; LOCK TABLE session");
const unlock = () => locker.query("COMMIT");

test("a page that finds the database busy says so, and is shown once the database answers again", async ({ page }) => {
  await page.goto(`${server.url}/login`);
  await attempt(page, email, password);
  await page.waitForURL((url) => url.pathname === "/");
  await expectHydrated(page);
  const main = page.getByRole("main");

  // In the browser, the page's part comes alone.
  await lock();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expectAccessible(page);
  await unlock();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(main.getByRole("heading", { name: "Customers", level: 1 })).toBeVisible();

  await lock();
  const reply = await page.goto(`${server.url}/packages`);
  expect(reply?.status()).toBe(503);
  await expect(page.getByRole("heading", { name: "Temporarily unavailable" })).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await unlock();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(main.getByRole("heading", { name: "Packages", level: 1 })).toBeVisible();
});
