import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectNoViolations } from "@/tests/support/axe";
import { phone } from "@/tests/support/layout";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

test.use(phone);

test("on a phone: the mode is switched and a teammate invited", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "A test order" });
  await openAs(page, staff);
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expect(page.getByText(/^No money moves/)).toBeVisible();
  await page.getByRole("button", { name: "Live", exact: true }).tap();
  await expect(page.getByText(/^No money moves/)).toHaveCount(0);
  await expect(page.getByText("A test order")).toHaveCount(0);
  await page.getByRole("button", { name: "Test", exact: true }).tap();
  await expect(page.getByText("A test order")).toBeVisible();
  await page.goto("/team");
  await page.getByRole("button", { name: "Invite teammate" }).tap();
  await page.getByLabel("E-mail").fill("grace@example.com");
  await page.getByLabel("Developer").check();
  await page.getByRole("button", { name: "Invite", exact: true }).tap();
  await expect(page.getByText("Invitation created for grace@example.com")).toBeVisible();
  await expect(page.getByText("npm run -s invitation-link -- --email 'grace@example.com'")).toBeVisible();
  await fits();
});

test("on a phone: a second business is created and left again", async ({ page }) => {
  const staff = await makeStaff();
  await page.setViewportSize({ width: 390, height: 844 });
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await openAs(page, staff);
  await page.getByRole("button", { name: "Business: Blue Bottle Books" }).tap();
  await expectNoViolations(page);
  await page.getByRole("menuitem", { name: "New business" }).tap();
  const sheet = page.getByRole("dialog", { name: "New business" });
  await sheet.getByLabel("Name").fill("The second one, whose name is as long as a name may well be");
  await fits();
  await expectNoViolations(page);
  await sheet.getByRole("button", { name: "Create business" }).tap();
  await expect(page.getByRole("button", { name: /^Business: The second one/ })).toBeVisible();
  await fits();
  const first = { business_id: staff.businessId, user_id: (await makeStaff()).userId, role: "owner" };
  await db.membership.create({ data: first });
  await page.goto("/account");
  await page.getByRole("button", { name: "Leave Blue Bottle Books" }).scrollIntoViewIfNeeded();
  await fits();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Leave Blue Bottle Books" }).tap();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).tap();
  await expect(page.getByRole("list", { name: "Businesses" }).getByRole("listitem")).toHaveCount(1);
});
