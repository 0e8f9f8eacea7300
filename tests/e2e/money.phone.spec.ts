import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectNoViolations } from "@/tests/support/axe";
import { phone } from "@/tests/support/layout";
import { makePaidLink } from "@/tests/support/money-rows";
import { makeStaff, openAs, test } from "@/tests/support/staff";

test.use({ ...phone, viewport: { width: 390, height: 844 } });

test("on a phone: from the overview to a payment and a partial refund", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makePaidLink(staff, { title: "Espresso beans", email: "ada@example.com" });
  await openAs(page, staff, "/");
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Espresso beans" }) });
  await expect(row).toContainText("Visa ending in 4242 12/40");
  await page.getByRole("link", { name: "Espresso beans" }).tap();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("€10.50");
  await page.getByRole("button", { name: "Refund" }).tap();
  const sheet = page.getByRole("dialog", { name: "Refund" });
  await sheet.getByLabel("Amount in EUR").fill("0.50");
  await sheet.getByRole("button", { name: "Refund" }).tap();
  await page.getByRole("alertdialog").getByRole("button", { name: "Refund" }).tap();
  const refunds = page.getByRole("region", { name: "Refunds" });
  await expect(refunds.getByRole("listitem").filter({ hasText: "Refunded" })).toContainText("€0.50");
  expect(await db.refund.count({ where: { payment_link_id: link.id, amount_cents: 50 } })).toBe(1);
  await expectNoViolations(page);
});
