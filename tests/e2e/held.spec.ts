import { expect } from "@playwright/test";
import { expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { rows } from "@/tests/support/database-content";
import { launchOwnServer, type OwnServer } from "@/tests/support/own-server";
import { expectHydrated, test } from "@/tests/support/staff";

// A database of its own: every page of a held one shows the bar.
let server: OwnServer;

test.beforeAll(async () => {
  server = await launchOwnServer();
});
test.afterAll(() => server?.stop());

test("a bar says that the restored database is held, to each role what to do, and goes with the release", async ({
  page,
}) => {
  await page.clock.install();
  await server.signInAsOwner(page);
  const bar = page.getByRole("region", { name: "Restored from a backup" });
  await expect(bar).toHaveCount(0);

  await rows(server.settings, "INSERT INTO database_restore (backup_at) VALUES ('2026-02-03T14:05:00Z')");
  await page.goto(`${server.url}/payment-links`);
  await expect(bar).toContainText(/the backup of 3 Feb.*\. Subscriptions aren’t charged/);
  await expect(bar).toContainText("Before the release, re-enter bank transfers");
  await expectAccessibleAtBothWidths(page);

  await rows(server.settings, "UPDATE membership SET role = 'support'");
  await page.reload();
  await expect(bar).toContainText("Ask an owner or admin to re-enter bank transfers");
  await expect(bar).not.toContainText("Before the release");

  await expectHydrated(page);
  await rows(server.settings, "UPDATE database_restore SET released_at = now()");
  await expect(async () => {
    await page.clock.fastForward(61_000);
    await expect(bar).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
});
