import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { createApiKey } from "@/lib/auth/keys";
import { newToken } from "@/lib/auth/token";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { renewLinks } from "@/lib/resources/team/invitations";
import { expectAccessible } from "@/tests/support/axe";
import { slowDoubleClick } from "@/tests/support/clicks";
import { sendAfterLostRequest } from "@/tests/support/form-values";
import { makePackage } from "@/tests/support/package-rows";
import { attempt, makeLink, makeStaff, openAs, otherBrowser, password, plantIn, test } from "@/tests/support/staff";

const someone = () => `ada-${randomUUID()}@example.com`;
const next = "another fine password";

test("a business registers and invites a colleague, who accepts in another browser and sees the role's actions", async ({
  page,
  browser,
}) => {
  test.slow(); // two browsers, and every page of the way in both colours
  const [email, colleague] = [someone(), someone()];
  await page.goto("/login");
  await page.getByRole("link", { name: "Register a business" }).click();
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText("Enter a name.").first()).toBeVisible();
  await page.getByLabel("Business", { exact: true }).fill("Harbour Books");
  await page.getByLabel("Currency").selectOption("CHF");
  await page.getByLabel("Time zone").selectOption("Europe/Zurich");
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("harbourbooks1");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText("too easy to guess")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Password").fill(password);
  const registration = page.getByRole("form", { name: "Register a business" });
  const registered = await sendAfterLostRequest(page, registration, "Register", "**/api/registrations");
  await page.waitForURL((url) => url.pathname === "/");
  await expect(page.getByText("Harbour Books")).toBeVisible();
  expect(registered()).toBe(1);

  await page.getByRole("link", { name: "Team" }).click();
  await page.getByRole("button", { name: "Invite teammate" }).click();
  await page.getByLabel("E-mail").fill(colleague);
  await page.getByLabel("Support").check();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(page.getByText(`Invitation created for ${colleague}`)).toBeVisible();
  const pending = page.getByRole("region", { name: "Invitations" });
  await expect(pending).toContainText(`npm run -s invitation-link -- --email '${colleague}'`);
  await expectAccessible(page);
  await page.route("**/api/team/invitations/*", (route) => route.abort());
  await page.getByRole("button", { name: `Actions for ${colleague}` }).click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).dblclick({ delay: 30 });
  await expect(page.getByText("Something went wrong").first()).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.unrouteAll({ behavior: "wait" });
  const link = String((await renewLinks(db, colleague))[0]?.url);

  const context = await otherBrowser(browser);
  const theirs = await context.newPage();
  await theirs.goto(link);
  await expect(theirs.getByRole("heading", { name: "Join Harbour Books" })).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByLabel("Your name").fill("Grace Hopper");
  await theirs.getByLabel("Choose a password").fill(password);
  const acceptance = theirs.getByRole("form", { name: "Accept invitation" });
  const accepted = await sendAfterLostRequest(theirs, acceptance, "Accept invitation", "**/api/invitations/accept");
  await theirs.waitForURL((url) => url.pathname === "/");
  expect(accepted()).toBe(1);
  await theirs.getByRole("link", { name: "Payment links", exact: true }).click();
  await expect(theirs.getByRole("button", { name: "Create payment link" }).first()).toBeVisible();
  await expect(theirs.getByRole("link", { name: "API keys" })).toHaveCount(0);
  expect(await (await theirs.request.get("/developers/keys")).text()).toContain("Your role doesn’t allow this page.");
  await theirs.getByRole("link", { name: "Packages", exact: true }).click();
  await expect(theirs.getByRole("heading", { name: "No packages yet" })).toBeVisible();
  await expect(theirs.getByRole("button", { name: "Create package" })).toHaveCount(0);
  await theirs.getByRole("link", { name: "Team", exact: true }).click();
  await expect(theirs.getByText("Grace Hopper (you)")).toBeVisible();
  await expect(theirs.getByRole("button", { name: "Invite teammate" })).toHaveCount(0);
  await theirs.goto(link);
  await expect(theirs.getByRole("heading", { name: "This invitation is no longer valid" })).toBeVisible();

  // A colleague whose sessions were ended signs in again.
  await page.reload();
  await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByText("Signed out: Grace Hopper")).toBeVisible();
  await theirs.goto("/team");
  await theirs.waitForURL("**/login?**");
  await attempt(theirs, colleague, password);
  await expect(theirs.getByText("Grace Hopper (you)")).toBeVisible();

  // A removed colleague is out at once.
  await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("Removed: Grace Hopper")).toBeVisible();
  await theirs.goto("/team");
  await theirs.waitForURL("**/login?**");
  await context.close();
});

test("removing a colleague asks which of their keys to revoke, and takes the others over", async ({ page }) => {
  const staff = await makeStaff();
  const user = { id: newId("usr"), email: someone(), name: "Grace Hopper", password_hash: "none" };
  const membership = { business_id: staff.businessId, role: "developer" };
  await db.user.create({ data: { ...user, memberships: { create: membership } } });
  const make = async (name: string, livemode: boolean) => {
    const { id } = await createApiKey({ businessId: staff.businessId, livemode, name });
    return db.apiKey.update({ where: { id }, data: { created_by: user.id } });
  };
  const [shop, script] = [await make("Web shop", true), await make("Test script", false)];
  await openAs(page, staff, "/team");
  await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  const dialog = page.getByRole("alertdialog");
  const boxes = dialog.getByRole("checkbox");
  await expect(boxes).toHaveCount(2);
  for (const box of await boxes.all()) await expect(box).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("checkbox", { name: "Test script" }).focus();
  await page.keyboard.press("Space");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Removed: Grace Hopper")).toBeVisible();
  const stateOf = ({ id }: { id: string }) => db.apiKey.findUniqueOrThrow({ where: { id } });
  expect((await stateOf(shop)).revoked_at).not.toBeNull();
  expect(await stateOf(script)).toMatchObject({ revoked_at: null, created_by: staff.userId });
});

test("the team page has every member and every pending invitation", async ({ page }) => {
  const staff = await makeStaff();
  const { businessId: business_id } = staff;
  const people = Array.from({ length: 100 }, (_, i) => {
    const id = newId("usr");
    return { id, email: `${id}@example.com`, name: `Member ${i + 1}`, password_hash: "none" };
  });
  await db.user.createMany({ data: people });
  const later = (i: number) => new Date(Date.now() + i);
  const members = people.map(({ id: user_id }, i) => ({ business_id, user_id, role: "viewer", created_at: later(i) }));
  await db.membership.createMany({ data: members });
  const expires_at = new Date(Date.now() + 86_400_000);
  const invitations = Array.from({ length: 101 }, (_, i) => {
    const [id, accepted_at] = [newId("inv"), i > 0 ? new Date() : null];
    const email = `invited-${i}@example.com`;
    return { id, business_id, email, role: "viewer", token_hash: id, expires_at, accepted_at, created_at: later(i) };
  });
  await db.invitation.createMany({ data: invitations });
  await openAs(page, staff, "/team");
  await expect(page.getByRole("list", { name: "Members" }).getByRole("listitem")).toHaveCount(101);
  await expect(page.getByText("Member 100", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Invitations" }).getByRole("listitem")).toHaveText([/invited-0@/]);
});

test("a double click leaves the focus in the next step's first field", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/account");
  await page.getByRole("button", { name: "Turn on" }).click();
  const submit = page.getByRole("dialog").locator("button[type=submit]");
  await expect(submit).toHaveText("Continue");
  await submit.click({ trial: true }); // once its animation has ended
  // Buttons ignore clicks until their first animation ends, that of the next step as long as this test takes.
  await page.addStyleTag({ content: "form button[type=submit] { animation-play-state: paused }" });
  const press = async () => {
    const box = await submit.boundingBox();
    if (!box) throw new Error("there is no button");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  };
  await press();
  const code = page.getByLabel("Code");
  await expect(code).toBeFocused();
  await press();
  await expect(code).toBeFocused();
});

test("two-factor sign-in: turned on, used after signing out, which ends the session, and turned off", async ({
  page,
  context,
  playwright,
  baseURL,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  await slowDoubleClick(page.getByRole("button", { name: "Continue" }));
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  // The second half of the double click has not sent the form that came in its place.
  await expect(page.getByRole("button", { name: "Turn on" })).toBeEnabled();
  await expect(page.getByLabel("Code")).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Code")).toBeFocused();
  await expectAccessible(page);
  const secret = await page.locator("[data-secret]").innerText();
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  // The last step's code, because the sign-in below needs this step's. It counts until this step ends: a busy machine needs time to send it.
  const stepMs = Date.now() % 30_000;
  if (stepMs > 15_000) await page.waitForTimeout(30_000 - stepMs);
  await page.getByLabel("Code").fill(app.generate({ timestamp: Date.now() - 30_000 }));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText(/^Two-factor sign-in is on/)).toBeFocused();
  const codes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  await expectAccessible(page);

  const stolen = await playwright.request.newContext({ baseURL, storageState: await context.storageState() });
  expect((await stolen.get("/api/payment-links")).status()).toBe(200);
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
  expect((await stolen.get("/api/payment-links")).status()).toBe(401);
  expect((await stolen.get("/payment-links", { maxRedirects: 0 })).status()).toBe(307);
  expect(await db.session.count({ where: { user_id: staff.userId } })).toBe(0);
  await stolen.dispose();
  await attempt(page, staff.email, password);
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("That code is wrong or has already been used.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Code").fill(app.generate());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  await page.goto("/account");
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByLabel("Your password").fill(password);
  const end = page.getByRole("form", { name: "Turn off" });
  const ended = await sendAfterLostRequest(page, end, "Turn off", "**/api/account/two-factor/disable");
  await expect(page.getByText("Two-factor sign-in is off")).toBeVisible();
  expect(ended()).toBe(1);
});

test("an invitation of another account than the one that is signed in leads to the sign-in", async ({ page }) => {
  const [staff, colleague] = [await makeStaff(), await makeStaff()];
  const { token, hash } = newToken();
  const to = { business_id: staff.businessId, email: colleague.email, role: "support" };
  const expires_at = new Date(Date.now() + 3_600_000);
  await db.invitation.create({ data: { id: newId("inv"), ...to, token_hash: hash, expires_at } });
  await plantIn(page.context(), colleague);
  await page.goto(`/invitation/${token}`);
  await expect(page.getByLabel("Choose a password")).toHaveCount(0);
  await plantIn(page.context(), staff); // another tab signs in to another account
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await page.getByLabel("Your name").fill("Grace Hopper");
  await page.getByLabel("Choose a password").fill(next);
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await expect(page.getByText("You’ve joined. This e-mail already has an account")).toBeVisible();
  await attempt(page, colleague.email, password);
  await page.waitForURL((url) => url.pathname === "/");
  const { data } = (await (await page.request.get("/api/account")).json()) as { data: object };
  expect(data).toMatchObject({ email: colleague.email, role: "support", business_id: staff.businessId });
});

test("a forgotten password is reset through the mail, once", async ({ page }) => {
  const staff = await makeStaff();
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expectAccessible(page);
  await page.getByLabel("E-mail").fill(staff.email);
  const forgot = page.getByRole("form", { name: "Forgot password" });
  const asked = await sendAfterLostRequest(page, forgot, "Send reset link", "**/api/password-resets");
  await expect(page.getByRole("status").filter({ hasText: "we sent a reset link" })).toBeFocused();
  expect(asked()).toBe(1);
  // The mail's own address is kept nowhere: another one like it.
  const { url } = await createPasswordReset(
    db,
    (await db.user.findUniqueOrThrow({ where: { email: staff.email } })).id,
  );
  await page.goto(url);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("at least 12 characters.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("New password").fill(next);
  const reset = page.getByRole("form", { name: "Set password" });
  const set = await sendAfterLostRequest(page, reset, "Set password", "**/api/password-resets");
  await page.waitForURL((url) => url.pathname === "/");
  expect(set()).toBe(1);
  await page.goto(url);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("a new password ends the other browser's session, and signing out everywhere ends all", async ({
  page,
  browser,
}) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId);
  await openAs(page, staff);
  const context = await otherBrowser(browser);
  const other = await context.newPage();
  await openAs(other, staff);
  await page.goto("/account");
  await expect(page.getByRole("list", { name: "Sessions" }).getByRole("listitem")).toHaveCount(2);
  await page.getByLabel("Current password").fill("wrong");
  await page.getByLabel("New password").fill(next);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("The password is wrong.")).toBeVisible();
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed")).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveValue("");
  await other.getByRole("button", { name: "Paid", exact: true }).click();
  const ended = other.getByRole("alertdialog", { name: "Your session has ended" });
  await ended.getByLabel("Password").fill(next);
  await ended.getByRole("button", { name: "Sign in" }).click();
  await expect(ended).toHaveCount(0);
  await other.goto("/account");
  await other.getByRole("button", { name: "Sign out everywhere" }).click();
  await other.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await other.waitForURL("**/login");
  await page.reload();
  await page.waitForURL("**/login?**");
  await context.close();
});

test("a key is created, shown once, calls the API, and is rotated and revoked", async ({
  page,
  playwright,
  baseURL,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Create API key" }).first().click();
  await page.getByLabel("Permissions").selectOption("Custom");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Web shop");
  await page.getByLabel("Payment links").selectOption("write");
  await expect(page.getByRole("dialog").getByText("(Europe/Berlin)")).toBeVisible(); // the browser is elsewhere
  await page.getByRole("dialog").getByLabel("Expires").fill("2099-01-15");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Create API key" }).click();
  const key = await page.locator("[data-secret]").innerText();
  expect(key).toMatch(/^sk_test_/);
  const { expires_at } = await db.apiKey.findFirstOrThrow({ where: { business_id: staff.businessId } });
  expect(expires_at?.toISOString()).toBe("2099-01-15T22:59:59.000Z"); // the end of the day in the business's time zone
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  const list = page.getByRole("table", { name: "API keys" });
  await expect(list).toContainText("Write: Payment links");
  await expect(page.getByText(key)).toHaveCount(0);
  await expectAccessible(page);
  const api = await playwright.request.newContext({ baseURL });
  const get = async (path: string, bearer = key) =>
    (await api.get(`/api/${path}`, { headers: { Authorization: `Bearer ${bearer}` } })).status();
  expect([await get("payment-links"), await get("packages")]).toEqual([200, 403]);
  await page.getByRole("button", { name: "Actions for Web shop" }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  await page.getByLabel("Old key expires").selectOption("Now");
  // The first answer is lost: the second try shows the successor that there is already.
  await page.route("**/rotate", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate" }).click();
  await expect(page.getByText("could not be reached")).toBeVisible();
  await page.unroute("**/rotate");
  // The second half of the double click must not put away what the first has brought.
  await slowDoubleClick(page.getByRole("alertdialog").getByRole("button", { name: "Rotate" }));
  await page.waitForTimeout(600); // until nothing of it can come any more
  const rotated = await page.locator("[data-secret]").innerText();
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  expect([await get("payment-links"), await get("payment-links", rotated)]).toEqual([401, 200]);
  await page.getByRole("button", { name: "Actions for Web shop" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Revoked: Web shop")).toBeVisible();
  expect(await get("payment-links", rotated)).toBe(401);
  await api.dispose();
});

/** As soon as the next press has closed a dialog or menu, clicks the row behind it: pressed after 480 ms by the presses' own times. */
const clickAgainWhenClosed = (page: Page) =>
  page.evaluate(() => {
    const pressed = ({ clientX, clientY, timeStamp }: MouseEvent) => {
      const layer = document.querySelector("[role=alertdialog], [role=menu]");
      const observer = new MutationObserver(() => {
        if (layer?.isConnected) return;
        observer.disconnect();
        const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-row]");
        row?.setAttribute("data-clicked-again", "");
        const at = { bubbles: true, cancelable: true, detail: 2, clientX, clientY };
        const press = new PointerEvent("pointerdown", at);
        Object.defineProperty(press, "timeStamp", { value: timeStamp + 480 });
        for (const event of [press, new MouseEvent("mousedown", at), new MouseEvent("click", at)])
          row?.dispatchEvent(event);
      });
      observer.observe(document.body, { childList: true, subtree: true });
    };
    window.addEventListener("pointerdown", pressed, { capture: true, once: true });
  });

test("a double click that closes a dialog or menu does not open the row behind it", async ({ page }) => {
  const staff = await makeStaff();
  const tenant = { businessId: staff.businessId, livemode: false };
  for (let n = 1; n <= 14; n++) await createApiKey({ ...tenant, name: `Shop ${n}`, scopes: ["write"] });
  await page.setViewportSize({ width: 1280, height: 560 });
  await openAs(page, staff, "/developers/keys");
  await page.getByRole("button", { name: "Actions for Shop 1", exact: true }).click(); // the last row: the others are behind the dialog
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await clickAgainWhenClosed(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Revoked: Shop 1", { exact: true })).toBeVisible();
  await expect(page.locator("[data-clicked-again]")).toHaveCount(1);
  await page.waitForTimeout(600); // a panel would be there by now
  await expect(page.locator("[data-peek]")).toHaveCount(0);
  await page.reload();
  await page.getByRole("button", { name: "Actions for Shop 14", exact: true }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await clickAgainWhenClosed(page);
  const beside = await page.getByRole("link", { name: "Shop 9", exact: true }).boundingBox();
  await page.mouse.click((beside?.x ?? 0) + 5, (beside?.y ?? 0) + 5);
  await expect(page.locator("[data-clicked-again]")).toHaveCount(1);
  await page.waitForTimeout(600);
  await expect(page.locator("[data-peek]")).toHaveCount(0);
  await page.getByRole("link", { name: "Shop 2", exact: true }).click();
  await expect(page.locator("[data-peek]")).toBeVisible();
});

test("a developer cannot rotate a key with more permissions than a developer", async ({ page }) => {
  const staff = await makeStaff("developer");
  const tenant = { businessId: staff.businessId, livemode: false };
  await createApiKey({ ...tenant, name: "Shop", scopes: ["write"] });
  await createApiKey({ ...tenant, name: "Gateway", scopes: ["gateway_accounts:read"] });
  await openAs(page, staff, "/developers/keys");
  const items = page.getByRole("menuitem");
  await page.getByRole("button", { name: "Actions for Shop" }).click();
  await expect(items).toHaveText(["Rotate", "Revoke"]);
  await page.keyboard.press("Escape");
  await expect(items).toHaveCount(0);
  await page.getByRole("button", { name: "Actions for Gateway" }).click();
  await expect(items).toHaveText(["Revoke"]);
});

test("the mode: a banner in test, none in live; data, keys and reloads follow it", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "A test order" });
  await makeLink(staff.businessId, { title: "A live order", livemode: true });
  await openAs(page, staff);
  const banner = page.getByText(/^No money moves/);
  await expect(banner).toBeVisible();
  await expect(page.getByText("A test order")).toBeVisible();
  await expect(page.getByText("A live order")).toHaveCount(0);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(page.getByText("A live order")).toBeVisible();
  await expect(page.getByText("A test order")).toHaveCount(0);
  await expect(banner).toHaveCount(0);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText("A live order")).toBeVisible();
  await page.getByRole("link", { name: "API keys" }).click();
  await expect(page.getByRole("heading", { name: "No live keys yet" })).toBeVisible();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No test keys yet" })).toBeVisible();
  await expect(page).toHaveURL(/\/developers\/keys$/);
});

test("a page of the other mode's resource says so, and switches with one click at the same address", async ({
  page,
}) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { title: "A live order", livemode: true });
  await openAs(page, staff, `/payment-links/${link.id}?from=a-colleague`);
  await expect(page.getByRole("heading", { name: "This payment link does not exist" })).toBeVisible();
  await expect(page.getByText("It isn’t in the test mode of Blue Bottle Books.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Open in live mode" }).click();
  await expect(page.getByText("A live order").first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/payment-links/${link.id}\\?from=a-colleague$`));
  await expect(page.getByText(/^No money moves/)).toHaveCount(0);
  await page.goto(`/payment-links/${newId("pl")}`);
  await expect(page.getByText("It isn’t in the live mode of Blue Bottle Books.")).toBeVisible();
  await page.getByRole("button", { name: "Open in test mode" }).click();
  await expect(page.getByText("It isn’t in the test mode of Blue Bottle Books.")).toBeVisible();
  // The switch at the top leads to the list, as what it shows is of this mode.
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(page).toHaveURL(/\/payment-links$/);
  await expect(page.getByText("A live order")).toBeVisible();
});

test("a mail's link opens in its mode, asks before it switches the business, and refuses other people's businesses", async ({
  page,
}) => {
  const staff = await makeStaff();
  const name = "Second Shop, for books that nobody else has";
  const second = await db.business.create({ data: { name } });
  const stranger = await db.business.create({ data: { name: "Strangers" } });
  await db.membership.create({ data: { business_id: second.id, user_id: staff.userId, role: "owner" } });
  const live = await makeLink(staff.businessId, { title: "A live order", livemode: true });
  const theirs = await makeLink(second.id, { title: "Their order", livemode: true });
  const opened = (tenant: { businessId: number; livemode: boolean }, path: string) =>
    new URL(dashboardLink(tenant, path)).search;
  const path = `/payment-links/${live.id}`;
  // Whoever has to sign in first gets there too.
  await page.goto(`${path}${opened({ businessId: staff.businessId, livemode: true }, path)}`);
  await attempt(page, staff.email, password);
  await expect(page.getByText("A live order").first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${path}$`));

  const other = `/payment-links/${theirs.id}`;
  const search = opened({ businessId: second.id, livemode: true }, other);
  await page.goto(`${other}${search}`);
  await expect(page.getByRole("heading", { name: `This is in ${name}` })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  const session = () => db.session.findFirstOrThrow({ where: { user_id: staff.userId } });
  expect((await session()).business_id).toBe(staff.businessId); // nobody was asked yet
  await page.getByRole("button", { name: "Stay in Blue Bottle Books" }).click();
  await expect(page.getByText("It isn’t in the live mode of Blue Bottle Books.")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${other}$`));
  await expect(page.getByRole("button", { name: `Open in ${name}` })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.goto(`${other}${search}`);
  await page.getByRole("button", { name: `Switch to ${name}` }).click();
  await expect(page.getByText("Their order").first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${other}$`));
  expect((await session()).business_id).toBe(second.id);

  // Back by what the page offers that does not find it, in the mode that the address names.
  await page.goto(`${path}?mode=test`);
  await expect(page.getByText(`It isn’t in the test mode of ${name}.`)).toBeVisible();
  await page.getByRole("button", { name: "Open in Blue Bottle Books" }).click();
  await expect(page.getByText("It isn’t in the test mode of Blue Bottle Books.")).toBeVisible();
  await page.goto(`/payment-links?status=Active&mode=nonsense&business=${stranger.id}`);
  await expect(page.getByRole("heading", { name: "Payment links", exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/payment-links\?status=Active$/);
});

test("a person with several businesses switches, and an open page of the other one stops working", async ({
  page,
  context,
}) => {
  const staff = await makeStaff();
  const other = await db.business.create({ data: { name: "Second Shop" } });
  await db.membership.create({ data: { business_id: other.id, user_id: staff.userId, role: "viewer" } });
  const pkg = await makePackage(staff);
  await openAs(page, staff);
  const stale = await context.newPage();
  await stale.goto("/packages");
  await expect(stale.getByRole("main").getByText(pkg.name)).toBeVisible();
  await page.getByRole("button", { name: "Business: Blue Bottle Books" }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Second Shop" }).click();
  await expect(page.getByRole("button", { name: "Business: Second Shop" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create payment link" })).toHaveCount(0);
  await stale.getByRole("button", { name: "Active", exact: true }).click();
  await expect(stale.getByRole("button", { name: "Business: Second Shop" })).toBeVisible();
});

async function newBusiness(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Business: Blue Bottle Books" }).click();
  await page.getByRole("menuitem", { name: "New business" }).click();
  return page.getByRole("dialog", { name: "New business" });
}

test("a person creates a second business, owns it, and is switched to its test mode", async ({ page }) => {
  const staff = await makeStaff("viewer");
  await openAs(page, staff);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(page.getByText(/^No money moves/)).toHaveCount(0);
  const sheet = await newBusiness(page);
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Create business" }).click();
  await expect(sheet.getByLabel("Name")).toHaveAccessibleDescription(/Enter a name\./);
  await sheet.getByLabel("Name").fill("Harbour Books");
  await sheet.getByLabel("Currency").selectOption("CHF");
  await sheet.getByLabel("Time zone").selectOption("Europe/Zurich");
  await sheet.getByRole("button", { name: "Create business" }).dblclick();
  await expect(page.getByRole("button", { name: "Business: Harbour Books" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Your first payment" })).toBeVisible();
  await expect(page.getByText(/^No money moves/)).toBeVisible();
  await page.goto("/settings");
  await expect(page.getByLabel("Currency")).toHaveValue("CHF");
  await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Zurich");
  expect(await db.membership.count({ where: { user_id: staff.userId } })).toBe(2);
  await page.getByRole("button", { name: "Business: Harbour Books" }).click();
  await page.getByRole("menuitem", { name: "Blue Bottle Books" }).click();
  await expect(page.getByRole("button", { name: "Business: Blue Bottle Books" })).toBeVisible();
});

test("a new business whose response was lost exists once, and is shown after a retry", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  const sheet = await newBusiness(page);
  await sheet.getByLabel("Name").fill("Harbour Books");
  await page.route(/\/api\/account\/businesses$/, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    await route.abort();
    await page.unroute(/\/api\/account\/businesses$/);
  });
  await sheet.getByRole("button", { name: "Create business" }).click();
  await expect(sheet.getByRole("alert")).not.toBeEmpty();
  await sheet.getByRole("button", { name: "Create business" }).click();
  await expect(page.getByRole("button", { name: "Business: Harbour Books" })).toBeVisible();
  expect(await db.membership.count({ where: { user_id: staff.userId } })).toBe(2);
});

test("leaves a business after a confirmation; its only owner cannot, and sees why", async ({ page }) => {
  const staff = await makeStaff();
  const other = await db.business.create({ data: { name: "Second Shop" } });
  await db.membership.create({ data: { business_id: other.id, user_id: staff.userId, role: "support" } });
  await openAs(page, staff, "/account");
  const list = page.getByRole("list", { name: "Businesses" });
  const own = list.getByRole("listitem").filter({ hasText: "Blue Bottle Books" });
  await expect(own).toContainText("Owner · current");
  await expect(own).toContainText("You’re the only owner. To leave, make another member an owner first.");
  await expect(own.getByRole("button")).toHaveCount(0);
  await expect(list.getByRole("listitem").filter({ hasText: "Second Shop" })).toContainText("Support");
  await page.getByRole("button", { name: "Leave Second Shop" }).click();
  const question = page.getByRole("alertdialog", { name: "Leave Second Shop?" });
  await expect(question).toContainText("To come back, you need a new invitation.");
  await expect(question).not.toContainText("signed out");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByText("You have left Second Shop")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  expect(await db.membership.count({ where: { user_id: staff.userId } })).toBe(1);

  const partner = await makeStaff();
  const membership = { business_id: staff.businessId, user_id: partner.userId, role: "owner" };
  await db.membership.create({ data: membership });
  await page.reload();
  await page.getByRole("button", { name: "Leave Blue Bottle Books" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("This is your only business. You’ll be signed out");
  // The partner has gone meanwhile: the API has the last word.
  await db.membership.update({
    where: { business_id_user_id: { business_id: staff.businessId, user_id: partner.userId } },
    data: { role: "viewer" },
  });
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByText("A business needs an owner. Make another member an owner first.")).toBeVisible();
  await expect(own).toContainText("You’re the only owner");
  await db.membership.update({
    where: { business_id_user_id: { business_id: staff.businessId, user_id: partner.userId } },
    data: { role: "owner" },
  });
  await page.reload();
  await page.getByRole("button", { name: "Leave Blue Bottle Books" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await db.membership.count({ where: { user_id: staff.userId } })).toBe(0);
});
