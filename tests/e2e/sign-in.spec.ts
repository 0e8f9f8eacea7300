import { expect, type Page } from "@playwright/test";
import { expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { gate } from "@/tests/support/gate";
import { attemptSignIn } from "@/tests/support/sign-in";
import { attempt, makeStaff, password, someAddress, test } from "@/tests/support/staff";

test("a page leads to the sign-in and back; scripts cannot read the cookie", async ({ page, context }) => {
  const staff = await makeStaff();
  const response = await page.request.get("/payment-links?status=Paid", { maxRedirects: 0 });
  expect(response.status()).toBe(307);
  expect(response.headers().location).toBe("/login?next=%2Fpayment-links%3Fstatus%3DPaid");
  await page.goto("/payment-links?status=Paid");
  await attempt(page, staff.email, password);
  await expect(page).toHaveURL(/\/payment-links\?status=Paid$/);
  await expect(page).toHaveTitle("Payment links · Paydesk");
  await expect(page.getByText("Blue Bottle Books")).toBeVisible();
  await expect(page.getByText("Test mode")).toBeVisible();
  const cookie = (await context.cookies()).find(({ name }) => name.endsWith("paydesk-session"));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  await page.goto("/login?next=//evil.example");
  await expect(page).toHaveURL(/^[^/]+\/\/[^/]+\/$/); // the overview
});

/** Fills in the form while its scripts are held back. */
async function fillBeforeScripts(page: Page, staff: { email: string }): Promise<() => void> {
  const { opened: loading, open: load } = gate();
  await page.route(/\/_next\/.*\.js/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto("/login", { waitUntil: "commit" });
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.type(staff.email);
  await page.getByLabel("Password").click();
  await page.keyboard.type(password);
  return load;
}

test("Enter before the scripts have loaded signs in once they have", async ({ page }) => {
  const load = await fillBeforeScripts(page, await makeStaff());
  await page.keyboard.press("Enter");
  load();
  await page.waitForURL((url) => url.pathname === "/");
});

test("the e-mail field has the focus, also before the scripts have loaded", async ({ page }) => {
  const staff = await makeStaff();
  const load = await fillBeforeScripts(page, staff);
  load();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByLabel("E-mail")).toHaveValue(staff.email);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/");
});

test("a wrong password and an unknown e-mail look the same, and too many attempts are refused", async ({ page }) => {
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

  // tests/api/sign-in.test.ts counts the attempts of addresses and accounts.
  const address = someAddress();
  for (let i = 0; i < 5; i++) await attemptSignIn({ email: staff.email, password: `guess ${i}` }, { address });
  await page.context().setExtraHTTPHeaders({ "X-Forwarded-For": address });
  await attempt(page, staff.email, "guess 5");
  const alert = page.getByRole("alert").filter({ hasText: "Too many attempts" });
  await expect(alert).toHaveText(/again at \d\d:\d\d, in \d+ minutes?\./);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeEnabled();
});
