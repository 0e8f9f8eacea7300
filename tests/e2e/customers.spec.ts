import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makePaidLink } from "@/tests/support/money-rows";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("rowheader") });

test("writes a customer's name, notes and metadata, and finds them by the name", async ({ page }) => {
  const staff = await makeStaff("support");
  await makePaidLink(staff, { email: "anna.berg@example.com", title: "Oak table" });
  await makeLink(staff.businessId, { email: "zoe@example.com" });
  await openAs(page, staff, "/customers/anna.berg%40example.com");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("anna.berg@example.com");
  const details = page.getByRole("region", { name: "Details" });
  await details.getByRole("button", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit customer" });
  await expect(sheet.getByLabel("Name")).toBeFocused();
  await sheet.getByLabel("Name").fill("Anna Müller-Berg");
  await sheet.getByLabel("Notes").fill("Calls on Mondays.\nPrefers e-mail.");
  await sheet.getByLabel("Metadata").fill("crm_id: C-17\nno value");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(sheet.getByLabel("Metadata")).toHaveAccessibleDescription(
    /Write a key, a colon and a value: “no value”/,
  );
  await expectAccessibleAtBothWidths(page);
  await sheet.getByLabel("Metadata").fill("crm_id: C-17\nplan: gold: yearly");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anna Müller-Berg");
  await expect(details).toContainText("Calls on Mondays.");
  const where = { business_id: staff.businessId, email: "anna.berg@example.com" };
  const row = await db.customer.findFirstOrThrow({ where });
  expect(row).toMatchObject({
    name: "Anna Müller-Berg",
    notes: "Calls on Mondays.\nPrefers e-mail.",
    metadata: { crm_id: "C-17", plan: "gold: yearly" },
  });
  await details.getByRole("button", { name: "Edit" }).click();
  await expect(sheet.getByLabel("Metadata")).toHaveValue("crm_id: C-17\nplan: gold: yearly");
  await sheet.getByLabel("Metadata").fill("plan: gold: yearly");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(sheet).toHaveCount(0);
  await expect(details).not.toContainText("C-17");
  await expectNoViolations(page, "a customer");
  await expectNoOverflow(page, phoneWidth);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/customers");
  await expect(rows(page)).toHaveText([/Anna Müller-Berg.*anna\.berg@example\.com.*€/, /zoe@example\.com/]);
  await page.getByRole("searchbox").fill("müller");
  await expect(rows(page)).toHaveCount(1);
  await openPageOf(page.getByRole("link", { name: "Anna Müller-Berg" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anna Müller-Berg");
});

test("shows what a customer has paid and owes, and a viewer cannot edit", async ({ page }) => {
  const staff = await makeStaff("viewer");
  await makePaidLink(staff, { email: "ada@example.com", title: "Beans" });
  await makeLink(staff.businessId, { email: "ada@example.com", title: "Course", amount_cents: 5000 });
  await openAs(page, staff, "/customers/ada%40example.com");
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("Lifetime value in EUR€10.50");
  await expect(summary).toContainText("Open in EUR€50.00");
  await expect(page.getByRole("region", { name: "Open", exact: true }).getByRole("rowheader")).toHaveText([/Course/]);
  await expect(page.getByRole("region", { name: "Details" }).getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Start subscription" })).toHaveCount(0);
});
