import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { attemptSignIn } from "@/tests/support/sign-in";
import { attempt, makeStaff, openAs, password, type Staff, someAddress, test } from "@/tests/support/staff";

async function signIn(page: Page, staff: Staff, path = "/payment-links"): Promise<void> {
  await page.goto(path);
  await attempt(page, staff.email, password);
  await page.waitForURL((url) => url.pathname === "/payment-links");
}

test("a page leads to the sign-in and back; scripts cannot read the cookie", async ({ page, context }) => {
  const staff = await makeStaff();
  const response = await page.request.get("/payment-links?status=Paid", { maxRedirects: 0 });
  expect(response.status()).toBe(307);
  expect(response.headers().location).toBe("/login?next=%2Fpayment-links%3Fstatus%3DPaid");
  await signIn(page, staff, "/payment-links?status=Paid");
  await expect(page).toHaveURL(/\/payment-links\?status=Paid$/);
  await expect(page).toHaveTitle("Payment links · Paydesk");
  await expect(page.getByText("Blue Bottle Books")).toBeVisible();
  await expect(page.getByText("Test mode")).toBeVisible();
  const cookie = (await context.cookies()).find(({ name }) => name.endsWith("paydesk-session"));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  await page.goto("/login?next=//evil.example");
  await expect(page).toHaveURL(/^[^/]+\/\/[^/]+\/$/); // the overview
});

test("the e-mail field has the focus, also before the scripts have loaded", async ({ page }) => {
  const staff = await makeStaff();
  let load = (): void => undefined;
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/\/_next\/.*\.js/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto("/login", { waitUntil: "commit" });
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.type(staff.email);
  await page.getByLabel("Password").click();
  await page.keyboard.type(password);
  load();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByLabel("E-mail")).toHaveValue(staff.email);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/");
});

test("a wrong password and an unknown e-mail look the same", async ({ page }) => {
  const staff = await makeStaff();
  await page.goto("/login");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Enter your e-mail address.")).toBeVisible();
  for (const email of [staff.email, "nobody@example.com"]) {
    await attempt(page, email, "wrong");
    await expect(page.getByRole("alert").filter({ hasText: "Wrong e-mail or password." })).toBeVisible();
    await expect(page.getByLabel("Password")).toHaveValue("");
    await expect(page.getByLabel("Password")).toBeFocused();
  }
  await expectAccessibleAtBothWidths(page);
  expect(page.url()).not.toContain("wrong");
});

test("guessing is stopped, and the account's owner can still sign in", async ({ page, browser }) => {
  const staff = await makeStaff();
  await signIn(page, staff); // from where the victim always works
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/login");

  let refused = 0;
  const addresses = [someAddress(), someAddress(), someAddress()];
  for (const address of addresses)
    for (let i = 0; i < 6; i++) {
      const { error } = await attemptSignIn({ email: staff.email, password: `guess ${i}` }, { address });
      if (error?.startsWith("TooManyAttempts.")) refused++;
    }
  // Five each from two addresses are ten; everything after that was refused, and before a password was hashed.
  expect(refused).toBe(8);
  const guesser = await browser.newContext({ extraHTTPHeaders: { "X-Forwarded-For": addresses[0] ?? "" } });
  const guess = await guesser.newPage();
  await guess.goto("/login");
  await attempt(guess, staff.email, "guess 6");
  const alert = guess.getByRole("alert").filter({ hasText: "Too many attempts" });
  await expect(alert).toHaveText(/again at \d\d:\d\d, in \d+ minutes?\./);
  await expect(guess.getByRole("button", { name: "Sign in" })).toBeEnabled();
  await guesser.close();
  await attempt(page, staff.email, password);
  await page.waitForURL(({ pathname }) => pathname === "/");
});

test("signing out ends the session at once, also for a copied cookie", async ({
  page,
  context,
  playwright,
  baseURL,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  const stolen = await playwright.request.newContext({ baseURL, storageState: await context.storageState() });
  expect((await stolen.get("/api/payment-links")).status()).toBe(200);
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
  expect((await stolen.get("/api/payment-links")).status()).toBe(401);
  expect((await stolen.get("/payment-links", { maxRedirects: 0 })).status()).toBe(307);
  expect(await db.session.count({ where: { user_id: staff.userId } })).toBe(0);
  await stolen.dispose();
});
