import { type CDPSession, expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessible } from "@/tests/support/axe";
import { forgetConfirmation } from "@/tests/support/sign-in";
import { attempt, makeStaff, openAs, otherBrowser, password, plantIn, test } from "@/tests/support/staff";

/** Chromium's virtual device: it has verified its user, and answers at once. */
async function addDevice(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { cdp, id: authenticatorId };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add passkey" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a passkey" });
  await sheet.getByLabel("Name").fill(name);
  await sheet.getByRole("button", { name: "Add passkey" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
}

/** Pictures for a person to look at, only when asked for. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
}

test("a passkey is added, signs in, is the second step, confirms, and is removed", async ({ page }) => {
  test.slow();
  const staff = await makeStaff();
  const { cdp, id } = await addDevice(page);
  await openAs(page, staff, "/account");
  await addPasskey(page, "MacBook");
  await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page);
  await shoot(page, "passkey-codes");
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  const list = page.getByRole("list", { name: "Passkeys" });
  await expect(list).toContainText("Not used yet");
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  await addPasskey(page, "MacBook again");
  await expect(page.getByText("This device already has a passkey for your account.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await expectAccessible(page);
  await shoot(page, "passkeys");

  await signOut(page);
  await expectAccessible(page);
  await shoot(page, "login");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.goto("/account");
  await expect(list).toContainText("Last used");
  expect(await db.passkey.findFirstOrThrow({ where: { user_id: staff.userId } })).toMatchObject({ name: "MacBook" });

  await signOut(page);
  await attempt(page, staff.email, password);
  await expect(page.getByLabel("Recovery code")).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "second-step");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  await page.goto("/account");
  await forgetConfirmation(staff.userId);
  await page.getByRole("button", { name: "Remove MacBook" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  const question = page.getByRole("alertdialog", { name: "Confirm it’s you" });
  await expect(question.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "confirm-passkey");
  // A device that does not know its user.
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
  await question.getByRole("button", { name: "Use a passkey" }).click();
  await expect(question.getByText("No passkey was used. Try again.")).toBeVisible();
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true });
  await question.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Removed: MacBook")).toBeVisible();
  await expect(list).toHaveCount(0);

  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("This passkey isn’t registered here.")).toBeVisible();
  await attempt(page, staff.email, password);
  await page.waitForURL((url) => url.pathname === "/");
});

test("an owner requires two-factor sign-in; a member without one sets it up before going on", async ({
  page,
  browser,
}) => {
  test.slow();
  const staff = await makeStaff();
  await addDevice(page);
  await openAs(page, staff, "/settings");
  const security = page.getByRole("form", { name: "Security" });
  await security.getByLabel("Two-factor sign-in").selectOption("Required");
  await security.getByRole("button", { name: "Save" }).click();
  await expect(security.getByText("Set up a second factor for yourself first")).toBeVisible();
  await page.goto("/account");
  await addPasskey(page, "MacBook");
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  await page.goto("/settings");
  await security.getByLabel("Two-factor sign-in").selectOption("Required");
  await security.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await security.scrollIntoViewIfNeeded();
  await shoot(page, "security");

  const grace = await makeStaff();
  await db.membership.create({ data: { business_id: staff.businessId, user_id: grace.userId, role: "developer" } });
  const context = await otherBrowser(browser);
  const theirs = await context.newPage();
  await addDevice(theirs);
  await plantIn(context, { ...grace, businessId: staff.businessId });
  await theirs.goto("/payment-links");
  await theirs.waitForURL("**/two-factor");
  await expect(theirs.getByText("Blue Bottle Books requires a second factor")).toBeVisible();
  await expectAccessible(theirs);
  await shoot(theirs, "set-up");
  await addPasskey(theirs, "Phone");
  await theirs.getByRole("button", { name: "I’ve saved them" }).click();
  await theirs.getByRole("link", { name: "Continue" }).click();
  await theirs.waitForURL((url) => url.pathname === "/");
  await expect(theirs.getByRole("heading", { level: 1 })).toBeVisible();
  await context.close();
});
