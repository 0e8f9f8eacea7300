import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { modeCookie } from "@/components/shell/mode";
import { beginTwoFactor, confirmTwoFactor } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { expectAccessible } from "@/tests/support/axe";
import { baseUrl } from "@/tests/support/http";
import { forgetConfirmation } from "@/tests/support/sign-in";
import { makeStaff, openAs, password, test } from "@/tests/support/staff";

const question = (page: Page) => page.getByRole("alertdialog", { name: "Confirm it’s you" });
const confirm = (page: Page) => question(page).getByRole("button", { name: "Confirm", exact: true });

test("a live key is created after the password, and a cancelled question keeps the form", async ({ page }) => {
  const staff = await makeStaff();
  await page.context().addCookies([{ name: modeCookie, value: "live", url: baseUrl() }]);
  await openAs(page, staff, "/developers/keys");
  await forgetConfirmation(staff.userId);
  await page.getByRole("button", { name: "Create API key" }).first().click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Name").fill("Web shop");
  const create = sheet.getByRole("button", { name: "Create API key" });
  await create.click();
  await expect(question(page).getByLabel("Your password")).toBeFocused();
  await expectAccessible(page);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/step-up.png` });
  await page.keyboard.press("Escape");
  await expect(question(page)).toHaveCount(0);
  await expect(sheet.getByRole("alert").first()).toContainText("Nothing changed, because you didn’t confirm it’s you.");
  await expect(sheet.getByLabel("Name")).toHaveValue("Web shop");
  await expect(create).toBeFocused();

  await create.click();
  await question(page).getByLabel("Your password").fill("wrong");
  await page.keyboard.press("Enter");
  await expect(question(page).getByText("The password is wrong.")).toBeVisible();
  await question(page).getByLabel("Your password").fill(password);
  await confirm(page).click();
  await expect(page.locator("[data-secret]")).toContainText("sk_live_");
  await expect(question(page)).toHaveCount(0);
  expect(await db.apiKey.count({ where: { business_id: staff.businessId } })).toBe(1);
});

test("other sessions end after a code, asked above the question about them", async ({ page }) => {
  const staff = await makeStaff();
  const { secret } = await beginTwoFactor(db, { id: staff.userId, email: staff.email });
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  await confirmTwoFactor(db, staff.userId, app.generate({ timestamp: Date.now() - 30_000 }));
  await openAs(page, staff, "/account");
  await forgetConfirmation(staff.userId);
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await question(page).getByLabel("Code").fill(app.generate());
  await expectAccessible(page);
  await confirm(page).click();
  await page.waitForURL("**/login");
  expect(await db.session.count({ where: { user_id: staff.userId } })).toBe(0);
});

test("two-factor sign-in is turned on by keyboard, also after the password, in one sheet", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/account");
  await forgetConfirmation(staff.userId);
  const open = page.getByRole("button", { name: "Turn on", includeHidden: true }).first();
  const sheet = page.getByRole("dialog", { includeHidden: true });
  await open.click();
  await expect(sheet.getByRole("button", { name: "Continue" })).toBeVisible();
  // The button behind the sheet opens no second one.
  await open.evaluate((button: HTMLElement) => {
    button.focus();
    button.click();
  });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  await expect(sheet).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);

  await open.press("Enter");
  await sheet.getByRole("button", { name: "Continue" }).press("Enter");
  await expect(question(page).getByLabel("Your password")).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(sheet.getByLabel("Code")).toBeFocused();
  await expect(question(page)).toHaveCount(0);
  await expect(sheet.getByLabel("Code")).toBeFocused();

  const secret = await page.locator("[data-secret]").innerText();
  await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.keyboard.press("Enter");
  await expect(sheet.getByText(/^Two-factor sign-in is on/)).toBeFocused();
  await expect(sheet.getByRole("list", { name: "Recovery codes" })).toBeVisible();
  await expect(sheet).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(sheet.getByRole("button", { name: "Copy" })).toBeFocused();
});
