import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { hasToken } from "@/lib/resources/tokenizations/resource";
import { expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makePackage, makeTokenization, saved, subscribe } from "@/tests/support/package-rows";
import { makeStaff, openAs, test } from "@/tests/support/staff";

const act = async (page: Page, row: string, item: string) => {
  await page.getByRole("button", { name: `Actions for ${row}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("creates a package, and shows errors immediately", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/packages");
  await expect(page.getByRole("heading", { name: "No packages yet" })).toBeVisible();
  await page.getByRole("button", { name: "Create package" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create package" });
  await sheet.getByLabel("Amount each period").fill("4.99");
  await sheet.getByLabel("Name").fill("x".repeat(51)); // leaving a field is enough
  await expect(sheet.getByLabel("Amount each period")).toHaveAccessibleDescription("The amount must be at least 5.00.");
  await sheet.getByLabel("Amount each period").fill("1050,50");
  await expect(sheet.getByLabel("Name")).toHaveAccessibleDescription(
    "The name must not be greater than 50 characters.",
  );
  await sheet.getByLabel("Name").fill("Coffee plan");
  await sheet.getByLabel("Currency").selectOption("GBP");
  await sheet.getByLabel("Charged", { exact: true }).selectOption("semiannual");
  await sheet.getByLabel("First charge").fill("2099-01-31");
  await sheet.getByLabel("Description").fill("Two bags");
  await sheet.getByRole("button", { name: "Create package" }).dblclick();
  const row = page.getByRole("row", { name: /Coffee plan/ });
  await expect(row).toContainText("£1,050.50 every 6 months");
  const rows = await db.package.findMany({ where: { business_id: staff.businessId } });
  expect(rows).toMatchObject([
    {
      name: "Coffee plan",
      description: "Two bags",
      amount_cents: 105_050,
      currency: "GBP",
      frequency: "semiannual",
      date_charge_start: new Date("2099-01-31"),
    },
  ]);
});

test("with subscribers, only the fields outside their agreement can change", async ({ page }) => {
  const staff = await makeStaff();
  const pkg = await makePackage(staff, { date_charge_start: new Date("2027-01-31") });
  await subscribe(staff, pkg, "ada@example.com");
  await subscribe(staff, pkg, "grace@example.com", "cancel");
  await openAs(page, staff, "/packages");
  const row = page.getByRole("row", { name: /Reading club/ });
  await expect(row.getByRole("link", { name: "Show 1 subscriber of Reading club" })).toHaveAttribute(
    "href",
    `/subscriptions?package_id=${pkg.id}`,
  );
  await row.getByRole("button", { name: "Edit Reading club" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit package" });
  const existing = sheet.getByRole("combobox", { name: "Existing subscribers" });
  await expect(existing).toHaveValue("keep_price");
  await expect(existing).toHaveAccessibleDescription(/^One subscriber\. With the new amount, each gets an e-mail now/);
  await expect(sheet.getByText("EUR – Euro")).toBeVisible();
  await expect(sheet.getByText("31 Jan 2027")).toBeVisible();
  await expect(sheet.getByText("One customer has subscribed on these terms.")).toBeVisible();
  await expect(sheet.getByLabel("Amount each period")).toHaveAccessibleDescription("New subscriptions pay it.");
  await sheet.getByLabel("Amount each period").fill("17.50");
  const changes = sheet.getByRole("region", { name: "Subscribers whose price changes" });
  await expect(changes).toHaveCount(0);
  await existing.selectOption({ label: "Pay the new amount, after a notice" });
  await expect(changes).toContainText(/ada@example\.com€15\.00, then €17\.50 from \d+ \w+ 20\d\d$/);
  await sheet.getByLabel("Amount each period").fill("15");
  await expect(changes).toHaveText("No subscriber’s price would change.");
  await sheet.getByLabel("Amount each period").fill("17.50");
  await expect(changes).toContainText("€17.50");
  await sheet.getByRole("button", { name: "Save package" }).click();
  await expect(row).toContainText("€17.50");
  expect(await db.package.findUnique({ where: { id: pkg.id } })).toMatchObject({
    amount_cents: 1750,
    date_charge_start: new Date("2027-01-31"),
  });
  await row.getByRole("link", { name: "Show 1 subscriber of Reading club" }).click();
  await expect(page.getByRole("row", { name: /ada@example.com/ })).toContainText("€15.00 a month"); // until the notice is over
  await page.goto("/packages");
  await act(page, "Reading club", "Cancel package");
  await expect(page.getByRole("alertdialog")).toContainText("Its one subscriber is still charged");
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel package" }).click();
  await expect(row).toContainText("Cancelled");
  await expect(page.getByRole("button", { name: "Actions for Reading club" })).toHaveCount(0);
});

test("deletes a package without subscribers; explains the refusal for one with ended subscriptions", async ({
  page,
}) => {
  const staff = await makeStaff();
  const left = await makePackage(staff, { name: "Left by all" });
  await subscribe(staff, left, "ada@example.com", "cancel");
  await makePackage(staff, { name: "Never used" });
  await openAs(page, staff, "/packages");
  for (const name of ["Never used", "Left by all"]) {
    await act(page, name, "Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
  }
  await expect(page.getByText("The package has subscriptions. Cancel it instead of deleting it.")).toBeVisible();
  await expect(page.getByRole("rowheader")).toHaveText(["Left by all"]);
});

test("filters packages, and keeps the filters in the address", async ({ page }) => {
  const staff = await makeStaff();
  await makePackage(staff);
  await makePackage(staff, { name: "Coffee plan", status: "cancel" });
  await openAs(page, staff, "/packages");
  await page.getByRole("button", { name: "Cancelled" }).click();
  await expect(page.getByRole("rowheader")).toHaveText(["Coffee plan"]);
  await page.getByRole("searchbox").fill("reading");
  await expect(page.getByText("No package has the status Cancelled and “reading” in it.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("reading");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(2);
});

test("tokenizations: requests a card, copies its link, revokes a saved one", async ({ page, context }) => {
  const staff = await makeStaff();
  await makeTokenization(staff, { email: "grace@example.com", ...saved });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openAs(page, staff, "/tokenizations");
  await page.getByRole("button", { name: "Create tokenization" }).click();
  const sheet = page.getByRole("dialog", { name: "Create tokenization" });
  await sheet.getByRole("button", { name: "Create tokenization" }).click();
  await expect(sheet.getByLabel("Payer’s e-mail")).toHaveAccessibleDescription(
    "Enter an e-mail address, such as anna@example.com.",
  );
  await expect(sheet.getByLabel("Payer’s e-mail")).toBeFocused();
  await sheet.getByLabel("Payer’s e-mail").fill("ada@example.com");
  await sheet.getByLabel("Title").fill("Card on file");
  await sheet.getByLabel("Description").fill("For later orders");
  await sheet.getByRole("button", { name: "Create tokenization" }).click();
  await expect(sheet.getByRole("heading", { name: "Activation link ready" })).toBeFocused();
  await expect(sheet.getByRole("link", { name: /^Open/ })).toHaveAttribute("href", /\/activate\/[\w-]+/);
  await sheet.getByRole("button", { name: "Done" }).click();
  const pending = page.getByRole("row", { name: /ada@example.com/ });
  await expect(pending).toContainText("Pending");
  await pending.getByRole("button", { name: "Copy the activation link of ada@example.com" }).click();
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  const token = copied.pathname.replace("/activate/", "");
  expect(await db.tokenization.findFirst({ where: hasToken(token) })).toMatchObject({
    business_id: staff.businessId,
    status: "pending",
  });
  const active = page.getByRole("row", { name: /grace@example.com/ });
  await expect(active).toContainText("Visa ending in 4242 12/40");
  await act(page, "grace@example.com", "Revoke");
  await expect(page.getByRole("alertdialog")).toContainText("can no longer be charged");
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(active).toContainText("Revoked");
  await page.getByRole("button", { name: "Pending" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(1);
});

test("long texts fit on a phone and a desktop, and axe finds no violations in dialogs in either colour scheme", async ({
  page,
}) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  const pkg = await makePackage(staff, { name: "W".repeat(50), amount_cents: 3_000_000, currency: "KWD" });
  await subscribe(staff, pkg, "ada@example.com");
  await makePackage(staff, { description: "long ".repeat(50), status: "cancel" });
  await makeTokenization(staff, { email: `${"long.".repeat(10)}address@example.com` });
  for (const status of ["active", "revoked"]) await makeTokenization(staff, { ...saved, status });
  await makeTokenization(staff, { expires_at: new Date(0) });
  const check = () => expectAccessibleAtBothWidths(page);
  const fits = () => expectNoOverflow(page, phoneWidth, 1280);
  await openAs(page, staff, "/packages");
  await expect(page.getByText("W".repeat(50))).toBeVisible();
  await fits();
  await page.getByRole("button", { name: `Edit ${pkg.name}` }).click();
  await expect(page.getByText("subscribed on these terms")).toBeVisible();
  await check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create package" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create package" }).click();
  await expect(page.getByText("Enter a name.")).toBeVisible();
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused();
  await expect(page.getByText("Enter an amount.")).toBeVisible();
  await check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Actions for ${pkg.name}` }).click();
  await page.getByRole("menuitem", { name: "Cancel package" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await check();
  await page.goto("/tokenizations");
  await expect(page.getByText("Not saved in time")).toBeVisible();
  await fits();
});
