import { expect, type Page, type Request } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { beginTwoFactor, confirmTwoFactor } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { attempt, makeLink, makeStaff, openAs, password, type Staff, test } from "@/tests/support/staff";

const asked = (page: Page) => page.getByRole("alertdialog", { name: "Your session has ended" });
const endSessions = (staff: Staff) => db.session.deleteMany({ where: { user_id: staff.userId } });

/** The request that creates a link, and the one that lists the links of a status. */
const creates = (request: Request) => request.method() === "POST" && /\/api\/payment-links$/.test(request.url());
const lists = (status: string) => (request: Request) =>
  request.url().includes("/api/payment-links?") && new URL(request.url()).searchParams.get("status") === status;

/** Ends the person's sessions just before this request, so that no other one finds them ended before the click. */
async function endSessionsAt(
  page: Page,
  staff: Staff,
  isExpected: (request: Request) => boolean,
  alsoChange = async () => {},
): Promise<void> {
  let ended = false;
  await page.route("**/api/payment-links**", async (route) => {
    if (!ended && isExpected(route.request())) {
      ended = true;
      await endSessions(staff);
      await alsoChange();
    }
    await route.fallback();
  });
}

async function comeBack(page: Page): Promise<void> {
  await asked(page).getByLabel("Password").fill(password);
  await asked(page).getByRole("button", { name: "Sign in" }).click();
}

async function typeLink(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create payment link" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create payment link" });
  await sheet.getByLabel("Amount").fill("10.50");
  await sheet.getByLabel("Title").fill("Typed before");
  await sheet.getByLabel("Payer’s e-mail").fill("payer@example.com");
}

const send = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Create payment link" });
const ready = (page: Page) => page.getByRole("heading", { name: "Payment link ready" });
const made = (staff: Staff) => db.paymentLink.count({ where: { business_id: staff.businessId } });

test("a session that ends behind a form: after signing in again, the form is unchanged and has one effect", async ({
  page,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await typeLink(page);
  await endSessionsAt(page, staff, creates);
  await send(page).click();
  await expect(asked(page)).toHaveAccessibleDescription("Sign in to continue. This page stays as it is.");
  await expect(asked(page).getByLabel("E-mail")).toHaveValue(staff.email);
  await expect(asked(page).getByLabel("E-mail")).not.toBeEditable();
  await expect(asked(page).getByLabel("Password")).toBeFocused();

  // Nothing behind it works, and it does not go away by itself.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.mouse.click(5, 5);
  await expect(asked(page)).toHaveCount(1);
  await expect(page.getByRole("dialog", { name: "Search or create" })).toHaveCount(0);
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press("Tab");
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
      ),
    ).toBe(true);
  }
  await expectAccessibleAtBothWidths(page);

  await asked(page).getByLabel("Password").fill("wrong");
  await asked(page).getByRole("button", { name: "Sign in" }).click();
  await expect(asked(page).getByRole("alert")).toContainText("Wrong e-mail or password.");
  await page.route("**/api/auth/**", (route) => route.abort());
  await comeBack(page);
  await expect(asked(page).getByRole("alert")).toContainText("Sign-in is unavailable right now.");
  await expect(asked(page).getByLabel("Password")).toHaveValue(password);
  await page.unroute("**/api/auth/**");
  await asked(page).getByRole("button", { name: "Sign in" }).click();
  await expect(asked(page)).toHaveCount(0);
  await expect(page.getByRole("dialog").getByLabel("Title")).toHaveValue("Typed before");
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Sign in and try again.");
  await expect(send(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(ready(page)).toBeVisible();
  expect(await made(staff)).toBe(1);
});

test("reads wait when the session has ended, ask once for several, and then continue", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Paid one", status: "Inactive" });
  await openAs(page, staff);
  await endSessionsAt(page, staff, lists("Inactive"));
  await page.getByRole("button", { name: "Inactive", exact: true }).click();
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(asked(page)).toHaveCount(1);
  await comeBack(page);
  await expect(asked(page)).toHaveCount(0);
  await expect(page.getByText("Paid one")).toBeVisible();
  await expect(page).toHaveURL(/\/payment-links\?status=Inactive$/);
  await expect(page.getByText("could not be loaded")).toHaveCount(0);
});

test("the second factor is requested as on the sign-in page", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await typeLink(page);
  const { secret } = await beginTwoFactor(db, { id: staff.userId, email: staff.email });
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const codes = await confirmTwoFactor(db, staff.userId, app.generate());
  await endSessionsAt(page, staff, creates);
  await send(page).click();
  await comeBack(page);
  await asked(page).getByLabel("Code").fill("000000");
  await asked(page).getByRole("button", { name: "Continue" }).click();
  await expect(asked(page).getByText("That code is wrong or has already been used.")).toBeVisible();
  await expectNoViolations(page);
  await asked(page)
    .getByLabel("Code")
    .fill(codes?.[0] ?? "");
  await asked(page).getByRole("button", { name: "Continue" }).click();
  await expect(asked(page)).toHaveCount(0);
  await send(page).click();
  await expect(ready(page)).toBeVisible();
});

test("the page's business is selected again; a person who is no longer a member gets a new page", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  const other = await db.business.create({ data: { name: "Second Shop" } });
  await db.membership.create({ data: { business_id: other.id, user_id: staff.userId, role: "viewer" } });
  const goElsewhere = () => db.user.update({ where: { id: staff.userId }, data: { last_business_id: other.id } });
  await typeLink(page);
  await goElsewhere();
  await endSessionsAt(page, staff, creates);
  await send(page).click();
  await comeBack(page);
  await expect(asked(page)).toHaveCount(0);
  await send(page).click();
  await expect(ready(page)).toBeVisible();
  expect(await made(staff)).toBe(1);

  await page.getByRole("button", { name: "Done" }).click();
  await expect(ready(page)).toHaveCount(0);
  await endSessionsAt(page, staff, lists("Paid"), async () => {
    await db.membership.deleteMany({ where: { business_id: staff.businessId, user_id: staff.userId } });
  });
  await page.getByRole("button", { name: "Paid", exact: true }).click();
  await comeBack(page);
  await expect(page.getByText("Second Shop")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create payment link" })).toHaveCount(0);
});

test("signed out in another tab: asks to sign in again, and signing in there works here too", async ({
  page,
  context,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await typeLink(page);
  const tab = await context.newPage();
  await tab.goto("/account");
  await tab.getByRole("button", { name: /Account of/ }).click();
  await tab.getByRole("menuitem", { name: "Sign out" }).click();
  await tab.waitForURL("**/login");
  await expect(asked(tab)).toHaveCount(0);
  await send(page).click();
  await expect(asked(page)).toBeVisible();
  await attempt(tab, staff.email, password);
  await tab.waitForURL((url) => url.pathname === "/");
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(asked(page)).toHaveCount(0);
  await send(page).click();
  await expect(ready(page)).toBeVisible();
});

test("another person signs in through the sign-in page, which leads back to the page", async ({ page }) => {
  const staff = await makeStaff();
  const colleague = await makeStaff();
  await openAs(page, staff, "/payment-links?status=Paid");
  await endSessionsAt(page, staff, lists("Inactive"));
  await page.getByRole("button", { name: "Inactive", exact: true }).click();
  await asked(page).getByRole("link", { name: "Use a different account" }).click();
  await page.waitForURL("**/login?next=**");
  await attempt(page, colleague.email, password);
  await expect(page).toHaveURL(/\/payment-links\?status=Inactive$/);
});

test("an idle page does not keep the session alive, an active one does", async ({ page }) => {
  const staff = await makeStaff();
  await page.clock.install();
  await openAs(page, staff, "/");
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  const polled: (string | undefined)[] = [];
  page.on("request", (one) => {
    if (one.url().includes("/api/")) polled.push(one.headers()["x-paydesk-unattended"]);
  });
  // The figures are brought up to date twice a minute.
  const minutesPass = async (touch: boolean) => {
    await page.evaluate(() => {
      document.body.style.minHeight = "9000px";
    });
    await page.clock.fastForward(90_000);
    await page.waitForLoadState("networkidle");
    polled.length = 0;
    for (let tries = 0; tries < 50 && polled.length === 0; tries++) {
      if (touch) await page.mouse.move(200, 200 + tries);
      // By itself, as where a list grows above what is looked at.
      else await page.evaluate(() => window.scrollBy(0, 10));
      await page.waitForTimeout(50);
      await page.clock.fastForward(31_000);
      await page.waitForTimeout(200);
    }
    return [...new Set(polled)];
  };
  expect(await minutesPass(false)).toEqual(["true"]);
  expect(await minutesPass(true)).toEqual([undefined]);
});
