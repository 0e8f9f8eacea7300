import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makePaidLink } from "@/tests/support/money-rows";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const nameOf = (businessId: number, email: string, name: string) =>
  db.customer.updateMany({ where: { business_id: businessId, email }, data: { name } });

test("a customer's e-mail is changed by keyboard, and both pages say so", async ({ page }) => {
  const staff = await makeStaff();
  const open = await makeLink(staff.businessId, { email: "ada.old@example.com", title: "Atlas" });
  await makePaidLink(staff, { email: "ada.old@example.com", title: "Globe" });
  await makeLink(staff.businessId, { email: "bob@example.com" });
  await nameOf(staff.businessId, "ada.old@example.com", "Ada Lovelace");
  await openAs(page, staff, "/customers/ada.old%40example.com");
  await page.getByRole("button", { name: "Change e-mail" }).press("Enter");
  const sheet = page.getByRole("dialog", { name: "Change e-mail" });
  const field = sheet.getByLabel("New e-mail");
  await expect(field).toBeFocused();
  await expectNoViolations(page);
  await field.fill("bob@example.com");
  await field.press("Enter");
  await expect(sheet.getByRole("alert")).toContainText("A customer with this e-mail already exists.");
  await field.fill("ada@lovelace.example");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/customers\/ada(%40|@)lovelace\.example$/);
  await expect(page.getByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeVisible();
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("Previously ada.old@example.com");
  expect((await db.paymentLink.findUniqueOrThrow({ where: { id: open.id } })).email).toBe("ada@lovelace.example");
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline).toContainText("E-mail changed");
  await expect(timeline).toContainText("Previously ada.old@example.com");
  await summary.getByRole("link", { name: "ada.old@example.com" }).click();
  await expect(summary).toContainText("Changed to ada@lovelace.example");
  await expect(page.getByRole("region", { name: "Payments", exact: true })).toContainText("Globe");
});

test("a customer is found by e-mail; the page has all of theirs, one timeline, and no address in its rows", async ({
  page,
}) => {
  const staff = await makeStaff();
  await makePaidLink(staff, { email: "Ada@example.com", title: "Globe" });
  const atlas = await makeLink(staff.businessId, { email: "ada@example.com", title: "Atlas", amount_cents: 5000 });
  await db.email.createMany({
    data: Array.from({ length: 8 }, (_, hours) => ({
      ...{ id: newId("eml"), business_id: staff.businessId, livemode: false, payment_link_id: atlas.id },
      ...{ template: "payment_link", to: "ada.old@example.com", status: "outbox", next_attempt_at: null, props: {} },
      created_at: new Date(Date.now() - (hours + 24) * 3_600_000),
    })),
  });
  await makeLink(staff.businessId, { email: "zoe@example.com" });
  await nameOf(staff.businessId, "ada@example.com", "Ada Lovelace");
  await openAs(page, staff, "/customers");
  const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveCount(2);
  await page.getByRole("searchbox").fill("ADA@EXAMPLE.COM");
  await expect(rows).toHaveCount(1);
  await openPageOf(page.getByRole("link", { name: "Ada Lovelace" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada Lovelace");
  await expect(page.getByRole("region", { name: "Summary" })).toContainText("Open in EUR€50.00");
  await expect(page.getByRole("region", { name: "Payment links" }).getByRole("rowheader")).toHaveCount(2);
  await expect(page.getByRole("region", { name: "Payments", exact: true }).getByRole("rowheader")).toHaveCount(1);
  const timeline = page.getByRole("region", { name: "Timeline" });
  const charge = timeline.getByRole("listitem").filter({ hasText: "Payment of €10.50 succeeded" });
  await expect(charge).toContainText("Globe · Visa ending in 4242");
  await expect(charge.getByRole("link")).toHaveAttribute("href", /^\/payments\/pay_/);
  const history = timeline.getByRole("list", { name: "History" }).getByRole("listitem");
  await expect(history).toHaveCount(6);
  await timeline.getByRole("button", { name: "Show more" }).press("Enter");
  await expect(history).not.toHaveCount(6);
  await expect(history.nth(6)).toBeFocused();
  const first = ["Summary", "Open", "Payments", "Subscriptions", "Cards", "Payment links"];
  const regions = await page
    .getByRole("main")
    .getByRole("region")
    .evaluateAll((parts) => parts.map((part) => part.getAttribute("aria-label")));
  expect(regions).toEqual([...first, "E-mails", "Timeline", "Notes", "Metadata"]);
  for (const name of ["Payments", "Payment links", "Open", "E-mails"]) {
    const part = page.getByRole("region", { name, exact: true });
    await expect(part).toBeVisible();
    await expect(part).not.toContainText("ada@example.com");
  }
  await page.setViewportSize({ width: phoneWidth, height: 844 });
  const payments = page.getByRole("region", { name: "Payments", exact: true });
  await expect(payments.getByRole("listitem")).toContainText("Visa ending in 4242");
  await expect(payments).not.toContainText("ada@example.com");
  await expectNoOverflow(page, phoneWidth);
  await expectNoViolations(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Create payment link" }).click();
  await expect(page.getByRole("dialog").getByLabel("Payer’s e-mail")).toHaveValue("ada@example.com");
});

test("lists come with the names of customers, and ask once for those of all rows that come later", async ({ page }) => {
  const staff = await makeStaff();
  for (const email of ["nora@example.com", "bob@example.com", "nora@example.com"])
    await makePaidLink(staff, { email, title: "Globe" });
  await nameOf(staff.businessId, "nora@example.com", "Nora Field");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/customers/names")) asked.push(request.url());
  });
  for (const [email, name] of [
    ["ida@example.com", "Ida Wells"],
    ["max@example.com", "Max Roe"],
  ] as const) {
    await makeLink(staff.businessId, { email, title: "Atlas" });
    await nameOf(staff.businessId, email, name);
  }
  await openAs(page, staff, "/payment-links?status=Paid");
  await expect(page.getByText("Nora Field")).toHaveCount(2);
  await expect(page.getByText("bob@example.com")).toBeVisible();
  await page.getByRole("link", { name: "Payments", exact: true }).first().click();
  await expect(page).toHaveURL(/\/payments$/);
  await expect(page.getByText("Nora Field")).toHaveCount(2);
  await expectNoViolations(page);
  await page.goBack();
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Active", exact: true }).click();
  await expect(page.getByText("Ida Wells")).toBeVisible();
  await expect(page.getByText("Max Roe")).toBeVisible();
  expect(asked).toHaveLength(1);

  // Lists do not search the names of customers, so an empty result links to the customers that match.
  await page.getByRole("searchbox").fill("field");
  await expect(page.getByText("and “field” in its title, e-mail, reference or description.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Payment links of Nora Field" })).toBeVisible();
  await page.getByRole("link", { name: "Payments", exact: true }).first().click();
  await expect(page).toHaveURL(/\/payments$/);
  await expect(page.getByText("Nora Field")).toHaveCount(2);
  await page.getByRole("searchbox").fill("field");
  await expect(page.getByText("No payment has “field” in its title, e-mail, reference or card.")).toBeVisible();
  await expectNoViolations(page, "an empty list with a customer");
  await page.getByRole("link", { name: "Payments of Nora Field" }).click();
  await expect(page).toHaveURL(/\/payments\?email=nora%40example\.com$/);
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.getByText("Nora Field")).toHaveCount(2);
});
