import { expect, type Locator, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makePaidLink } from "@/tests/support/money-rows";
import { makeTokenization, saved } from "@/tests/support/package-rows";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

/** Whether an ellipsis hides a part of the text. */
const isCut = (text: Locator) =>
  text.evaluate((node) => {
    const box = node.closest(".truncate") ?? node;
    return box.scrollWidth > box.clientWidth;
  });

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("rowheader") });

test("writes a customer's name, notes and metadata, and finds them by the name", async ({ page }) => {
  const staff = await makeStaff("support");
  await makePaidLink(staff, { email: "anna.berg@example.com", title: "Oak table" });
  await makeLink(staff.businessId, { email: "zoe@example.com" });
  await openAs(page, staff, "/customers/anna.berg%40example.com");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("anna.berg@example.com");
  await page.getByRole("button", { name: "Add name" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit name" });
  await expect(sheet.getByRole("textbox", { name: "Name" })).toBeFocused();
  await sheet.getByRole("textbox", { name: "Name" }).fill("x".repeat(201));
  await sheet.getByRole("button", { name: "Save name" }).click();
  await expect(sheet.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(
    /must not be greater than 200 characters/,
  );
  await expectAccessibleAtBothWidths(page);
  await sheet.getByRole("textbox", { name: "Name" }).fill("Anna Müller-Berg");
  await sheet.getByRole("button", { name: "Save name" }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anna Müller-Berg");
  await page.getByRole("button", { name: "Add notes" }).click();
  const notes = page.getByRole("form", { name: "Notes" });
  await notes.getByRole("textbox", { name: "Notes" }).fill("Calls on Mondays.\nPrefers e-mail.");
  await notes.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "Notes" })).toContainText("Calls on Mondays.");
  await page.getByRole("button", { name: "Add metadata" }).click();
  const metadata = page.getByRole("form", { name: "Metadata" });
  await metadata.getByRole("textbox", { name: "Key 1" }).fill("crm_id");
  await metadata.getByRole("textbox", { name: "Value 1" }).fill("C-17");
  await metadata.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "Metadata" })).toContainText("C-17");
  const where = { business_id: staff.businessId, email: "anna.berg@example.com" };
  expect(await db.customer.findFirstOrThrow({ where })).toMatchObject({
    name: "Anna Müller-Berg",
    notes: "Calls on Mondays.\nPrefers e-mail.",
    metadata: { crm_id: "C-17" },
  });
  await expectNoViolations(page, "a customer");
  await expectNoOverflow(page, phoneWidth);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/customers");
  await expect(rows(page)).toHaveText([/Anna Müller-Berg.*anna\.berg@example\.com.*€/, /zoe@example\.com/]);
  await page.getByRole("searchbox").fill("müller");
  await expect(rows(page)).toHaveCount(1);
  await openPageOf(page.getByRole("link", { name: "Anna Müller-Berg" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anna Müller-Berg");
  const payment = await db.payment.findFirstOrThrow({ where: { business_id: staff.businessId } });
  for (const path of [`/payments/${payment.id}`, `/payment-links/${payment.payment_link_id}`]) {
    await page.goto(path);
    await page.getByRole("link", { name: "Anna Müller-Berg · anna.berg@example.com" }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anna Müller-Berg");
  }
});

test("lists show a payer's address, card and its expiry whole", async ({ page }) => {
  const staff = await makeStaff();
  const email = "amelie.dubois@example.com";
  await makeLink(staff.businessId, { email, title: "Oak table" });
  await makeTokenization(staff, { ...saved, email, card_brand: "mastercard", card_last4: "4444" });
  const key = { business_id: staff.businessId, livemode: false, email };
  const name = "Amélie Dubois";
  await db.customer.upsert({
    where: { business_id_livemode_email: key },
    update: { name },
    create: { id: newId("cus"), ...key, name },
  });
  await openAs(page, staff, "/customers");
  // A first visit shows a wider font if ours comes late.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.reload();
  const card = page.getByRole("cell", { name: "Mastercard ending in 4444 12/40" });
  await expect(card).toBeVisible();
  expect(await isCut(card)).toBe(false);
  await page.goto("/payment-links");
  const address = page.getByRole("cell", { name: `Amélie Dubois ${email}` }).getByText(email);
  await expect(address).toBeVisible();
  expect(await isCut(address)).toBe(false);
});

test("shows what a customer has paid and owes, and a viewer cannot edit", async ({ page }) => {
  const staff = await makeStaff("viewer");
  await makePaidLink(staff, { email: "ada@example.com", title: "Beans" });
  const longest = new Date(Date.UTC(new Date().getUTCFullYear(), 8, 22, 9, 41)); // "22 Sept, 11:41"
  const course = { email: "ada@example.com", title: "Course", amount_cents: 5000, created_at: longest };
  await makeLink(staff.businessId, course);
  await openAs(page, staff, "/customers/ada%40example.com");
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("Lifetime value in EUR€10.50");
  await expect(summary).toContainText("Open in EUR€50.00");
  const open = page.getByRole("region", { name: "Open", exact: true });
  await expect(open.getByRole("rowheader")).toHaveText([/Course/]);
  expect(await isCut(open.getByText("22 Sept"))).toBe(false);
  for (const name of ["Add name", "Add notes", "Add metadata"])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Start subscription" })).toHaveCount(0);

  // All cards of this address, and none of one that begins like it.
  await makeTokenization(staff, { email: "ada@example.com.au" });
  for (let made = 0; made < 26; made++) await makeTokenization(staff);
  await page.reload();
  await page.getByRole("region", { name: "Cards", exact: true }).getByRole("link", { name: "View all" }).click();
  await expect(page.getByRole("button", { name: "Remove filter: E-mail" })).toBeVisible();
  await expect(rows(page)).toHaveCount(25);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText("ada@example.com.au")).toHaveCount(0);
});
