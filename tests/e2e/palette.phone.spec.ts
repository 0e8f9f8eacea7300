import { expect } from "@playwright/test";
import { expectNoViolations } from "@/tests/support/axe";
import { phone } from "@/tests/support/layout";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

test.use(phone);

test("on a phone: the palette by its button, and a link's timeline", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { expires_at: new Date(Date.now() + 86_400_000) });
  await openAs(page, staff);
  await page.getByRole("button", { name: "Search or create" }).tap();
  await page.getByRole("combobox", { name: "Search or create" }).fill(link.id);
  await expectNoViolations(page);
  await page.getByRole("option", { name: /Open the payment link/ }).tap();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("list", { name: "Next" })).toContainText("Expires");
  await expectNoViolations(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wide, "the page scrolls sideways").toBe(false);
});
