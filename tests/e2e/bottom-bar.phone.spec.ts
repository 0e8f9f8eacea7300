import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessible } from "@/tests/support/axe";
import { phone } from "@/tests/support/layout";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

test.use(phone);

/** Names of the controls that take touches in less than 44 px. */
const small = (controls: Element[]) =>
  controls.flatMap((control) => {
    const { width, height } = control.getBoundingClientRect();
    const around = getComputedStyle(control, "::after");
    const area = [Math.max(width, parseFloat(around.width) || 0), Math.max(height, parseFloat(around.height) || 0)];
    return Math.min(...area) < 44 ? [`${control.ariaLabel ?? control.textContent}: ${area.join(" x ")}`] : [];
  });

test("on a phone: a bar at the bottom leads to every page, and covers nothing", async ({ page }) => {
  const staff = await makeStaff();
  for (let row = 0; row < 12; row++) await makeLink(staff.businessId, { title: `Order ${row}` });
  await openAs(page, staff, "/payment-links");
  const bar = page.getByRole("navigation", { name: "Main" });
  const names = ["Overview", "Links", "Payments", "Subscriptions", "Customers", "More"];
  await expect(bar.getByRole("listitem")).toHaveText(names);
  const cut = (shown: Element[]) => shown.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
  await page.evaluate(() => document.fonts.ready);
  expect(await bar.locator("li span").evaluateAll(cut), "names that are cut off").toBe(0);
  for (const width of await bar.locator("li").evaluateAll((places) => places.map((place) => place.clientWidth)))
    expect(width).toBeGreaterThanOrEqual(44);
  await expect(bar.getByRole("link", { name: "Links" })).toHaveAttribute("aria-current", "page");
  const controls = page.locator("button, select, input:not([type=checkbox]), a[aria-label]");
  expect(await controls.filter({ visible: true }).evaluateAll(small)).toEqual([]);
  await expectAccessible(page);

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const actions = page.getByRole("region", { name: "Selected rows" });
  await expect(actions).toContainText("12 selected");
  const lowest = await actions.evaluate((shown) => shown.getBoundingClientRect().bottom);
  expect(lowest).toBeLessThanOrEqual(await bar.evaluate((nav) => nav.getBoundingClientRect().top));
  const possible = ["Send by e-mail", "Deactivate", "Delete", "Export CSV", "Clear selection"];
  await expect(actions.getByRole("button")).toHaveText(possible);
  const isOneRow = await actions.evaluate((shown) => shown.clientHeight < 70);
  expect(isOneRow, "the actions are in one row").toBe(true);
  await expectAccessible(page, "selected rows");
  await actions.getByRole("button", { name: "Export CSV" }).scrollIntoViewIfNeeded();
  await expect(actions.getByRole("button", { name: "Export CSV" })).toBeInViewport({ ratio: 0.9 });
  await actions.getByRole("button", { name: "Clear selection" }).tap();
  await expect(actions).toHaveCount(0);

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const [last, top] = await Promise.all([
    page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ hasText: /^Order 0/ })
      .evaluate((row) => row.getBoundingClientRect().bottom),
    bar.evaluate((nav) => nav.getBoundingClientRect().top),
  ]);
  expect(last).toBeLessThan(top);

  await bar.getByRole("link", { name: "Payments" }).tap();
  await expect(page).toHaveURL(/\/payments$/);
  await bar.getByRole("button", { name: "More" }).tap();
  const more = page.getByRole("navigation", { name: "More" });
  await expect(more.getByRole("link")).toHaveCount(15);
  for (const height of await more.getByRole("link").evaluateAll((links) => links.map((link) => link.clientHeight)))
    expect(height).toBeGreaterThanOrEqual(44);
  expect(await page.getByRole("dialog").locator("button").evaluateAll(small)).toEqual([]);
  await expectAccessible(page, "the sheet of the other pages");
  await more.getByRole("link", { name: "Settings" }).tap();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(more).toHaveCount(0);
  await expect(bar.getByRole("button", { name: "More" })).toHaveAttribute("aria-current", "true");
  await expect(bar.locator("[aria-current]")).toHaveCount(1);

  await page.getByRole("region", { name: "Profile" }).getByLabel("Name").fill("Blue Bottle");
  await page.getByRole("region", { name: "Profile" }).getByRole("button", { name: "Save" }).tap();
  const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem");
  await expect(toast).toBeVisible();
  const bottom = await toast.evaluate((shown) => shown.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual(await bar.evaluate((nav) => nav.getBoundingClientRect().top));
});

test("on a phone: the bar of the test mode stays one row when the clock is ahead", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/payments");
  const mode = page.getByText(/^No money moves/);
  const header = () => page.getByRole("banner").evaluate((banner) => banner.clientHeight);
  await expect(mode).toBeVisible();
  const height = await header();
  await db.business.update({ where: { id: staff.businessId }, data: { test_clock_ahead: 3 * 86_400_000 } });
  await page.reload();
  await expect(page.getByRole("button", { name: "Advance the test clock" })).toBeVisible();
  await expect(mode).toBeHidden();
  expect(await header()).toBe(height);
  const cut = (shown: Element) => shown.scrollWidth > shown.clientWidth;
  expect(await page.getByText(/^Test clock: \d/).evaluate(cut)).toBe(false);
  await expectAccessible(page, "the bar of the test mode");
});
