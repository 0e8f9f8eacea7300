import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { seal } from "@/lib/core/secrets";
import { expectAccessible } from "@/tests/support/axe";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { attempt, makeStaff, openAs, password, plantIn, test } from "@/tests/support/staff";

// A web half with a mail server: without one, nothing asks for a confirmed address. It sends nothing itself.
let server: Launched;
test.beforeAll(async () => {
  const { DATABASE_URL, APP_SECRET } = process.env;
  const smtp = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "desk@paydesk.example" };
  server = await launch({ DATABASE_URL, APP_SECRET, TRUST_PROXY: "1", ...smtp }, paydeskWeb);
});
test.afterAll(() => server?.stop());

async function makeUnverified() {
  const staff = await makeStaff();
  await db.user.update({ where: { id: staff.userId }, data: { email_verified_at: null } });
  const sealed = JSON.stringify({ userId: staff.userId, until: Date.now() + 3_600_000 });
  return { ...staff, verify: `${server.url}/verify/${seal(sealed, "e-mail verification")}` };
}

test("a bar asks for the e-mail's confirmation, and says what waits for it", async ({ page }) => {
  const staff = await makeUnverified();
  await openAs(page, staff, `${server.url}/team`);
  const bar = page.getByText("Confirm your e-mail address: we sent a link to");
  await expect(bar).toContainText(staff.email);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Invite teammate" }).click();
  await page.getByLabel("E-mail").fill("grace@example.com");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByText("Confirm your e-mail address first, with the link we sent you.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Resend e-mail" }).click();
  await expect(page.getByText(`Sent to ${staff.email}`)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expect(bar).toBeVisible();

  await page.goto(`${server.url}/settings`);
  const bank = page.getByRole("form", { name: "Bank transfers" });
  await bank.getByLabel("Account holder").fill("Blue Bottle Books GmbH");
  await bank.getByLabel("IBAN").fill("DE89 3704 0044 0532 0130 00");
  await bank.getByRole("button", { name: "Save" }).click();
  await expect(bank.getByRole("alert")).toHaveText("Confirm your e-mail address first, with the link we sent you.");

  await page.goto(staff.verify);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Confirm e-mail address" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await expect(bar).toHaveCount(0);
});

test("the link in the mail needs the account's session", async ({ page }) => {
  const staff = await makeUnverified();
  await page.goto(staff.verify);
  await page.waitForURL("**/login?next=**");
  await attempt(page, staff.email, password);
  await expect(page.getByText(`You’re signed in as ${staff.email}.`)).toBeVisible();
  const other = await makeUnverified();
  await plantIn(page.context(), other);
  await page.reload();
  await page.getByRole("button", { name: "Confirm e-mail address" }).click();
  await expect(page.getByText("belongs to another account")).toBeVisible();
  await expectAccessible(page);
  const { email_verified_at } = await db.user.findUniqueOrThrow({ where: { id: staff.userId } });
  expect(email_verified_at).toBeNull();
});
