import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { saveCardAt } from "@/tests/support/checkout";
import { makePeriod, makeSubscription } from "@/tests/support/form-rows";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeAttempt, makePaidLink, makePastPayment } from "@/tests/support/money-rows";
import { makeTokenization } from "@/tests/support/package-rows";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, plantIn, type Staff, test } from "@/tests/support/staff";

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("rowheader") });
const question = (page: Page) => page.getByRole("alertdialog");

test("refunds parts from the payment's page, at most what is left, once for a double click, and sends the receipt", async ({
  page,
}) => {
  const staff = await makeStaff();
  const link = await makePaidLink(staff, { title: "Espresso beans", email: "ada@example.com" });
  await openAs(page, staff, "/payments");
  await expect(rows(page)).toHaveText([
    /Espresso beans.*ada@example.com.*€10.50.*Succeeded.*Visa ending in 4242 12\/40/,
  ]);
  await openPageOf(page.getByRole("link", { name: "Espresso beans" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("€10.50");
  await expect(page.getByText("No refunds.")).toBeVisible();
  await page.getByRole("button", { name: "Refund" }).click();
  const sheet = page.getByRole("dialog", { name: "Refund" });
  const amount = sheet.getByLabel("Amount in EUR");
  await expect(amount).toHaveValue("10.50");
  await expect(amount).toBeFocused();
  await expect(amount).toHaveAccessibleDescription("Up to €10.50. Enter less for a partial refund.");
  await page.keyboard.type("12.25");
  await expect(amount).toHaveValue("12.25");
  for (const typed of ["ten", "1,050"]) {
    await sheet.getByLabel("Amount in EUR").fill(typed);
    await sheet.getByRole("button", { name: "Refund" }).click();
    await expect(sheet.getByLabel("Amount in EUR")).toHaveAttribute("aria-invalid", "true");
    await expect(question(page)).toHaveCount(0);
  }
  await sheet.getByLabel("Amount in EUR").fill("10.51");
  await sheet.getByLabel("Reason").fill("One bag was torn");
  await sheet.getByRole("button", { name: "Refund" }).click();
  await expect(amount).toHaveAccessibleDescription("You can refund up to €10.50.");
  await expect(amount).toBeFocused();
  await expect(question(page)).toHaveCount(0);
  await sheet.getByLabel("Amount in EUR").fill("2,50");
  await sheet.getByRole("button", { name: "Refund" }).click();
  await expect(question(page)).toContainText(
    "€2.50 of €10.50 for “Espresso beans” is refunded to ada@example.com on Visa ending in 4242.",
  );
  await expect(question(page).locator("bdi")).toHaveText("Espresso beans");
  await question(page).getByRole("button", { name: "Go back" }).click();
  expect(await db.refund.count({ where: { payment_link_id: link.id } })).toBe(0);
  // The response is lost, and the form opened anew on a page that does not know of the refund: it makes no second one.
  await page.route("**/api/**", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort();
  });
  await sheet.getByRole("button", { name: "Refund" }).click();
  await question(page).getByRole("button", { name: "Refund" }).click();
  await expect(sheet.getByRole("alert")).toContainText("could not be reached");
  await page.keyboard.press("Escape");
  await question(page).getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(amount).toHaveValue("10.50");
  await amount.fill("2.50");
  await sheet.getByLabel("Reason").fill("One bag was torn");
  await page.unrouteAll({ behavior: "wait" });
  await sheet.getByRole("button", { name: "Refund" }).click();
  await question(page).getByRole("button", { name: "Refund" }).dblclick();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: "One bag was torn" })).toContainText("Refunded");
  await expect(page.getByRole("listitem").filter({ hasText: "One bag was torn" })).toContainText("€2.50");
  await expect(page.getByText("Payment received. €2.50 of it has been refunded.")).toBeVisible();
  await expect(page.getByText("Partly refunded", { exact: true })).toBeVisible();
  expect(await db.refund.findMany({ where: { payment_link_id: link.id } })).toMatchObject([
    { amount_cents: 250, status: "succeeded", reason: "One bag was torn" },
  ]);

  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await expect(amount).toHaveValue("8.00");
  await expect(amount).toHaveAccessibleDescription("Up to the remaining €8.00. Enter less for a partial refund.");
  await amount.fill("8.01");
  await amount.press("Enter");
  await expect(amount).toHaveAccessibleDescription("You can refund up to €8.00.");
  await expect(question(page)).toHaveCount(0);
  await amount.fill("3");
  await amount.press("Enter");
  await expect(question(page)).toContainText("€3.00 of the remaining €8.00 for “Espresso beans”");
  await question(page).getByRole("button", { name: "Refund" }).click();
  await expect(page.getByText("Payment received. €5.50 of it has been refunded.")).toBeVisible();

  await page.getByRole("button", { name: "Send receipt" }).click();
  await expect(question(page)).toContainText(
    "ada@example.com gets the receipt for €10.50 again. Test mode sends no e-mail",
  );
  await question(page).getByRole("button", { name: "Send" }).dblclick();
  await expect(
    page.getByText("Test mode sends no e-mail. You’ll find it under E-mails.", { exact: true }),
  ).toBeVisible();
  expect(await db.email.count({ where: { payment_link_id: link.id, template: "receipt" } })).toBe(2);
});

test("explains failed payments in plain words, and filters by the address", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { title: "Course" });
  await makeAttempt(link, { status: "failed", reason: "insufficient_funds" });
  await makeAttempt(link, { status: "failed", reason: "expired_card", created_at: new Date("2026-01-31T12:00:00Z") });
  const other = await makeLink(staff.businessId, { title: "Grinder", status: "Processing", email: "Zoe@example.com" });
  await makeAttempt(other, { status: "unknown", gateway: "stripe" });
  await openAs(page, staff, "/payments?status=failed");
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText("Insufficient funds.");
  await page.getByRole("button", { name: "When" }).click();
  await expect(page).toHaveURL(/sort=created_at/);
  await expect(rows(page).first()).toContainText("The card has expired.");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Created to").fill("2026-02-01");
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveText([/The card has expired./]);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Payer’s e-mail").fill("zoe@EXAMPLE.com");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.goto("/payments?email=zoe@example.com");
  await expect(rows(page)).toHaveText([/Grinder.*Unknown/]);
  await page.setViewportSize({ width: 390, height: 800 }); // a phone has no column headers
  await page.goto("/payments?status=succeeded&refunded=partly"); // its controls stay without rows
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expect(page.getByText("No payment has the status Succeeded and a partial refund.")).toBeVisible();
  await page.getByRole("button", { name: /^Filters/ }).click();
  await page.getByLabel("Order").selectOption("Oldest first");
  await expect(page).toHaveURL(/sort=created_at/);

  const { id } = await db.payment.findFirstOrThrow({ where: { payment_link_id: link.id } });
  await db.paymentLink.update({ where: { id: link.id }, data: { deleted_at: new Date() } });
  const timeline = page.waitForResponse(/\/timeline/);
  await page.goto(`/payments/${id}`);
  expect((await timeline).status()).toBe(404);
  await expect(page.getByRole("region", { name: "Timeline" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
});

test("edits a link, keeps what two editors change, and asks if both have changed the same", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { phone_no: "+49 1555", reference_2: "K-7" });
  await openAs(page, staff);
  await openPageOf(page.getByRole("link", { name: "Order 1001", exact: true }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Order 1001");
  await page.getByRole("button", { name: "Actions for Order 1001" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit payment link" });
  await expect(sheet.getByLabel("Amount")).toHaveValue("10.50");
  await sheet.getByLabel("Title").fill("x".repeat(51));
  await sheet.getByLabel("Title").blur();
  await expect(sheet.getByText("The title must not be greater than 50 characters.")).toBeVisible();
  await sheet.getByLabel("Title").fill("Order 1001, two books");
  const preview = page.frameLocator('iframe[title="Preview of the pay page"]');
  await expect(preview.getByText("Order 1001, two books")).toBeVisible();
  await expect(preview.getByText("€10.50").first()).toBeVisible();
  await sheet.getByLabel("Expires").fill("2030-07-01T18:00");
  const theirs = { title: "Order 1001, one book", description: "Somebody else’s words" };
  await db.paymentLink.update({ where: { id: link.id }, data: theirs });
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(sheet.getByRole("alert").first()).toContainText("Someone else changed the same meanwhile.");
  await expect(sheet.getByLabel("Title")).toHaveAccessibleDescription(/Changed meanwhile to “Order 1001, one book”\./);
  await expect(sheet.getByLabel("Title")).toHaveValue("Order 1001, two books");
  await expect(sheet.getByLabel("Title")).toBeFocused();
  await expect(sheet.getByLabel("Description")).toHaveValue("Somebody else’s words");
  await expect(sheet.getByLabel("Expires")).toHaveValue("2030-07-01T18:00");
  await expectNoViolations(page);
  expect((await db.paymentLink.findUniqueOrThrow({ where: { id: link.id } })).title).toBe("Order 1001, one book");
  // What only one of them has changed needs no question.
  await db.paymentLink.update({ where: { id: link.id }, data: { internal_note: "Call first" } });
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Order 1001, two books");
  expect(await db.paymentLink.findUnique({ where: { id: link.id } })).toMatchObject({
    title: "Order 1001, two books",
    description: "Somebody else’s words",
    internal_note: "Call first",
    phone_no: "+49 1555",
    reference_2: "K-7",
    expires_at: new Date("2030-07-01T16:00:00Z"), // in Berlin
  });

  // The response is lost. The second try meets the change of the first.
  await page.getByRole("button", { name: "Actions for Order 1001, two books" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await sheet.getByLabel("Title").fill("Order 1001, three books");
  await page.route("**/api/payment-links/*", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(sheet.getByRole("alert")).toContainText("could not be reached");
  await page.unrouteAll({ behavior: "wait" });
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Order 1001, three books");
});

test("a link's expiry keeps its seconds when another field changes", async ({ page }) => {
  const staff = await makeStaff();
  const expiries = {
    // The second 02:30 of the night in which Berlin's clocks are set back.
    "Order 1001": new Date("2030-10-27T01:30:59Z"),
    "Order 1002": new Date(Date.now() - 90_000),
  };
  for (const [title, expires_at] of Object.entries(expiries))
    await makeLink(staff.businessId, { title, expires_at, expiry_recorded: expires_at < new Date() });
  await openAs(page, staff);
  for (const [title, expires_at] of Object.entries(expiries)) {
    await rows(page)
      .getByRole("button", { name: `Actions for ${title}` })
      .click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit payment link" });
    await sheet.getByLabel("Description").fill("Two books");
    await sheet.getByRole("button", { name: "Save changes" }).click();
    await expect(sheet).toHaveCount(0);
    expect(await db.paymentLink.findFirst({ where: { business_id: staff.businessId, title } })).toMatchObject({
      description: "Two books",
      expires_at,
      expiry_recorded: expires_at < new Date(),
    });
  }
});

/** A card that its payer has saved. */
async function saveCard(staff: Staff, number?: string): Promise<void> {
  const { token } = await makeTokenization(staff, { email: "Ada@example.com", title: "Card" });
  await saveCardAt(`/activate/${token}`, number);
}

test("a link's page: QR code, duplicate, saved card, refund, delete", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { email: "ada@example.com", reference: "A 7" });
  await saveCard(staff);
  await openAs(page, staff, `/payment-links/${link.id}`);
  await expect(page.getByText("No payment attempts.")).toBeVisible();
  await expect(page.getByRole("img", { name: "QR code for Order 1001" })).toBeVisible();
  for (const [kind, begin] of [
    ["SVG", "<svg"],
    ["PNG", "\u{fffd}PNG"],
  ] as const) {
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: kind, exact: true }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(`payment-link-A-7.${kind.toLowerCase()}`);
    expect(readFileSync(await saved.path(), "utf8").slice(0, 4)).toBe(begin);
  }

  await page.getByRole("button", { name: "Actions for Order 1001" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  const copy = page.getByRole("dialog", { name: "Duplicate payment link" });
  await expect(copy.getByLabel("Payer’s e-mail")).toHaveValue("ada@example.com");
  await copy.getByLabel("Title").fill("Order 1002");
  await copy.getByRole("button", { name: "Create payment link" }).click();
  await expect(copy.getByRole("heading", { name: "Payment link ready" })).toBeVisible();
  await copy.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Charge saved card" }).click();
  await expect(question(page)).toContainText("Visa ending in 4242 (12/40) of ada@example.com is charged €10.50");
  await expect(question(page).locator("bdi")).toHaveText("Order 1001");
  await page.route("**/charge", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await question(page).getByRole("button", { name: "Charge €10.50" }).dblclick();
  await expect(page.getByText("The card may have been charged").first()).toBeVisible();
  await expect(page.getByText("Paid. It can’t be paid again.")).toBeVisible();
  await expect(rows(page)).toHaveText([/€10.50.*Succeeded/]);
  expect(await db.payment.count({ where: { payment_link_id: link.id } })).toBe(1);
  await page.getByRole("button", { name: "Refund" }).click();
  await page.getByRole("dialog", { name: "Refund" }).getByRole("button", { name: "Refund" }).click();
  await question(page).getByRole("button", { name: "Refund" }).click();
  await expect(page.getByText("€10.50 refunded.")).toBeVisible();

  const second = await db.paymentLink.findFirstOrThrow({
    where: { title: "Order 1002", business_id: staff.businessId },
  });
  await page.goto(`/payment-links/${second.id}`);
  await page.getByRole("button", { name: "Actions for Order 1002" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await question(page).getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/\/payment-links$/);
  await expect(rows(page)).toHaveCount(1);
});

test("support sees exactly the actions that the API allows", async ({ page }) => {
  const staff = await makeStaff("support");
  const paid = await makePaidLink(staff, { title: "Beans", email: "ada@example.com" });
  const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: paid.id } });
  const open = await makeLink(staff.businessId, { email: "ada@example.com" });
  const subscription = await makeSubscription(staff, { email: "ada@example.com" });
  await saveCard(staff); // before there is a period that it would be charged for
  const period = await makePeriod(staff, subscription, { email: "ada@example.com" });
  const refused: string[] = [];
  page.on("response", (reply) => {
    if (reply.status() === 403) refused.push(reply.url());
  });
  // A customer's open links are also among all of theirs.
  const more = (title: string) =>
    page
      .getByRole("main")
      .getByRole("button", { name: `Actions for ${title}` })
      .first();
  const offers = async (title: string, items: string[]): Promise<void> => {
    await more(title).click();
    await expect(page.getByRole("menuitem")).toHaveText(items);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menuitem")).toHaveCount(0);
  };
  const ofLink = ["Edit", "Duplicate", "Send by e-mail", "Wait for a transfer", "Deactivate", "Delete"];
  const ofPeriod = ["Duplicate", "Send by e-mail"];
  const notOffered = async (name: RegExp): Promise<void> => {
    await page.waitForLoadState("networkidle"); // a card that is known late would be offered late
    await expect(page.getByRole("main").getByRole("button", { name })).toHaveCount(0);
  };
  await openAs(page, staff);
  await offers("Beans", ["Duplicate"]);
  await offers("Order 1001", ofLink);
  await page.getByRole("button", { name: "Show them" }).click();
  await offers("Reading club", ofPeriod);

  await page.goto("/customers/ada@example.com");
  await offers("Reading club", ofPeriod);
  await notOffered(/Request a card|Actions for ada@example.com/);
  await page.goto(`/payment-links/${paid.id}`);
  await offers("Beans", ["Duplicate"]);
  await notOffered(/Refund/);
  await page.goto(`/payments/${payment.id}`);
  await expect(page.getByText("No refunds.")).toBeVisible();
  await expect(page.getByText("Ask an owner, admin or developer to refund this payment.")).toBeVisible();
  await notOffered(/Refund/);
  await page.goto(`/payment-links/${open.id}`);
  await offers("Order 1001", ofLink);
  await notOffered(/Charge/);
  await page.goto(`/payment-links/${period.id}`);
  await offers("Reading club", ofPeriod);
  await notOffered(/Charge/);
  await more("Reading club").click();
  await page.getByRole("menuitem", { name: "Send by e-mail" }).click();
  await question(page).getByRole("button", { name: "Send" }).click();
  await expect(
    page.getByText("Test mode sends no e-mail. You’ll find it under E-mails.", { exact: true }),
  ).toBeVisible();
  await page.goto(`/subscriptions/${subscription}`);
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
  await notOffered(/Ask for|More actions|Pause/);
  await page.goto("/tokenizations");
  await expect(rows(page)).toHaveText([/ada@example.com/i]);
  await notOffered(/Create|Actions for/);
  // In the first HTML.
  expect(await (await page.goto("/developers/requests"))?.text()).toContain("Your role doesn’t allow this page.");
  await expect(page.getByRole("heading", { name: "You can’t open this page" })).toBeVisible();
  await expect(page.getByRole("main")).toHaveCount(1);
  await expect(
    page.getByText("Your role doesn’t allow this page. Ask an owner or admin to change your role."),
  ).toBeVisible();
  await expect(page).toHaveTitle("You can’t open this page · Paydesk");
  expect(refused).toEqual([]);
});

test("charges the amount that was shown or nothing, and once for a double click, even when the bank declines quickly", async ({
  page,
}) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { email: "ada@example.com" });
  await saveCard(staff, "4000000000005084"); // declined for good at its first charge: it is not offered again
  await openAs(page, staff, `/payment-links/${link.id}`);
  const charge = page.getByRole("button", { name: "Charge saved card" });
  await charge.click();
  await expect(question(page)).toBeVisible();
  await db.paymentLink.update({ where: { id: link.id }, data: { amount_cents: 105_000 } });
  await question(page).getByRole("button", { name: "Charge €10.50" }).click();
  await expect(page.getByText("This has changed since you loaded it.")).toBeVisible();
  await expect(page.getByText("€1,050.00").first()).toBeVisible();
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/charge")) sent++;
  });
  await charge.click();
  await question(page).getByRole("button", { name: "Charge €1,050.00" }).dblclick({ delay: 60 });
  await expect(rows(page)).toHaveText([/€1,050.00.*Failed/]);
  await expect(question(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Charge saved card" })).toHaveCount(0);
  await page.waitForTimeout(600); // until nothing of it can come any more
  expect(sent).toBe(1);
  expect(await db.payment.count({ where: { payment_link_id: link.id } })).toBe(1);
});

test("the table's columns, sort and filters are in the address, and the export matches the list", async ({ page }) => {
  const staff = await makeStaff();
  for (const [n, amount_cents] of [1000, 2000, 3000].entries())
    await makeLink(staff.businessId, {
      title: `Order ${n + 1}`,
      amount_cents,
      email: n === 0 ? "zoe@example.com" : "Ada@example.com",
      currency: n === 2 ? "USD" : "EUR",
      reference: `R-${n + 1}`,
      created_at: new Date(Date.UTC(2026, 0, n + 1, 12)),
    });
  await openAs(page, staff);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Reference", exact: true }).check();
  await page.getByRole("checkbox", { name: "Created" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Reference" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Created" })).toHaveCount(0);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Payer’s e-mail (exact)").fill("ada@example.com");
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel("Created to").fill("2026-01-02");
  await expect(rows(page)).toHaveText([/Order 2.*€20.00.*R-2/]);
  await page.goto(page.url());
  await expect(rows(page)).toHaveText([/Order 2.*€20.00.*R-2/]);
  await page.goto("/payment-links?sort=created_at&paid=false&currency=EUR");
  await expect(rows(page)).toHaveText([/Order 1/, /Order 2/]);
  await page.getByRole("button", { name: "Created" }).click();
  await expect(rows(page)).toHaveText([/Order 2/, /Order 1/]);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const lines = readFileSync(await saved.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines.slice(1).map((line) => line.split(",")[10])).toEqual(["Order 2", "Order 1"]);
});

test("imports a file: errors by row, a lost connection, resume, no duplicates", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await page.getByRole("link", { name: "Import CSV" }).click();
  const good = Array.from({ length: 249 }, (_, n) => `ada${n}@example.com;EUR;${n + 10},50;Order ${n};R-${n}`);
  const text = ["email;currency;amount;title;reference", ...good, "nobody;EUR;1,00;;bad", ""].join("\r\n");
  const choose = (name: string, content: string) =>
    page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
  await page.evaluate(() => {
    const { arrayBuffer } = File.prototype;
    File.prototype.arrayBuffer = () => {
      File.prototype.arrayBuffer = arrayBuffer;
      return Promise.reject(new DOMException("The file was removed.", "NotReadableError"));
    };
  });
  await choose("removed.csv", text);
  await expect(page.getByRole("main").getByRole("alert").first()).toContainText("The file could not be read.");
  await choose("wrong.csv", "a,b\n1,2\n");
  await expect(page.getByRole("main").getByRole("alert").first()).toContainText(
    "Missing: email, currency, title, amount.",
  );
  await choose("decimals.csv", text.replaceAll(";", ","));
  await expect(page.getByRole("main").getByRole("alert").first()).toContainText("Row 2 has more cells");
  await choose("invoices.xlsx", "PK\u0003\u0004\u0014\u0000\u0006\u0000[Content_Types].xml \ufffd");
  await expect(page.getByRole("main").getByRole("alert").first()).toContainText("Save it as CSV");
  await expect(page.getByText("Do these words look right?")).toHaveCount(0);
  await choose("invoices.csv", text);
  await expect(page.getByText("Checked: 249 rows valid, 1 row with errors.")).toBeVisible();
  const bad = page.getByRole("listitem").filter({ hasText: "Row 251" });
  await expect(bad).toContainText("The email must be a valid email address.");
  await expect(bad).toContainText("The amount must be at least 5.00.");
  await expect(bad).toContainText("The title field is required.");
  const afterPart = page.getByText("Correct and import only the downloaded file of these rows.");
  await expect(afterPart).toHaveCount(0);
  expect(await db.paymentLink.count({ where: { business_id: staff.businessId } })).toBe(0);
  await expectNoViolations(page);
  // The second portion is made, its answer is lost; the third never arrives.
  let sent = 0;
  await page.route("**/api/payment-links/import", async (route) => {
    sent++;
    await expect(page.getByLabel("CSV file")).toBeDisabled();
    await expect(page.getByRole("checkbox", { name: /e-mail/ })).toBeDisabled();
    if (sent === 2) await route.fetch();
    return sent === 2 ? route.abort() : route.continue();
  });
  await page.getByRole("button", { name: "Create 249 payment links" }).click();
  await expect(page.getByText("Stopped after 100 rows.")).toBeVisible();
  await expect(page.getByLabel("CSV file")).toBeEnabled();
  await page.unroute("**/api/payment-links/import");
  await page.getByRole("link", { name: "Packages" }).click();
  const question = page.getByRole("alertdialog", { name: "Leave before the import finishes?" });
  await question.getByRole("button", { name: "Stay here" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(
    page.getByText("Done: 149 payment links created, 100 rows already imported, 1 row with errors."),
  ).toBeVisible();
  await expect(afterPart).toBeVisible();
  await page.getByRole("link", { name: "Go to payment links" }).click();
  await expect(page).toHaveURL(/\/payment-links$/); // done: nothing is asked
  const made = await db.paymentLink.aggregate({
    where: { business_id: staff.businessId },
    _count: true,
    _sum: { amount_cents: true },
  });
  expect([made._count, made._sum.amount_cents]).toEqual([249, 249 * 1050 + (248 * 249 * 100) / 2]);
  await page.goto("/payment-links/import");
  // Whoever leaves while it runs stops it: after the answer that is on its way, nothing more is asked for.
  await choose("more.csv", text.replaceAll("@example.com", "@example.org"));
  await expect(page.getByText("Checked: 249 rows valid, 1 row with errors.")).toBeVisible();
  let asked = 0;
  await page.route("**/api/payment-links/import", async (route) => {
    asked++;
    for (const label of ["CSV file", "Send each payer the link by e-mail"])
      await expect(page.getByLabel(label)).toBeDisabled();
    await page.getByRole("link", { name: "Packages" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL(/\/packages$/);
    await route.continue();
  });
  const answer = page.waitForResponse("**/api/payment-links/import");
  await page.getByRole("button", { name: "Create 249 payment links" }).click();
  await answer;
  await page.waitForTimeout(500);
  expect(asked).toBe(1);
  await page.unroute("**/api/payment-links/import");
  expect(await db.paymentLink.count({ where: { business_id: staff.businessId } })).toBe(349);
  await page.goto("/payment-links/import");
  await choose("same content.csv", text);
  await expect(page.getByText("Checked: 0 rows valid, 249 rows already imported, 1 row with errors.")).toBeVisible();
  await expect(page.getByText("Nothing to create.")).toBeVisible();
  await expect(afterPart).toBeVisible();
  await choose(
    "long.csv",
    `email,currency,amount,title,metadata\na@example.com,EUR,10,One,${"x".repeat(70_000)}\na@example.com,EUR,10,Two,\n`,
  );
  await expect(page.getByText("Checked: 1 row valid, 1 row with errors.")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Row 2" })).toContainText("larger than 60 kB");
});

test("a file saved by Excel shows how it was read, and a row with two amounts is refused", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/payment-links/import");
  const choose = (content: Buffer) =>
    page.getByLabel("CSV file").setInputFiles({ name: "invoices.csv", mimeType: "text/csv", buffer: content });
  const lines = [
    "email;currency;amount;amount_cents;title",
    "ada@example.com;EUR;10,50;1050;Käse für Zürich, 5 €",
    "ada@example.com;EUR;20,00;1050;Geändert",
  ].join("\r\n");
  const windows = Buffer.from(lines.replaceAll("€", "\x80"), "latin1");
  await choose(windows);
  const asked = page.getByRole("status").filter({ hasText: "Do these words look right?" });
  await expect(asked).toContainText("“Käse für Zürich, 5 €”");
  await expect(page.getByText("Checked: 1 row valid, 1 row with errors.")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Row 3" })).toContainText(
    "The amount and the amount_cents must be the same: correct the wrong one, or leave it empty.",
  );
  await expectAccessibleAtBothWidths(page);
  await choose(Buffer.from(lines, "utf8"));
  await expect(page.getByText("Checked: 1 row valid, 1 row with errors.")).toBeVisible();
  await expect(asked).toHaveCount(0);
  await choose(windows);
  await page.getByRole("button", { name: "Create 1 payment link" }).click();
  await expect(page.getByText("Done: 1 payment link created, 1 row with errors.")).toBeVisible();
  const made = await db.paymentLink.findMany({ where: { business_id: staff.businessId } });
  expect(made.map(({ title, amount_cents }) => [title, amount_cents])).toEqual([["Käse für Zürich, 5 €", 1050]]);

  // What is to be mended opens in Excel with its words right, and comes back.
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download rows with errors" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("invoices-errors.csv");
  const bad = readFileSync(await saved.path(), "utf8");
  expect(bad).toMatch(/^\ufeffemail,.*Geändert\s*$/s);
  await choose(Buffer.from(bad.replace("1050", "2000")));
  await expect(page.getByText("Checked: 1 row valid.")).toBeVisible();
  await expect(asked).toHaveCount(0);
});

test("a new business is led to its first paid link, and then sees its figures", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/");
  const list = page.getByRole("region", { name: "Your first payment" });
  await expect(list.getByText("Create a payment link")).toBeVisible();
  await expect(page.getByText("No payments yet.")).toBeVisible();
  await list.getByRole("link", { name: "Create payment link" }).click();
  const sheet = page.getByRole("dialog", { name: "Create payment link" });
  await sheet.getByLabel("Amount").fill("25");
  await sheet.getByLabel("Title").fill("First order");
  await sheet.getByLabel("Payer’s e-mail").fill("ada@example.com");
  await sheet.getByRole("button", { name: "Create payment link" }).click();
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Create payment link" })).toBeFocused(); // the overview's link is gone
  await page.getByRole("link", { name: "Overview" }).first().click();
  const [payer] = await Promise.all([
    page.context().waitForEvent("page"),
    list.getByRole("link", { name: /Open “First order”/ }).click(),
  ]);
  await payer.getByLabel("Card number").fill("4242 4242 4242 4242");
  await payer.getByLabel("Expiry date").fill("12 / 40");
  await payer.getByLabel("Security code").fill("123");
  await payer.getByRole("button", { name: "Pay €25.00" }).click();
  await expect(payer.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await payer.close();
  await page.reload();
  await expect(page.getByText("€25.00").first()).toBeVisible();
  await expect(list).toHaveCount(0);
});

/** A month of business, and what went wrong in it. */
async function busy(): Promise<Staff> {
  const staff = await makeStaff();
  for (let n = 1; n < 40; n++)
    await makePastPayment(staff, n, {
      amount_cents: 1000 + n * 37,
      title: `Order ${n}`,
      email: `c${n % 7}@example.com`,
    });
  await makePastPayment(staff, 3, { amount_cents: 5000, currency: "USD", title: "From afar" });
  const unknown = await makeLink(staff.businessId, { title: "Grinder", status: "Processing" });
  await makeAttempt(unknown, { status: "unknown", gateway: "stripe" });
  const failed = await makeLink(staff.businessId, { title: "Course" });
  await makeAttempt(failed, { status: "failed", reason: "card_declined", settled_at: new Date() });
  const whose = { business_id: staff.businessId, livemode: false };
  const pkg = await db.package.create({
    data: {
      ...whose,
      id: newId("pkg"),
      name: "Reading club",
      amount_cents: 1500,
      currency: "EUR",
      frequency: "monthly",
    },
  });
  const soon = new Date(Date.now() + 5 * 86_400_000);
  for (const status of ["active", "past_due", "active"])
    await db.subscription.create({
      data: {
        ...whose,
        id: newId("sub"),
        package_id: pkg.id,
        email: `${status}@example.com`,
        status,
        anchor: soon.toISOString().slice(0, 19),
        timezone: "Europe/Berlin",
        next_charge_at: soon,
      },
    });
  return staff;
}

test("the overview counts many open links in the background", async ({ page }) => {
  const staff = await makeStaff();
  await db.$executeRaw`
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title)
    SELECT 'pl_' || ${staff.businessId}::int || '_' || n, ${staff.businessId}::int, false, 'payer@example.com', 'EUR', 1000, 'Order ' || n
      FROM generate_series(1, 5001) AS n`;
  await openAs(page, staff, "/");
  const open = page.locator("dl > div").filter({ has: page.getByText("Open", { exact: true }) });
  await expect(open).toContainText("Counting…");
  await expect(open).toContainText("€50,010.00");
  await expect(open).toContainText("5,001 payment links");
  await expect(open).toContainText(/As of .*\d\d:\d\d/);
  await expect(page.getByText("Right now")).toHaveCount(1); // recurring revenue
});

test("the overview shows the income against the previous period, a table for the chart, and what needs attention", async ({
  page,
}) => {
  const staff = await busy();
  await openAs(page, staff, "/?days=30");
  await expect(page.getByRole("img", { name: /^Chart\. €/ })).toBeVisible();
  const report = await page.evaluate(async () => (await (await fetch("/api/reports/overview")).json()).data);
  const cents: number = report.period.currencies[0].collected.amount_cents;
  const shown = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" }).format(cents / 100);
  await expect(page.getByText(shown).first()).toBeVisible();
  await page.getByText("Show as table").click();
  const table = page.getByRole("table", { name: /Collected and refunded/ });
  const cells = await table.getByRole("row").locator("td:nth-child(2)").allInnerTexts();
  expect(cells.reduce((sum, text) => sum + Math.round(Number(text.replace(/[€,]/g, "")) * 100), 0)).toBe(cents);
  await expect(page.getByRole("heading", { name: "Collected each day, EUR" })).toBeVisible();
  await page.getByLabel("Period", { exact: true }).selectOption("Last 365 days");
  await expect(page.getByRole("heading", { name: "Collected each week, EUR" })).toBeVisible();
  const last = page.getByRole("slider", { name: /Days of the chart/ });
  await expect(last).toHaveAttribute("aria-valuetext", /^\d+ \w+ \d{4} – \d+ \w+ \d{4}:/); // a whole week, with its year
  await page.getByLabel("Currency").selectOption("USD");
  await expect(page).toHaveURL(/currency=USD/);
  await expect(page.getByRole("img", { name: /^Chart\. \$50\.00/ })).toBeVisible();
  await expect(page.getByRole("region", { name: /Cards at risk \(3\)/ })).toContainText("No saved card");
  await page.getByRole("link", { name: "1 subscription past due" }).click();
  await expect(rows(page)).toHaveText([/past_due@example.com/]);
  await page.goBack();
  await page.getByRole("link", { name: "1 payment with an unknown outcome" }).click();
  await expect(rows(page)).toHaveText([/Grinder/]);
});

test("the overview leads to the open mismatches, and they alone are listed", async ({ page }) => {
  const staff = await makeStaff();
  await makeAttempt(await makeLink(staff.businessId, { title: "Course" }), {
    status: "failed",
    reason: "card_declined",
  });
  await makeAttempt(await makeLink(staff.businessId, { title: "Grinder" }), {
    ...{ status: "failed", reason: "abandoned", gateway: "stripe", mismatch_at: new Date() },
    ...{ settled_by: "Ada", settled_reason: "Not in Stripe’s dashboard" },
  });
  await openAs(page, staff, "/");
  await page.getByRole("link", { name: "1 payment was taken after being recorded as failed" }).click();
  await expect(rows(page)).toHaveText([/Grinder.*Mismatch/]);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Mismatch" }).selectOption("Any");
  await expect(rows(page)).toHaveCount(2);
});

test("long texts fit on the money pages, and axe finds no violations in a refund in either colour scheme", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const staff = await busy();
  const link = await makePaidLink(staff, {
    title: "W".repeat(50),
    reference: "R".repeat(50),
    email: "c1@example.com",
  });
  const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: link.id } });
  await plantIn(page.context(), staff);
  const pages = [
    ["/", "Latest payments"],
    ["/payments", "Payments"],
    ["/payment-links?columns=status,email,reference,expires_at,paid_at,created_at&currency=EUR", "Payment links"],
    [`/payment-links/${link.id}`, "Payments"],
    ["/customers", "Customers"],
    ["/customers/c1@example.com", "Subscriptions"],
    [`/payments/${payment.id}`, "Refunds"],
  ] as const;
  for (const [path, heading] of pages) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectNoOverflow(page, phoneWidth, 1280);
  }
  await page.getByRole("button", { name: "Refund" }).click();
  await expect(page.getByRole("dialog", { name: "Refund" })).toBeVisible();
  await expectAccessibleAtBothWidths(page);
});
