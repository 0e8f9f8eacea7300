import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { violations } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makePaidLink } from "@/tests/support/money-rows";
import { openPageOf } from "@/tests/support/rows";
import { makeStaff, openAs, test } from "@/tests/support/staff";

/** Screenshots to look at, when SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Checks and pictures of the page for a computer and a phone. */
async function check(page: Page, name: string): Promise<void> {
  expect(await violations(page)).toEqual([]);
  await shoot(page, name);
  await page.setViewportSize({ width: phoneWidth, height: 800 });
  await expectNoOverflow(page);
  await shoot(page, `${name}-phone`);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("the balance is refreshed, paid out, followed to its payments, and exported", async ({ page }) => {
  test.slow();
  const staff = await makeStaff();
  const { businessId } = staff;
  await makePaidLink(staff, { title: "Espresso beans" });
  await makePaidLink(staff, { title: "Grinder" });
  await db.balanceImport.updateMany({ where: { business_id: businessId }, data: { next_at: new Date(0) } });
  await openAs(page, staff, "/");
  await expect.poll(() => db.balanceEntry.count({ where: { business_id: businessId } })).toBe(2);
  await page.getByRole("link", { name: "Payouts" }).first().click();
  await expect(page.getByText("€20.20")).toBeVisible();
  await expect(page.getByText("Equals your books")).toBeVisible();
  // Three days later, the sandbox pays out.
  await db.business.update({ where: { id: businessId }, data: { test_clock_ahead: 3 * 86_400_000 } });
  await page.getByRole("button", { name: "Refresh" }).click();
  const row = page.getByRole("row").filter({ hasText: "€20.20" });
  await expect(row.getByText("In transit")).toBeVisible();
  await check(page, "list");
  const { id: payout_id } = await db.payout.findFirstOrThrow({ where: { business_id: businessId } });
  await db.balanceEntry.create({
    data: {
      ...{ id: newId("bal"), business_id: businessId, livemode: false, payout_id, gateway_ref: "adjustment" },
      ...{ type: "adjustment", amount_cents: 0, fee_cents: 0, net_cents: 0, currency: "EUR" },
      ...{ recorded: true, created_at: new Date() },
    },
  });
  await openPageOf(row);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("€20.20");
  await expect(page.getByRole("row", { name: "Payment 2 €21.00 -€0.80 €20.20" })).toBeVisible();
  await check(page, "payout");
  // An entry that is about no payment leads nowhere.
  await expect(page.getByRole("rowheader", { name: "Adjustment" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Adjustment" })).toHaveCount(0);
  await page.getByRole("link", { name: "Grinder" }).click();
  await page.waitForURL(/\/payments\//);
  await expect(page.getByText("€10.10")).toBeVisible();
  await check(page, "payment");
  await page.getByRole("link", { name: "View payout" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("€20.20");

  // A payment that the gateway does not have.
  const [payment] = await db.payment.findMany({ where: { business_id: businessId }, take: 1 });
  await db.payment.update({ where: { id: payment?.id ?? "" }, data: { unbooked_since: new Date() } });
  await page.goto("/");
  await check(page, "overview");
  await page.getByRole("link", { name: "The balance at a gateway differs from your books" }).click();
  await expect(page.getByText("Payment in your books that has no entry at the gateway.")).toBeVisible();
  await check(page, "differs");

  await page.getByRole("link", { name: "Exports" }).first().click();
  await page.getByLabel("Period").selectOption("This year");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download Payments as CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/^payments-\d{4}-01-01-to-\d{4}-\d{2}-\d{2}\.csv$/);
  await page.getByLabel("First day").fill("2999-01-01");
  await expect(page.getByText("The last day must not be before the first.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download Payments as CSV" })).toBeDisabled();
  await page.getByLabel("Period").selectOption("Yesterday");
  const fileOfDay = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download Payments as CSV" }).click();
  expect((await fileOfDay).suggestedFilename()).toMatch(/^payments-(\d{4}-\d{2}-\d{2})-to-\1\.csv$/);
  await page.getByLabel("Period").selectOption("Last month");
  await check(page, "exports");
});
