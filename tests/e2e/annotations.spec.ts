import { expect } from "@playwright/test";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { expectNoViolations } from "@/tests/support/axe";
import { compose } from "@/tests/support/compose";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makePackage } from "@/tests/support/package-rows";
import { insertDispute, insertRefund } from "@/tests/support/paid";
import { sidePeek } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const stored = async (table: string, id: string) => {
  const [row] = await queryRows<{ metadata: Record<string, string>; notes: string | null }>(
    db,
    Prisma.sql`SELECT metadata, notes FROM ${Prisma.raw(table)} WHERE id = ${id}`,
  );
  return row;
};

test("notes are written in place by keyboard, saved and cancelled; the second of two editors keeps the text", async ({
  page,
}) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { status: "Paid", paid_at: new Date() });
  await openAs(page, staff, `/payment-links/${link.id}`);
  const panel = page.getByRole("region", { name: "Notes", exact: true });
  await expect(panel.getByText("No notes yet.")).toBeVisible();
  const add = panel.getByRole("button", { name: "Add notes" });
  await add.press("Enter");
  const text = panel.getByRole("textbox", { name: "Notes" });
  await expect(text).toBeFocused();
  await text.press("Escape");
  await expect(add).toBeFocused();
  await add.press("Enter");
  await text.fill("Call first.\nThen write.");
  await expectNoViolations(page);
  await text.press("Control+Enter");
  await expect(panel.getByText("Call first.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Edit notes" })).toBeFocused();
  expect(await stored("payment_link", link.id)).toEqual({ metadata: {}, notes: "Call first.\nThen write." });

  // Typed text is not lost without a question.
  await panel.getByRole("button", { name: "Edit notes" }).click();
  await text.fill("Something else");
  await page.getByRole("link", { name: "Payments", exact: true }).first().click();
  const question = page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await panel.getByRole("button", { name: "Cancel" }).click();
  await expect(panel.getByText("Call first.")).toBeVisible();

  await page.setViewportSize({ width: phoneWidth, height: 844 });
  await panel.getByRole("button", { name: "Edit notes" }).click();
  await text.fill("Call first. Then write.");
  await db.paymentLink.update({ where: { id: link.id }, data: { notes: "Never call." } });
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("alert")).toContainText("Someone else has changed these notes.");
  await expect(panel.getByRole("region", { name: "Current notes" })).toContainText("Never call.");
  await expect(text).toHaveValue("Call first. Then write.");
  expect((await stored("payment_link", link.id))?.notes).toBe("Never call.");
  await expectNoViolations(page);
  await expectNoOverflow(page, phoneWidth);
  await text.fill("Never call. Write.");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("button", { name: "Edit notes" })).toBeFocused();
  expect((await stored("payment_link", link.id))?.notes).toBe("Never call. Write.");
});

test("metadata gets keys, changes and loses them, and says what is wrong", async ({ page }) => {
  const staff = await makeStaff();
  const pkg = await makePackage(staff);
  await openAs(page, staff, `/packages/${pkg.id}`);
  const panel = page.getByRole("region", { name: "Metadata" });
  await panel.getByRole("button", { name: "Add metadata" }).click();
  await expect(panel.getByRole("textbox", { name: "Key 1" })).toBeFocused();
  await panel.getByRole("textbox", { name: "Key 1" }).fill("order id");
  await panel.getByRole("textbox", { name: "Value 1" }).fill("1001");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("alert")).toContainText('The metadata key "order id" is invalid');
  await panel.getByRole("textbox", { name: "Key 1" }).fill("order_id");
  await panel.getByRole("button", { name: "Add key" }).click();
  await expect(panel.getByRole("textbox", { name: "Key 2" })).toBeFocused();
  await panel.getByRole("textbox", { name: "Key 2" }).fill("order_id");
  await panel.getByRole("textbox", { name: "Value 2" }).fill("web");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("alert")).toContainText("The key “order_id” is used twice.");
  await panel.getByRole("textbox", { name: "Key 2" }).fill("channel");
  await expectNoViolations(page);
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("button", { name: "Copy the value of order_id" })).toBeVisible();
  expect((await stored("package", pkg.id))?.metadata).toEqual({ order_id: "1001", channel: "web" });

  await panel.getByRole("button", { name: "Edit metadata" }).click();
  await panel.getByRole("button", { name: "Remove key 1" }).click(); // channel: keys are in order
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("button", { name: "Edit metadata" })).toBeVisible();
  await expect(panel.getByText("channel")).toHaveCount(0);
  expect((await stored("package", pkg.id))?.metadata).toEqual({ order_id: "1001" });
});

test("support edits a dispute's notes in the side peek and on a phone, a viewer reads them", async ({ page }) => {
  const staff = await makeStaff("support");
  const link = await makeLink(staff.businessId);
  const id = await insertDispute({ _id: link.id });
  await page.setViewportSize({ width: phoneWidth, height: 844 });
  await openAs(page, staff, `/disputes/${id}`);
  const panel = page.getByRole("region", { name: "Notes" });
  await panel.getByRole("button", { name: "Add notes" }).click();
  await panel.getByRole("textbox", { name: "Notes" }).fill("x".repeat(300));
  await page.getByRole("region", { name: "Metadata" }).getByRole("button", { name: "Add metadata" }).click();
  await expectNoOverflow(page, phoneWidth);
  await expectNoViolations(page);
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("button", { name: "Edit notes" })).toBeVisible();
  await expectNoOverflow(page, phoneWidth);
  expect((await stored("dispute", id))?.notes).toBe("x".repeat(300));

  await db.membership.updateMany({ where: { business_id: staff.businessId }, data: { role: "viewer" } });
  await page.reload();
  await expect(panel.getByText("xxx")).toBeVisible();
  await expect(panel.getByRole("button")).toHaveCount(0);
});

test("Escape cancels notes, then closes the side peek; typed notes are not lost without a question", async ({
  page,
}) => {
  const staff = await makeStaff();
  const first = await makeLink(staff.businessId, { title: "First", notes: "Call." });
  const second = await makeLink(staff.businessId, { title: "Second" });
  await openAs(page, staff, `/payment-links?peek=${first.id}`);
  const notes = sidePeek(page).getByRole("region", { name: "Notes" });
  const text = notes.getByRole("textbox", { name: "Notes" });
  const edit = notes.getByRole("button", { name: "Edit notes" });
  await edit.click();
  await expect(text).toBeFocused();
  await compose(page, "に"); // Escape cancels it, not the editing
  await page.keyboard.press("Escape");
  await compose(page, "");
  await expect(text).toHaveValue("Call.");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(edit).toBeFocused();
  await expect(sidePeek(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sidePeek(page)).toHaveCount(0);

  await page.getByRole("link", { name: "First", exact: true }).click();
  await edit.click();
  await text.fill("Call first.");
  const question = page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
  const leave: (() => Promise<void>)[] = [
    () => text.press("Escape"),
    () => sidePeek(page).getByRole("button", { name: "Close" }).click(),
    () => page.getByRole("button", { name: "Inactive", exact: true }).click(),
    () => notes.getByRole("button", { name: "Cancel" }).press("k"),
  ];
  for (const step of leave) {
    await step();
    await question.getByRole("button", { name: "Keep editing" }).press("Enter");
    await expect(text).toHaveValue("Call first.");
  }
  await expect(page).toHaveURL(new RegExp(`\\?peek=${first.id}$`));
  await notes.getByRole("button", { name: "Cancel" }).press("k");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(new RegExp(`\\?peek=${second.id}$`));
});

test("a refund gets notes from its payment's page", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId);
  const id = await insertRefund({ _id: link.id });
  const { payment_id, amount_cents } = await db.refund.findUniqueOrThrow({ where: { id } });
  await openAs(page, staff, `/payments/${payment_id}`);
  const name = `Notes and metadata of the refund of €${(amount_cents / 100).toFixed(2)}`;
  const open = page.getByRole("button", { name });
  await page.setViewportSize({ width: phoneWidth, height: 844 });
  await open.scrollIntoViewIfNeeded();
  await expect(open).toBeInViewport({ ratio: 1 }); // the row wraps
  await open.click();
  const sheet = page.getByRole("dialog", { name: "Notes and metadata of the refund" });
  await sheet.getByRole("button", { name: "Add notes" }).click();
  await sheet.getByRole("textbox", { name: "Notes" }).fill("The cover was torn in the post.");
  await expectNoViolations(page);
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet.getByRole("button", { name: "Edit notes" })).toBeVisible();
  expect((await stored("refund", id))?.notes).toBe("The cover was torn in the post.");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Refunds" })).toContainText("The cover was torn in the post.");
});

test("a list is filtered by metadata, by keyboard and on a phone; the filter is part of a saved view", async ({
  page,
}) => {
  const staff = await makeStaff();
  const titles = ["Oak table", "Walnut chair", "Ash bench"];
  for (const [n, title] of titles.entries()) {
    const { id } = await makeLink(staff.businessId, { title });
    const metadata = JSON.stringify({ channel: n < 2 ? "web" : "shop", order_id: `100${n}` });
    await db.$executeRaw`UPDATE payment_link SET metadata = ${metadata}::jsonb WHERE id = ${id}`;
  }
  const rows = page.locator("[data-row]");
  await openAs(page, staff, "/payment-links");
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "Filters" }).click();
  const form = page.getByRole("form", { name: "Metadata" });
  await form.getByRole("button", { name: "Add filter" }).click();
  await expect(form.getByText("Enter a key.")).toBeVisible();
  await form.getByLabel("Metadata key").fill("order id");
  await expect(form.getByText("Use up to 40 letters, digits")).toBeVisible();
  await form.getByLabel("Metadata key").fill("channel");
  await form.getByLabel("Metadata value").fill("web");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  await expect(form.getByLabel("Metadata key")).toHaveValue("");
  await form.getByLabel("Metadata key").fill("order_id");
  await form.getByLabel("Metadata value").fill("1001");
  await form.getByRole("button", { name: "Add filter" }).click();
  await expect(rows).toHaveCount(1);
  await expect(page.getByText("Metadata channel: web")).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save view…" }).click();
  const view = page.getByRole("form", { name: "Save view" });
  await view.getByLabel("Name").fill("Web order");
  await view.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("button", { name: "Views: Web order" })).toBeVisible();

  await page.getByRole("button", { name: "Remove filter: Metadata channel" }).click();
  await expect(page).toHaveURL(/\/payment-links\?metadata%5Border_id%5D=1001$/);
  await page.goto("/payment-links?metadata[order_id]=nothing");
  await expect(page.getByText("the metadata order_id = “nothing”")).toBeVisible();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Web order" }).click();
  await expect(rows).toHaveCount(1);
  await page.setViewportSize({ width: phoneWidth, height: 844 });
  await expectNoOverflow(page, phoneWidth);
  await expectNoViolations(page);
});
