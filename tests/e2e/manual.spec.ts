import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { transferReference } from "@/lib/core/transfer-reference";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow } from "@/tests/support/layout";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const sheet = (page: Page, name: string) => page.getByRole("dialog", { name });
const menu = (page: Page) => page.getByRole("button", { name: "Actions for Order 1001" });

const bank = { bank_holder: "Blue Bottle Books GmbH", bank_iban: "DE89370400440532013000", bank_bic: "COBADEFFXXX" };

test("staff mark a link as paid, and take it back when the cheque bounces", async ({ page }) => {
  test.slow();
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId);
  await openAs(page, staff, "/payment-links");
  await menu(page).click();
  await page.getByRole("menuitem", { name: "Mark as paid…" }).click();
  const form = sheet(page, "Mark as paid");
  await expect(form.getByLabel("How it was paid")).toBeFocused();
  await form.getByLabel("How it was paid").selectOption("Cheque");
  await form.getByLabel("Reference").fill("Cheque 400123");
  await expectNoViolations(page);
  await form.getByRole("button", { name: "Mark €10.50 as paid" }).dblclick();
  await expect(form).toHaveCount(0);
  await openPageOf(page.getByRole("link", { name: "Order 1001", exact: true }));
  await expect(page.getByText("Marked as paid: €10.50").first()).toBeVisible();
  await expect(page.getByText(/^Cheque, \d{1,2} [A-Z][a-z]+ \d{4}, Cheque 400123$/)).toBeVisible();
  await page.getByRole("table").getByRole("link", { name: "Order 1001", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("€10.50");
  const facts = page.getByRole("region", { name: "Payment", exact: true });
  await expect(facts.getByText("Cheque 400123")).toBeVisible();
  await expect(page.getByText("Ada Lovelace").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Record refund" })).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.getByRole("button", { name: "Reverse" }).click();
  await expect(sheet(page, "Reverse payment").getByLabel("Reason")).toBeFocused();
  await sheet(page, "Reverse payment").getByLabel("Reason").fill("The cheque bounced");
  await sheet(page, "Reverse payment").getByRole("button", { name: "Reverse payment" }).dblclick();
  await expect(sheet(page, "Reverse payment")).toHaveCount(0);
  await expect(page.getByText("Reversed").first()).toBeVisible();
  await expect(facts.getByText("The cheque bounced")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reverse" })).toHaveCount(0);
  expect(await db.payment.findMany({ where: { payment_link_id: link.id } })).toMatchObject([
    { status: "reversed", method: "cheque", marked_by: "Ada Lovelace", reversed_by: "Ada Lovelace" },
  ]);
  expect(await db.paymentLink.findUnique({ where: { id: link.id } })).toMatchObject({ status: "Active" });
  await page.goto("/payments?method=cheque");
  await expect(page.getByRole("row").filter({ has: page.getByRole("rowheader") })).toHaveText([
    /Order 1001.*€10.50.*Reversed.*Cheque.*Marked by Ada Lovelace/,
  ]);
});

test("only owners and admins are offered to mark a link as paid", async ({ page }) => {
  const staff = await makeStaff("developer");
  await makeLink(staff.businessId);
  await openAs(page, staff, "/payment-links");
  await menu(page).click();
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Mark as paid…" })).toHaveCount(0);
  await page.goto("/settings");
  await expect(page.getByLabel("IBAN")).toBeDisabled();
});

test("a payer gets the details of a transfer, and staff wait for it and find the link by its reference", async ({
  page,
}) => {
  test.slow();
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId);
  await makeLink(staff.businessId, { title: "Another order" });
  await openAs(page, staff, "/settings");
  const form = page.getByRole("form", { name: "Bank transfers" });
  await form.getByLabel("Account holder").fill(bank.bank_holder);
  await form.getByLabel("IBAN").fill("DE89 3704 0044 0532 0130 01");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByLabel("IBAN")).toHaveAccessibleDescription("The bank iban must be a valid IBAN.");
  await form.getByLabel("IBAN").fill("DE89 3704 0044 0532 0130 00");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();

  await page.goto(`/pay?id=${link.id}`);
  await page.getByRole("link", { name: "Pay by bank transfer" }).click();
  const reference = transferReference(link.id);
  await expect(page.getByText(reference)).toBeVisible();
  const qrCode = page.getByRole("img", { name: /^QR code for a bank transfer of €10.50/ });
  await expect(qrCode).toBeVisible();
  await page.getByText("DE89 3704 0044 0532 0130 00").click();
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe("DE89 3704 0044 0532 0130 00");
  await expectAccessibleAtBothWidths(page);
  await expectNoOverflow(page);
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(qrCode).toBeHidden();
  await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
  await page.getByRole("link", { name: "Pay by card instead" }).click();
  await expect(page.getByRole("heading", { name: "Pay by card" })).toBeVisible();

  await page.goto(`/payment-links?q=${reference.replace(/-/g, "")}`);
  await expect(page.getByRole("row").filter({ has: page.getByRole("rowheader") })).toHaveText([/Order 1001/]);
  await menu(page).click();
  await page.getByRole("menuitem", { name: "Wait for a transfer" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Awaiting transfer" })).toHaveCount(1);
  await page.goto("/payment-links?awaiting_transfer=true");
  await expect(page.getByRole("row").filter({ has: page.getByRole("rowheader") })).toHaveText([/Order 1001/]);
  await page.goto(`/payment-links/${link.id}`);
  await expect(page.getByText(reference)).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.goto(`/pay?id=${link.id}`);
  await expect(page.getByText("is waiting for your transfer")).toBeVisible();
  await expectNoViolations(page);
});

test("an IBAN is cleared only together with its holder and BIC", async ({ page }) => {
  const staff = await makeStaff();
  const account = () => db.business.findUniqueOrThrow({ where: { id: staff.businessId } });
  await db.business.update({ where: { id: staff.businessId }, data: bank });
  await openAs(page, staff, "/settings");
  const form = page.getByRole("form", { name: "Bank transfers" });
  await form.getByLabel("IBAN").fill("");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByLabel("IBAN")).toHaveAccessibleDescription("Fill in this field.");
  expect(await account()).toMatchObject(bank);
  await form.getByLabel("Account holder").fill(" ");
  await form.getByLabel("BIC").fill("");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
  expect(await account()).toMatchObject({ bank_holder: null, bank_iban: null, bank_bic: null });
});
