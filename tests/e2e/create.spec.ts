import { expect, type Locator, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import type { EmailSummary } from "@/lib/resources/emails/contract";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { countInput } from "@/tests/support/counted";
import { makePackage } from "@/tests/support/form-rows";
import { gate } from "@/tests/support/gate";
import { makeLink, makeStaff, openAs, plantIn, test } from "@/tests/support/staff";

const createButton = (page: Page) => page.getByRole("button", { name: "Create payment link" }).first();
const sheetOf = (page: Page) => page.getByRole("dialog", { name: "Create payment link" });
const submit = (sheet: Locator) => sheet.getByRole("button", { name: "Create payment link" });
const ready = (sheet: Locator) => sheet.getByRole("heading", { name: "Payment link ready" });

async function fillLink(sheet: Locator, title: string): Promise<void> {
  await sheet.getByLabel("Amount").fill("25");
  await sheet.getByLabel("Title").fill(title);
  await sheet.getByLabel("Payer’s e-mail").fill("anna@example.com");
}

test("creates and sends a link in at most four clicks", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  const counted = await countInput(page);
  await createButton(page).click();
  const sheet = sheetOf(page);
  await expect(sheet.getByLabel("Amount")).toBeFocused();
  await page.keyboard.type("1.234,50");
  await sheet.getByLabel("Title").click();
  await page.keyboard.type("Grinder repair");
  await sheet.getByLabel("Payer’s e-mail").click();
  await page.keyboard.type("anna@example.com");
  await submit(sheet).click();
  await expect(ready(sheet)).toBeFocused();
  await expect(sheet.getByText("Not sent to anna@example.com: test mode sends no e-mail.")).toBeVisible();
  expect((await counted()).clicks).toBeLessThanOrEqual(4);
  const [link] = await db.paymentLink.findMany({ where: { business_id: staff.businessId } });
  expect(link).toMatchObject({ amount_cents: 123_450, currency: "EUR", title: "Grinder repair" });
  const [mail] = await db.email.findMany({ where: { payment_link_id: link?.id } });
  expect(mail).toMatchObject({ template: "payment_link", to: "anna@example.com" });
  await expectAccessibleAtBothWidths(page);
  await sheet.getByRole("link", { name: "View e-mail" }).click();
  await expect(page).toHaveURL(new RegExp(`/emails/${mail?.id}$`));
});

test("puts all that is typed before the form has loaded into its first field, or nothing", async ({ page }) => {
  test.slow(); // many pages
  const staff = await makeStaff();
  await page.addInitScript("window.requestIdleCallback = () => 0"); // nothing is loaded ahead
  await plantIn(page.context(), staff);
  const amount = sheetOf(page).getByLabel("Amount");
  const holdScripts = async () => {
    const { opened: allowed, open } = gate();
    await page.route("**/_next/static/**", (route) => allowed.then(() => route.continue()));
    return open;
  };
  const byKey = () => page.keyboard.press("c");
  const byMouse = () => createButton(page).click();
  for (const [path, open] of [
    ["/payment-links", byKey],
    ["/payment-links", byMouse],
    ["/payments", byKey],
    ["/", byKey],
  ] as const) {
    await page.goto(path);
    const load = await holdScripts();
    await open();
    await page.keyboard.type("12507");
    await page.keyboard.press("Backspace");
    await expect(amount).toHaveCount(0);
    load();
    await expect(amount).toBeFocused();
    await expect(amount).toHaveValue("1250");
    await page.keyboard.type(".50");
    await expect(amount).toHaveValue("1250.50");
    await page.unrouteAll({ behavior: "wait" });
    await amount.fill(""); // leaving asks about unsaved changes
  }

  // The form knows it, too.
  await page.goto("/payment-links");
  await page.keyboard.press("c");
  await page.keyboard.type("1250");
  await expect(amount).toHaveValue("1250");
  await sheetOf(page).getByLabel("Title").fill("Course");
  await sheetOf(page).getByLabel("Payer’s e-mail").fill("anna@example.com");
  await submit(sheetOf(page)).click();
  await expect(ready(sheetOf(page))).toBeVisible();
  const [link] = await db.paymentLink.findMany({ where: { business_id: staff.businessId } });
  expect(link?.amount_cents).toBe(125_000);

  // Escape cancels the form, with what was typed.
  await page.goto("/payment-links");
  const load = await holdScripts();
  await page.keyboard.press("c");
  await page.keyboard.type("12");
  await expect(page.locator("p[role=status]", { hasText: "Loading…" })).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/payment-links$/);
  load();
  await page.unrouteAll({ behavior: "wait" });
  await expect(sheetOf(page)).toHaveCount(0);
  await page.keyboard.press("c");
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue("");

  // A key that cannot be kept drops all of it. The keys that follow are not the page's: "g p" opens no page.
  for (const key of ["Tab", "Enter", "Control+v", "ArrowLeft"]) {
    await page.goto("/payment-links");
    const load = await holdScripts();
    await page.keyboard.press("c");
    await page.keyboard.type("12");
    await page.keyboard.press(key);
    await page.keyboard.type("gp");
    load();
    await expect(amount, key).toBeFocused();
    await expect(amount).toHaveValue("");
    await page.unrouteAll({ behavior: "wait" });
  }

  // The search replaces a form that has not opened yet, in the list and on another page.
  for (const path of ["/payment-links", "/payments"]) {
    await page.goto(path);
    const load = await holdScripts();
    await page.keyboard.press("c");
    await page.keyboard.type("12");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("anna");
    load();
    await expect(page.getByRole("combobox", { name: "Search or create" })).toHaveValue("anna");
    await expect(page).toHaveURL(/\/payment-links$/);
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await page.unrouteAll({ behavior: "wait" });
  }

  // A list of choices takes none of it: the letters that follow would choose something else.
  for (const _ of ["neither of two is preselected", "so there are two"]) await makePackage(staff);
  await page.goto("/subscriptions");
  const loadSubscription = await holdScripts();
  await page.keyboard.press("c");
  await page.keyboard.type("read");
  loadSubscription();
  const choice = page.getByRole("dialog").getByLabel("Package");
  await expect(choice).toBeFocused();
  await expect(choice).toHaveValue("");
  await page.unrouteAll({ behavior: "wait" });
});

test("needs no mouse: Enter opens the form, sends nothing at once, and creates the link", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await createButton(page).focus();
  await page.keyboard.down("Enter");
  const sheet = sheetOf(page);
  await expect(sheet).toBeVisible();
  await page.keyboard.down("Enter"); // held; perhaps before the form has loaded: it must not press the close button
  await expect(sheet.getByLabel("Amount")).toBeFocused();
  await page.evaluate(() => document.addEventListener("submit", () => document.body.setAttribute("data-sent", "")));
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect(await page.locator("body").getAttribute("data-sent")).toBeNull();
  await page.keyboard.press("Enter");
  await expect(sheet.getByLabel("Amount")).toHaveAccessibleDescription("Enter an amount.");
  await page.keyboard.type("25");
  await page.keyboard.press("Tab");
  await expect(sheet.getByLabel("Currency")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Course");
  await page.keyboard.press("Tab");
  await page.keyboard.type("anna@example.com");
  await page.keyboard.press("Tab");
  await expect(sheet.getByRole("checkbox", { name: "Send by e-mail to anna@example.com" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(ready(sheet)).toBeVisible();
  expect(await db.paymentLink.count({ where: { business_id: staff.businessId } })).toBe(1);
});

test("the button works before the page’s scripts have loaded", async ({ page }) => {
  await plantIn(page.context(), await makeStaff());
  const { opened: allowed, open: load } = gate();
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await allowed;
    await route.continue();
  });
  await page.goto("/payment-links", { waitUntil: "commit" });
  await createButton(page).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/payment-links\?create=1$/);
  load();
  await expect(sheetOf(page).getByLabel("Amount")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/payment-links$/);
});

test("counts the title’s characters, shows errors at their fields, and rare fields under More options", async ({
  page,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await createButton(page).click();
  const sheet = sheetOf(page);
  const title = sheet.getByLabel("Title");
  await expect(sheet.getByText("0/50")).toBeVisible();
  await title.fill("Größe 𝒜");
  await expect(sheet.getByText("7/50")).toBeVisible();
  await title.fill("x".repeat(45));
  await expect(sheet.getByRole("status").filter({ hasText: "5 characters left" })).toBeAttached();
  await title.fill("x".repeat(52));
  await expect(sheet.getByRole("status").filter({ hasText: "2 characters too many" })).toBeAttached();

  // What was not entered yet has no error.
  await sheet.getByLabel("Payer’s e-mail").focus();
  await expect(sheet.getByText("The title must not be greater than 50 characters.")).toBeVisible();
  await expect(sheet.getByText("Enter an amount.")).toHaveCount(0);
  await sheet.getByLabel("Amount").fill("4.99");
  await submit(sheet).click();
  await expect(sheet.getByLabel("Amount")).toHaveAccessibleDescription("The amount must be at least 5.00.");
  await expect(sheet.getByLabel("Amount")).toBeFocused();
  await expect(title).toHaveAccessibleDescription("The title must not be greater than 50 characters.");
  await expect(sheet.getByLabel("Payer’s e-mail")).toHaveAccessibleDescription(
    "Enter an e-mail address, such as anna@example.com.",
  );

  const currency = sheet.getByLabel("Currency");
  const offered = await currency.locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value")));
  expect(offered.slice(0, 3)).toEqual(["EUR", "USD", "GBP"]);
  for (const code of ["XTS", "XXX", "XAU", "XDR", "XSU", "XUA", "XBA", "CLF", "CHE", "USN"])
    expect(offered).not.toContain(code);

  const more = sheet.getByRole("button", { name: /^More options/ });
  await expect(more).toHaveAttribute("aria-expanded", "false");
  await expect(sheet.getByLabel("Expires")).toBeHidden();
  await fillLink(sheet, "Course");
  await more.click();
  await sheet.getByLabel("Redirect after payment").fill("shop");
  await sheet.getByLabel("Redirect after payment").blur();
  await expect(sheet.getByLabel("Redirect after payment")).toHaveAccessibleDescription(/^Enter an https address/);
  await sheet.getByLabel("Redirect after payment").fill("");
  await sheet.getByLabel("Included tax").fill("900");
  await sheet.getByLabel("Included tax").blur();
  await expect(sheet.getByLabel("Included tax")).toHaveAccessibleDescription(/Enter a percentage from 0 to 100/);
  await sheet.getByLabel("Included tax").fill("");
  await sheet.getByLabel("Expires").fill("2020-01-31T12:00");
  await more.click();
  await expect(sheet.getByLabel("Expires")).toBeHidden();
  await submit(sheet).click();
  // A date that is past is a date all the same: the server alone, which has the time, refuses it.
  await expect(sheet.getByLabel("Expires")).toHaveAccessibleDescription("Choose a time in the future.");
  await expect(sheet.getByLabel("Expires")).toBeFocused();
  expect(await db.paymentLink.count({ where: { business_id: staff.businessId } })).toBe(0);
  await expectAccessibleAtBothWidths(page);
});

test("remembers whether links are sent, sends one later, and creates another like it for a known customer", async ({
  page,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await createButton(page).click();
  const sheet = sheetOf(page);
  await fillLink(sheet, "Course");
  await sheet.getByLabel("Description").fill("Two mornings");
  await sheet.getByRole("button", { name: /^More options/ }).click();
  await sheet.getByRole("textbox", { name: "Reference optional", exact: true }).fill("REP-7");
  const sends = sheet.getByRole("checkbox", { name: /^Send by e-mail/ });
  await expect(sends).toBeChecked();
  await sends.uncheck();
  await submit(sheet).click();
  await expect(sheet.getByText("Not sent by e-mail. Send it now, or copy the link.")).toBeVisible();
  expect(await db.email.count({ where: { business_id: staff.businessId } })).toBe(0);
  await expect(sheet.getByRole("img", { name: "QR code for Course" })).toBeVisible();
  await expect(sheet.getByRole("link", { name: /^Open/ })).toHaveAttribute("href", /\/pay\?id=pl_/);
  await sheet.getByRole("button", { name: "Send by e-mail" }).dblclick({ delay: 60 });
  await expect(sheet.getByText("Not sent to anna@example.com: test mode sends no e-mail.")).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Send by e-mail" })).toBeEnabled();
  expect(await db.email.count({ where: { business_id: staff.businessId } })).toBe(1);

  await sheet.getByRole("button", { name: "Create another like it" }).click();
  await expect(sheet.getByLabel("Amount")).toBeFocused();
  await expect(sheet.getByLabel("Amount")).toHaveValue("25.00");
  await expect(sheet.getByLabel("Title")).toHaveValue("Course");
  await expect(sheet.getByLabel("Description")).toHaveValue("Two mornings");
  await expect(sheet.getByRole("textbox", { name: "Reference optional", exact: true })).toHaveValue("REP-7");
  await expect(sends).not.toBeChecked();

  await makeLink(staff.businessId, { email: "ben@example.com", title: "Order 1" });
  await db.customer.updateMany({
    where: { business_id: staff.businessId, email: "ben@example.com" },
    data: { name: "Ben Okafor" },
  });
  const searches: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/customers") searches.push(searchParams.get("q"));
  });
  const payer = sheet.getByLabel("Payer’s e-mail");
  await payer.fill("okafor");
  const offered = page.locator("datalist option");
  await expect(offered).toHaveAttribute("value", "ben@example.com");
  await expect(offered).toHaveAttribute("label", "Ben Okafor · ben@example.com");
  await expectNoViolations(page);
  await payer.fill("ben@example.com");
  await expect(offered).toHaveCount(0); // after the pause
  expect(searches).toEqual(["okafor"]);
  await submit(sheet).click();
  await expect(ready(sheet)).toBeVisible();
  const links = await db.paymentLink.findMany({
    where: { business_id: staff.businessId, title: "Course" },
    orderBy: { id: "asc" },
  });
  expect(links.map(({ email, title, reference }) => [email, title, reference])).toEqual([
    ["anna@example.com", "Course", "REP-7"],
    ["ben@example.com", "Course", "REP-7"],
  ]);
  await sheet.getByRole("button", { name: "Done" }).click();
  await page.reload();
  await createButton(page).click();
  await expect(sheet.getByRole("checkbox", { name: "Send by e-mail" })).not.toBeChecked();
});

test("shows an included tax and the payer’s language in the preview, and keeps both for another link", async ({
  page,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await createButton(page).click();
  const sheet = sheetOf(page);
  await fillLink(sheet, "Kurs");
  const preview = page.frameLocator('iframe[title="Preview of the pay page"]');
  await expect(preview.getByText("Pay by card")).toBeAttached();
  const tax = sheet.getByLabel("Included tax (%)");
  await expect(tax).toBeHidden();
  await sheet.getByRole("button", { name: /^More options/ }).click();
  await expect(tax).toHaveAccessibleDescription(/The amount includes this tax/);
  await tax.fill("7,725");
  await submit(sheet).click();
  await expect(tax).toHaveAccessibleDescription(/^Enter a percentage from 0 to 100/);
  await expect(tax).toBeFocused();
  await tax.fill("7,7");
  await expect(preview.getByText("Includes 7.7% tax: €1.79")).toBeVisible();

  const language = sheet.getByLabel("Payer’s language");
  await expect(language.locator("option")).toHaveText([
    ...["Payer’s browser language", "English", "German", "French", "Spanish"],
  ]);
  await expect(language).toHaveValue("");
  await language.selectOption("German");
  await expect(preview.getByText("Mit Karte zahlen")).toBeAttached();
  await expect(preview.locator(".amount")).toHaveText("25,00\u00a0€");
  await submit(sheet).click();
  await expect(ready(sheet)).toBeVisible();
  await sheet.getByRole("button", { name: "Create another like it" }).click();
  await expect(language).toHaveValue("de");
  await expect(tax).toHaveValue("7.7");
  await expectAccessibleAtBothWidths(page);
  await language.selectOption("Payer’s browser language");
  await tax.fill("8.25");
  await submit(sheet).click();
  await expect(ready(sheet)).toBeVisible();
  const links = await db.paymentLink.findMany({ where: { business_id: staff.businessId }, orderBy: { id: "asc" } });
  expect(links.map(({ language, tax_basis_points, tax_cents }) => [language, tax_basis_points, tax_cents])).toEqual([
    ["de", 770, 179],
    [null, 825, 191],
  ]);
  await page.goto(`/payment-links/${links[0]?.id}`);
  await expect(page.getByText("€1.79 (7.7%)")).toBeVisible();
  const details = page.locator("dl").filter({ hasText: "Payer’s language" });
  await expect(details).toContainText("German");
  await page.keyboard.press("e");
  await expect(page.getByRole("dialog").getByLabel("Payer’s language")).toHaveValue("de");
});

test("follows the e-mail until it is sent, and says why it was not", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  /** How the mail goes on, one look after the other. Only a worker with a mail server changes it otherwise. */
  const goes: Partial<EmailSummary>[] = [];
  await page.route(/\/api\/emails\?.*payment_link_id=/, async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    const now = goes.length > 1 ? goes.shift() : goes[0];
    await route.fulfill({
      response: reply,
      json: { ...body, data: body.data.map((mail: EmailSummary) => ({ ...mail, ...now })) },
    });
  });
  const sheet = sheetOf(page);
  const outcomes: [Partial<EmailSummary>, string][] = [
    [{ status: "sent", livemode: true }, "Sent to anna@example.com."],
    [{ status: "outbox", livemode: true }, "Not sent to anna@example.com: no mail server is set up."],
    [{ status: "failed", last_error: "550 No such user" }, "Couldn’t send to anna@example.com: 550 No such user"],
    [{ status: "dropped", drop_reason: "over_limit" }, "Not sent: the limit of e-mails was reached for three days."],
  ];
  await createButton(page).click();
  for (const [outcome, words] of outcomes) {
    goes.splice(0, goes.length, { status: "queued" }, { status: "queued" }, outcome);
    await fillLink(sheet, "Course");
    await submit(sheet).click();
    await expect(sheet.getByText("Sending to anna@example.com…")).toBeVisible();
    await expect(sheet.getByRole("status").filter({ hasText: words })).toBeVisible();
    await sheet.getByRole("button", { name: "Create another like it" }).click();
  }
});
