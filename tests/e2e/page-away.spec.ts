import { expect } from "@playwright/test";
import { Client } from "pg";
import { expectAccessible, expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { launchOwnServer, type OwnServer } from "@/tests/support/own-server";
import { ownerUrl } from "@/tests/support/postgres";
import { test } from "@/tests/support/staff";

// A database of its own, because a table that every page needs is locked.
let server: OwnServer;
let locker: Client;

test.beforeAll(async () => {
  server = await launchOwnServer();
  locker = new Client({ connectionString: ownerUrl(server.settings.DATABASE_URL) });
  await locker.connect();
});
test.afterAll(async () => {
  await locker?.end();
  await server?.stop();
});

const lock = () => locker.query("BEGIN; LOCK TABLE session");
const unlock = () => locker.query("COMMIT");

test("a page that finds the database busy says so, and is shown once the database answers again", async ({ page }) => {
  await server.signInAsOwner(page);
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
