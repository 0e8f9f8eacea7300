import { randomBytes } from "node:crypto";
import { expect } from "@playwright/test";
import { expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { rows } from "@/tests/support/database-content";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";
import { attempt, expectHydrated, password, test } from "@/tests/support/staff";

// A database of its own: every page of a held one shows the bar.
let settings: Record<string, string>;
let server: Launched;
const email = "ada@example.com";

test.beforeAll(async () => {
  settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  server = await launch({ ...settings, REGISTRATION: "open", TRUST_PROXY: "1" }, paydeskWeb);
  const owner = { business_name: "Blue Bottle Books", currency: "EUR", timezone: "UTC", name: "Ada", email, password };
  const headers = { "Content-Type": "application/json", Origin: server.url };
  const { status } = await fetch(`${server.url}/api/registrations`, {
    ...{ method: "POST", headers, body: JSON.stringify(owner) },
  });
  expect(status).toBe(200);
});
test.afterAll(() => server?.stop());

test("a bar says that the restored database is held, to each role what to do, and goes with the release", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(`${server.url}/login`);
  await attempt(page, email, password);
  await page.waitForURL((url) => url.pathname === "/");
  const bar = page.getByRole("region", { name: "Restored from a backup" });
  await expectHydrated(page);
  await expect(bar).toHaveCount(0);

  await rows(settings, "INSERT INTO database_restore (backup_at) VALUES ('2026-02-03T14:05:00Z')");
  await page.goto(`${server.url}/payment-links`);
  await expect(bar).toContainText(/the backup of 3 Feb.*\. Subscriptions aren’t charged/);
  await expect(bar).toContainText("Before the release, re-enter bank transfers");
  await expectAccessibleAtBothWidths(page);

  await rows(settings, "UPDATE membership SET role = 'support'");
  await page.reload();
  await expect(bar).toContainText("Ask an owner or admin to re-enter bank transfers");
  await expect(bar).not.toContainText("Before the release");

  await expectHydrated(page);
  await rows(settings, "UPDATE database_restore SET released_at = now()");
  await expect(async () => {
    await page.clock.fastForward(61_000);
    await expect(bar).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
});
