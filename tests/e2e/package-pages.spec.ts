import { expect, type Page } from "@playwright/test";
import { createApiKey } from "@/lib/auth/keys";
import { db } from "@/lib/core/db";
import { saveCardAt } from "@/tests/support/checkout";
import { makePackage, makeTokenization, saved, subscribe } from "@/tests/support/package-rows";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("a package's page from its row: subscribers, edit and cancel", async ({ page }) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  const over = { date_charge_start: new Date("2027-01-31"), description: "One novel a month" };
  const pkg = await makePackage(staff, over);
  await subscribe(staff, pkg, "ada@example.com");
  const card = await makeTokenization(staff, saved);
  await openAs(page, staff, "/packages");
  await openPageOf(page.getByRole("link", { name: "Reading club", exact: true }));
  await expect(page).toHaveURL(new RegExp(`/packages/${pkg.id}$`));
  await expect(title(page)).toHaveText("Reading club");
  for (const fact of ["€15.00 a month", "31 Jan 2027", "One novel a month", "Customers can subscribe to it."])
    await expect(region(page, "Details")).toContainText(fact);
  const subscriptions = region(page, "Subscriptions");
  await expect(subscriptions.getByRole("link", { name: "All subscriptions" })).toHaveAttribute(
    "href",
    `/subscriptions?package_id=${pkg.id}`,
  );

  await expect(subscriptions.getByRole("columnheader")).toHaveText([
    "E-mail",
    "Status",
    "What’s next",
    "Amount",
    "Actions",
  ]);
  await subscriptions.getByRole("link", { name: "ada@example.com" }).click();
  await expect(title(page)).toHaveText("ada@example.com");
  await expect(page.getByRole("link", { name: "Visa ending in 4242" })).toHaveAttribute(
    "href",
    `/tokenizations/${card.id}`,
  );
  await page.getByRole("link", { name: "Reading club" }).click();
  await expect(page).toHaveURL(new RegExp(`/packages/${pkg.id}$`));

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Edit package" });
  await sheet.getByLabel("Name").fill("Writing club");
  await sheet.getByRole("button", { name: "Save package" }).click();
  await expect(title(page)).toHaveText("Writing club");
  const past = page.getByRole("list", { name: "History" });
  await expect(past).toContainText("Package changed");
  await page.getByRole("button", { name: "Actions for Writing club", exact: true }).click();
  await page.getByRole("menuitem", { name: "Cancel package" }).click();
  const question = page.getByRole("alertdialog", { name: "Cancel this package?" });
  await expect(question).toContainText("Its one subscriber is still charged");
  await question.getByRole("button", { name: "Cancel package" }).click();
  await expect(region(page, "Details")).toContainText("No new subscriptions.");
  await expect(past.getByRole("listitem").first()).toContainText("Package cancelled");
  await expect(page.getByRole("button", { name: "Actions for Writing club", exact: true })).toHaveCount(0);
});

test("a tokenization's page from its row on a phone: its link, card, payments and revocation", async ({
  page,
  context,
  baseURL,
}) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  const { id, token } = await makeTokenization(staff);
  const { key } = await createApiKey({ businessId: staff.businessId, livemode: false, name: "Web shop" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, staff, "/tokenizations");
  await expect(page.getByRole("table")).toHaveCount(0); // a desktop browser's first HTML has a table at any width
  await page.getByRole("link", { name: "ada@example.com", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/tokenizations/${id}$`));
  await expect(title(page)).toHaveText("ada@example.com");
  const details = region(page, "Details");
  await expect(details).toContainText("The payer can save a card on the activation page until");
  await expect(details).toContainText("For later orders");
  await expect(details.getByRole("link", { name: "ada@example.com" })).toHaveAttribute(
    "href",
    "/customers/ada%40example.com",
  );
  await expect(page.getByRole("list", { name: "Next" })).toContainText("Activation page expires");
  await page.getByRole("button", { name: "Copy link" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/activate/${token}`);
  await expect(details).toContainText(`/activate/${token}`);

  await saveCardAt(`/activate/${token}`);
  const link = await makeLink(staff.businessId, { email: "ada@example.com" });
  const charged = await fetch(`${baseURL}/api/payment-links/${link.id}/charge`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  expect(charged.status).toBe(200);
  await expect(details).toContainText("Visa ending in 4242"); // the page looks again by itself
  await expect(details).toContainText("Subscriptions of this e-mail are charged to this card.");
  await expect(details).not.toContainText(token);
  await page.reload();
  await region(page, "Payments with this card").getByRole("link", { name: "Order 1001" }).click();
  await page.getByRole("link", { name: "Saved card, off-session" }).click();
  await expect(region(page, "Subscriptions of this e-mail")).toContainText("This e-mail has no subscriptions.");

  await page.getByRole("button", { name: "Revoke card" }).click();
  const question = page.getByRole("alertdialog", { name: "Revoke this card?" });
  await expect(question).toContainText("Visa ending in 4242 (12/40) of ada@example.com can no longer be charged");
  await question.getByRole("button", { name: "Revoke" }).click();
  await expect(details).toContainText("It can no longer be charged.");
  await expect(details.getByRole("term").filter({ hasText: "Revoked" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Revoke card" })).toHaveCount(0);
  const past = page.getByRole("list", { name: "History" }).getByRole("listitem");
  await expect(past).toContainText(["Card revoked", "Card saved"]);

  // A note written a week later.
  const event = await db.event.findFirstOrThrow({ where: { resource_id: id, type: "tokenization.revoked" } });
  await db.business.update({ where: { id: staff.businessId }, data: { test_clock_ahead: 7 * 86_400_000 } });
  const noted = await fetch(`${baseURL}/api/tokenizations/${id}/annotations`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ notes: "Asked by phone" }),
  });
  expect(noted.status).toBe(200);
  await page.reload();
  await expect(details.locator("dl > div", { hasText: /^Revoked/ }).locator("time")).toHaveAttribute(
    "datetime",
    new RegExp(`^${event.created_at.toISOString().slice(0, 23)}`),
  );
});

test("deletes a package on its page, which then says that it is deleted", async ({ page }) => {
  const staff = await makeStaff();
  const { id } = await makePackage(staff, { name: "Never used" });
  await openAs(page, staff, `/packages/${id}`);
  await expect(page.getByText("No subscriptions yet.")).toBeVisible();
  await page.getByRole("button", { name: "Actions for Never used" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Deleted: Never used")).toBeVisible();
  await expect(page).toHaveURL(/\/packages$/);
  await expect(page.getByRole("heading", { name: "No packages yet" })).toBeVisible();
  await page.goto(`/packages/${id}`);
  await expect(title(page)).toHaveText("This package does not exist");
  await page.getByRole("link", { name: "Go to packages" }).click();
  await expect(page).toHaveURL(/\/packages$/);
});

test("names the card that is charged for an e-mail, and links to it", async ({ page }) => {
  const staff = await makeStaff();
  const earlier = new Date(Date.now() - 86_400_000);
  const old = await makeTokenization(staff, { ...saved, activated_at: earlier });
  const newer = await makeTokenization(staff, { ...saved, card_last4: "4444" });
  await openAs(page, staff, `/tokenizations/${old.id}`);
  await page.getByRole("link", { name: "a card saved later" }).click();
  await expect(page).toHaveURL(new RegExp(`/tokenizations/${newer.id}$`));
  await expect(region(page, "Details")).toContainText("Subscriptions of this e-mail are charged to this card.");
});

test("shows a viewer both pages without their actions", async ({ page }) => {
  const staff = await makeStaff("viewer");
  const pkg = await makePackage(staff);
  const card = await makeTokenization(staff, saved);
  await openAs(page, staff, `/packages/${pkg.id}`);
  await expect(region(page, "Timeline")).toContainText("Nothing yet.");
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  await page.goto(`/tokenizations/${card.id}`);
  await expect(region(page, "Timeline")).toContainText("Nothing yet.");
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
});
