import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page, type Request, type Route } from "@playwright/test";
import { db } from "@/lib/core/db";
import { elsewhere, type FormCase, formCases, type Row } from "@/tests/support/form-cases";
import { valuesOf } from "@/tests/support/form-values";
import { png } from "@/tests/support/images";
import { makeLink, makeStaff, openAs, password, plantIn, type Staff, test } from "@/tests/support/staff";

const root = join(import.meta.dirname, "../..");
const sources = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => `${folder}/${path}`);

test("every form is in the list of cases", () => {
  const forms = [...sources("components"), ...sources("app")].filter((path) =>
    /\buse(Sheet|Settings)?Form(<[^(]*>)?\(/.test(readFileSync(join(root, path), "utf8")),
  );
  expect(forms.length).toBeGreaterThan(20);
  const tabled = [...formCases.map(({ file }) => `components/${file}`), ...Object.keys(elsewhere)];
  expect([...new Set(tabled)].sort()).toEqual(forms.sort());
});

async function press(page: Page, form: Locator, { button, confirm }: FormCase, twice = false): Promise<void> {
  const send = form.getByRole("button", { name: button, exact: true });
  const last = confirm ? page.getByRole("alertdialog").getByRole("button", { name: confirm }) : send;
  if (confirm) await send.click();
  if (twice)
    await last.dblclick({ delay: 60 }); // its second half comes after the answer to the first
  else await last.click();
}

/** Asks the API as the page's person. */
const asker =
  (page: Page) =>
  async (path: string): Promise<Row> => {
    const reply = await page.request.get(`/api${path}`);
    expect(reply.status(), path).toBe(200);
    return (await reply.json()).data;
  };

const asked = (page: Page) => page.getByRole("alertdialog", { name: "Your session has ended" });

async function signInAgain(page: Page): Promise<void> {
  await asked(page).getByLabel("Password").fill(password);
  await asked(page).getByRole("button", { name: "Sign in" }).click();
  await expect(asked(page)).toHaveCount(0);
}

/** Counts the page's calls of the API, and its requests for the page's new data, that have no answer yet. */
function underway(page: Page): () => number {
  const open = new Set<Request>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith("/api/") || searchParams.has("_rsc")) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return () => open.size;
}

const endSessions = (staff: Staff) => db.session.deleteMany({ where: { user_id: staff.userId } });

async function expectOneEffect(page: Page, staff: Staff, one: FormCase, unanswered: () => number): Promise<void> {
  const { method = "POST", path } = one;
  const form = await one.open(page, staff);
  await one.fill(form, staff);
  const typed = await valuesOf(form);
  const isSend = (url: string, how: string) => how === method && path.test(new URL(url).pathname);

  const instead = (fault: (route: Route) => Promise<void>) =>
    page.route(
      ({ pathname }) => pathname.startsWith("/api/") && path.test(pathname),
      (route) => (isSend(route.request().url(), route.request().method()) ? fault(route) : route.continue()),
    );
  // A proxy that answers with a page of its own.
  await instead((route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }));
  await press(page, form, one);
  await expect(form.getByRole("alert").first()).toContainText("couldn’t do this right now. Try again.");
  expect(await valuesOf(form)).toEqual(typed);
  await page.unrouteAll({ behavior: "wait" });

  // What is made is made although its answer is lost; a change is lost on the way there.
  await instead(async (route) => {
    if (method === "POST" && !one.absolute) await route.fetch();
    await route.abort();
  });
  await press(page, form, one);
  await expect(form.getByRole("alert").first()).toContainText(
    "could not be reached. Check the connection and try again.",
  );
  expect(await valuesOf(form)).toEqual(typed);
  await page.unrouteAll({ behavior: "wait" });

  // The form is to find it out, not a list that looks again by itself or is doing so.
  await page.route("**/api/**", (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  await expect.poll(unanswered).toBe(0);
  await endSessions(staff);
  await press(page, form, one);
  await expect(asked(page)).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });
  await signInAgain(page);
  expect(await valuesOf(form)).toEqual(typed);
  await expect(form.getByRole("alert").first()).toContainText("Sign in and try again.");

  let sent = 0;
  page.on("request", (request) => {
    if (isSend(request.url(), request.method())) sent++;
  });
  const answered = page.waitForResponse((reply) => isSend(reply.url(), reply.request().method()));
  await press(page, form, one, true);
  expect((await answered).status()).toBe(200);
  await expect.poll(() => one.readEffect(asker(page), staff)).toEqual(one.expectedEffect);
  expect(sent).toBe(1);
}

/** All sections of the settings are on one page, which one test opens once. */
const isSetting = ({ file }: FormCase) => file.startsWith("settings/");
const groups: [name: string, cases: FormCase[]][] = [
  ["settings", formCases.filter(isSetting)],
  ...formCases
    .filter((one) => !isSetting(one))
    .map((one): [string, FormCase[]] => [`${one.file} (${one.name})`, [one]]),
];
for (const [group, cases] of groups)
  test(`${group}: input survives a lost network and session, and has one effect`, async ({ page }) => {
    test.slow();
    const staff = await makeStaff();
    const unanswered = underway(page);
    await plantIn(page.context(), staff);
    for (const one of cases)
      await test.step(one.name, async () => {
        await expectOneEffect(page, staff, one, unanswered);
      });
  });

test.describe("unsaved changes are not lost by accident", () => {
  const question = (page: Page) => page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
  const sheet = (page: Page) => page.getByRole("dialog", { name: "Create package" });
  const typeName = async (page: Page, name: string) => {
    await page.getByRole("button", { name: "Create package" }).first().click();
    await sheet(page).getByLabel("Name").click();
    await sheet(page).getByLabel("Name").fill(name);
  };

  test("Escape, the close button and Back ask; keeping stays, discarding leaves", async ({ page }) => {
    const staff = await makeStaff();
    await openAs(page, staff, "/account");
    await page.getByRole("link", { name: "Packages" }).click();
    await page.getByRole("button", { name: "Create package" }).first().click();
    await expect(sheet(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(sheet(page)).toHaveCount(0); // nothing typed: nothing asked
    await typeName(page, "Reading club");
    await page.keyboard.press("Escape");
    await expect(question(page)).toBeVisible();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/discard.png` });
    await page.keyboard.press("Escape");
    await expect(question(page)).toHaveCount(0);
    await expect(sheet(page).getByLabel("Name")).toHaveValue("Reading club");
    const close = await sheet(page).getByRole("button", { name: "Close" }).boundingBox();
    await page.mouse.click((close?.x ?? 0) + 4, (close?.y ?? 0) + 4);
    await expect(question(page)).toBeVisible();
    // Below the question the sheet is out of reach.
    await page.mouse.click((close?.x ?? 0) + 4, (close?.y ?? 0) + 4);
    await expect(question(page).getByRole("button", { name: "Keep editing" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(question(page).getByRole("button", { name: "Discard" })).toBeFocused();
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    await expect(sheet(page).getByLabel("Name")).toHaveValue("Reading club");
    await page.evaluate(() => history.back());
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    await expect(page).toHaveURL(/\/packages$/);
    await expect(sheet(page).getByLabel("Name")).toHaveValue("Reading club");
    await page.evaluate(() => history.back());
    await question(page).getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL(/\/account$/);
    await page.getByRole("link", { name: "Packages" }).click();
    await typeName(page, "Another club");
    await page.keyboard.press("Escape");
    await question(page).getByRole("button", { name: "Discard" }).click();
    await expect(sheet(page)).toHaveCount(0);
  });

  test("a link away from a form asks, and a reload shows the browser's own question", async ({ page }) => {
    const staff = await makeStaff();
    await openAs(page, staff, "/settings");
    const form = page.getByRole("form", { name: "Profile" });
    await form.getByLabel("Name").click();
    await form.getByLabel("Name").fill("Harbour Books");
    await page.getByRole("link", { name: "Packages" }).click();
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    await expect(form.getByLabel("Name")).toHaveValue("Harbour Books");
    const warned = page.waitForEvent("dialog");
    void page.evaluate(() => location.reload()).catch(() => undefined);
    const dialog = await warned;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await form.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
    let again = 0;
    page.on("dialog", (one) => {
      again++;
      void one.accept();
    });
    await page.reload();
    await form.getByLabel("Name").fill("Yet another");
    await page.getByRole("link", { name: "Packages" }).click();
    await question(page).getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL(/\/packages$/);
    expect(again).toBe(0);
  });
});

// money.spec.ts does this with a payment link, and the test of a new logo with the settings.
test.describe("two people edit the same: the second is informed and keeps the input", () => {
  const changed = {
    "packages/package-form.tsx": (id: number) =>
      db.package.updateMany({ where: { business_id: id }, data: { name: "Somebody else’s" } }),
    "subscriptions/change-contact.tsx": (id: number) =>
      db.subscription.updateMany({ where: { business_id: id }, data: { email: "somebody@else.example" } }),
    "webhook-endpoints/endpoint-form.tsx": (id: number) =>
      db.webhookEndpoint.updateMany({ where: { business_id: id }, data: { description: "Somebody else’s" } }),
  };
  for (const [file, change] of Object.entries(changed))
    test(file, async ({ page }) => {
      const one = formCases.find((each) => each.file === file && each.method === "PUT");
      if (!one) throw new Error(`${file} edits nothing`);
      const staff = await makeStaff();
      await plantIn(page.context(), staff);
      const form = await one.open(page, staff);
      await one.fill(form, staff);
      const typed = await valuesOf(form);
      await change(staff.businessId);
      await press(page, form, one);
      await expect(form.getByRole("alert").first()).toContainText("Someone else changed the same meanwhile.");
      expect(await valuesOf(form)).toEqual(typed);
      expect(await one.readEffect(asker(page), staff)).not.toEqual(one.expectedEffect);
    });
});

test("what is typed while a form is being saved is not lost with it: its fields are read-only until then", async ({
  page,
}) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { email: "ada@example.com" });
  await plantIn(page.context(), staff);

  async function expectKept(form: Locator, field: Locator, saving: string, keys: string): Promise<void> {
    const held: Route[] = [];
    await page.route(saving, (route) =>
      route.request().method() === "PUT" ? void held.push(route) : route.continue(),
    );
    await field.fill("Ada");
    await field.press(keys);
    await expect.poll(() => held.length).toBe(1);
    await field.pressSequentially(" Lovelace");
    await expect(field).toHaveValue("Ada");
    await held[0]?.abort();
    await expect(form.getByRole("alert").first()).toContainText("could not be reached");
    await expect(field).toBeFocused();
    await field.pressSequentially(" Lovelace");
    await expect(field).toHaveValue("Ada Lovelace");
    await page.unrouteAll({ behavior: "wait" });
  }

  await page.goto(`/payment-links/${link.id}`);
  const panel = page.getByRole("region", { name: "Notes", exact: true });
  await panel.getByRole("button", { name: "Add notes" }).click();
  const notes = panel.getByRole("textbox", { name: "Notes" });
  await expectKept(panel, notes, "**/api/payment-links/*/annotations", "Control+Enter");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("button", { name: "Edit notes" })).toBeFocused();

  await page.goto("/customers/ada%40example.com");
  await page.getByRole("button", { name: "Add name" }).click();
  const sheet = page.getByRole("form", { name: "Edit name" });
  await expectKept(sheet, sheet.getByLabel("Name"), "**/api/customers/*", "Enter");
});

test("settings: a new logo does not overwrite another person's changes", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/settings");
  const branding = page.getByRole("region", { name: "Branding", exact: true });
  await expect(branding.getByRole("button", { name: "Upload logo" })).toBeVisible();
  await db.business.update({ where: { id: staff.businessId }, data: { name: "Renamed by a colleague" } });
  await branding.getByLabel("Logo file").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: png() });
  await branding.getByRole("button", { name: "Save logo" }).click();
  await expect(branding.getByText("This has changed since you loaded it.")).toBeVisible();
  const profile = page.getByRole("form", { name: "Profile" });
  await profile.getByLabel("Support e-mail").fill("help@example.com");
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(profile.getByRole("alert")).toContainText("This has changed since you loaded it.");
  await expect(profile.getByLabel("Support e-mail")).toHaveValue("help@example.com");
  const { name, support_email } = await db.business.findUniqueOrThrow({ where: { id: staff.businessId } });
  expect({ name, support_email }).toEqual({ name: "Renamed by a colleague", support_email: null });
});

test("settings: own saves, also of other sections and the test clock, cause no conflict", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/settings");
  for (const [name, label, value] of [
    ["Profile", "Name", "Harbour Books"],
    ["E-mails to payers", "Days’ notice before renewal", "5"],
    ["Profile", "Name", "Harbour Books and Maps"],
  ] as const) {
    const form = page.getByRole("form", { name });
    await form.getByLabel(label, { exact: true }).fill(value);
    await db.business.update({
      where: { id: staff.businessId },
      data: { test_clock_ahead: BigInt(value.length * 1000) },
    });
    const reply = page.waitForResponse((one) => one.request().method() === "PUT");
    await form.getByRole("button", { name: "Save" }).click();
    expect((await reply).status()).toBe(200);
  }
});

test("errors that only the server finds are shown at their fields", async ({ page }) => {
  const staff = await makeStaff();
  await plantIn(page.context(), staff);
  const subscription = formCases.find(({ file }) => file === "subscriptions/subscription-form.tsx");
  if (!subscription) throw new Error("no such form");
  const form = await subscription.open(page, staff);
  await subscription.fill(form, staff);
  await db.package.updateMany({ where: { business_id: staff.businessId }, data: { status: "cancel" } });
  await press(page, form, subscription);
  await expect(form.getByLabel("Package")).toHaveAccessibleDescription("The selected package is invalid.");
  await expect(form.getByLabel("Package")).toBeFocused();
  await expect(form.getByLabel("Customer’s e-mail")).toHaveValue("reader@example.com");
});
