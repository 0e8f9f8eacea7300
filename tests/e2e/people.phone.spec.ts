import { expect } from "@playwright/test";
import { expectNoViolations } from "../support/axe";
import { makeLink, makeStaff, signIn, test } from "../support/staff";

test("on a phone: the mode, the team, the account and the keys are all within reach", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "A test order" });
  await signIn(page, staff);
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expect(page.getByText("No money moves here")).toBeVisible();
  await page.getByRole("button", { name: "Live", exact: true }).tap();
  await expect(page.getByText("No money moves here")).toHaveCount(0);
  await expect(page.getByText("A test order")).toHaveCount(0);
  await page.getByRole("button", { name: "Test", exact: true }).tap();
  await expect(page.getByText("A test order")).toBeVisible();
  for (const [path, ready] of [
    ["/team", "Ada Lovelace (you)"],
    ["/account", "Sign out everywhere"],
    ["/developers/keys", "No test keys yet"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(ready)).toBeVisible();
    await fits();
    await expectNoViolations(page);
  }
  await page.goto("/team");
  await page.getByRole("button", { name: "Invite somebody" }).tap();
  await page.getByLabel("E-mail").fill("grace@example.com");
  await page.getByLabel("Developer").check();
  await page.getByRole("button", { name: "Invite", exact: true }).tap();
  await expect(page.locator("[data-secret]")).toContainText("/invitation/");
  await fits();
});
