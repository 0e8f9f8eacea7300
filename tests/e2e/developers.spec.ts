import { expect } from "@playwright/test";
import { createApiKey } from "@/lib/auth/keys";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectNoViolations } from "@/tests/support/axe";
import { makeEndpoint } from "@/tests/support/form-rows";
import { makePaidLink } from "@/tests/support/money-rows";
import { makePackage, makeTokenization, saved } from "@/tests/support/package-rows";
import { openPageOf } from "@/tests/support/rows";
import { attempt, makeStaff, openAs, password, test } from "@/tests/support/staff";

test("finds a refused request, shows the reason, and copies it as cURL", async ({ page, context, baseURL }) => {
  const staff = await makeStaff();
  const { key } = await createApiKey({ businessId: staff.businessId, livemode: false, name: "Web shop" });
  const ask = (body: object) =>
    fetch(`${baseURL}/api/payment-links`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  await ask({ email: "ada@example.com", currency: "EUR", amount: "10.50", title: "Ada's order", token: "canary" });
  await ask({ email: "ada@example.com", currency: "EUR", amount: "1050", title: "Ada's order" });
  await expect
    .poll(() => db.apiRequest.count({ where: { business_id: staff.businessId, actor_type: "api_key" } }))
    .toBe(2);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openAs(page, staff);
  await page.getByRole("link", { name: "Requests" }).click();
  await expect(page.getByRole("row")).toHaveCount(3); // with the head; the dashboard's own are not shown
  await page.getByRole("button", { name: "Client error" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectNoViolations(page);
  await openPageOf(page.getByRole("link", { name: "/payment-links", exact: true }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("POST /payment-links");
  await expect(page.getByRole("region", { name: "Details" }).getByRole("time").first()).toHaveText(
    /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$/, // a log: its entries are often of the same minute
  );
  await expect(page.getByLabel("Response, as text")).toContainText("must be an integer");
  await expect(page.getByLabel("Request, as text")).toContainText("[redacted]");
  await page.getByRole("button", { name: "Copy as cURL" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain('-H "Authorization: Bearer $KEY"');
  expect(command).toContain(`'{"email":"ada@example.com","currency":"EUR","amount":"10.50","title":"Ada'\\''s order"`);
  expect(command).not.toContain("canary");
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Key “Web shop”" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Path begins with").fill("/packages");
  await expect(page.getByText("No results")).toBeVisible();
});

test("a request's id leads to the request from the palette, the search field and the audit log", async ({ page }) => {
  const staff = await makeStaff();
  await page.goto("/settings");
  await attempt(page, staff.email, password); // the audit log is to have a sign-in
  const answered = page.waitForResponse(
    (reply) => /api\/settings$/.test(reply.url()) && reply.request().method() === "PUT",
  );
  const profile = page.getByRole("region", { name: "Profile" });
  await profile.getByLabel("Name").fill("Blue Bottle");
  await profile.getByRole("button", { name: "Save" }).click();
  const id = (await answered).headers()["x-request-id"] ?? "";
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  await expect.poll(() => db.apiRequest.count({ where: { request_id: id } })).toBe(1);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or create" }).fill(` ${id} `);
  await expect(page.getByRole("option", { name: /Find the request/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/developers/requests\\?request_id=${id}$`));
  const row = page.getByRole("row", { name: /PUT/ });
  await expect(row).toContainText("/settings");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByLabel("Made by")).toHaveValue("all");
  await expectNoViolations(page);

  await page.getByLabel("Request ID").fill("none");
  await expect(page.getByRole("heading", { name: "No request with this ID" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Open in live mode" })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Client error" }).click();
  await expect(page.getByText("No request has a status of 4xx and the ID none.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/developers\/requests$/);
  await page.getByLabel("Request ID").fill(id);
  await expect(row).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Request ID")).toHaveValue(id);
  await expect(row).toBeVisible();

  await page.goto("/settings/audit-log");
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(page.getByRole("columnheader")).toHaveText(["What", "When", "Who"]);
  if (viewport) await page.setViewportSize(viewport);
  // The log has no sign-ins.
  const looked = page.waitForResponse(/\/api\/requests\?request_id=/);
  await page.getByRole("button", { name: "Signed in" }).click();
  await looked;
  const signedIn = page.getByRole("dialog", { name: "Signed in" });
  await expect(signedIn.getByText("Request", { exact: true })).toBeVisible();
  await expect(signedIn.getByRole("link")).toHaveCount(0);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Changed the settings" }).click();
  const sheet = page.getByRole("dialog", { name: "Changed the settings" });
  await expectNoViolations(page);
  await sheet.getByRole("link", { name: id }).click();
  await openPageOf(row.getByRole("link"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("PUT /settings");
});

test("creates a test key in the reference, and its cURL command works", async ({ page, baseURL }) => {
  const staff = await makeStaff("developer");
  await openAs(page, staff);
  await page.getByRole("link", { name: "API reference" }).click();
  await page.getByLabel("Endpoint").selectOption("List packages");
  const command = page.getByLabel("Sample", { exact: true });
  await expect(command).toHaveText(`curl '${baseURL}/api/packages' \\\n  -H "Authorization: Bearer $KEY"`);
  await page.getByRole("button", { name: "Create a test key" }).click();
  await expect(page.getByText("you won’t see it again")).toBeVisible();
  const key = (await command.textContent())?.match(/sk_test_[\w-]{43}/)?.[0];
  const reply = await fetch(`${baseURL}/api/packages`, { headers: { Authorization: `Bearer ${key}` } });
  expect(reply.status).toBe(200);
  await expectNoViolations(page);
  const kept = await db.apiKey.findFirstOrThrow({ where: { business_id: staff.businessId } });
  expect(kept).toMatchObject({ name: "API reference", livemode: false, scopes: ["read", "write"] });
  expect(kept.expires_at?.getTime()).toBeLessThan(Date.now() + 8 * 86_400_000);
  await page.reload();
  await expect(command).toContainText("$KEY");
  await page.getByLabel("Language").selectOption("Python");
  await expect(command).toContainText("os.environ['KEY']");
  await expect(page.getByRole("link", { name: /Open the reference/ })).toHaveAttribute("href", "/docs");
});

test("a key's page opens from its id, its row and the audit log", async ({ page }) => {
  const staff = await makeStaff();
  const { id } = await createApiKey({
    businessId: staff.businessId,
    livemode: false,
    name: "Web shop",
    scopes: ["read"],
  });
  await openAs(page, staff, "/developers/keys");
  await page.getByRole("link", { name: "Web shop" }).click();
  await expect(page).toHaveURL(new RegExp(`/developers/keys\\?peek=${id}$`));
  await page.getByRole("link", { name: "Open page" }).click();
  await expect(page).toHaveURL(new RegExp(`/developers/keys/${id}$`));
  const head = page.getByRole("heading", { level: 1 });
  await expect(head).toHaveText("Web shop");
  await expect(page.getByText("Never", { exact: true })).toHaveCount(2); // used; it expires
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Requests with this key" }).click();
  await expect(page).toHaveURL(new RegExp(`/developers/requests\\?api_key_id=${id}$`));
  await page.goBack();
  await page.getByRole("button", { name: "Actions for Web shop" }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate" }).click();
  await expect(page.locator("[data-secret]")).toHaveText(/^sk_test_/);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await page.getByRole("link", { name: "Open the new key" }).click();
  await expect(page).toHaveURL(new RegExp(`/developers/keys/key_(?!${id.slice(4)})`));
  await page.getByRole("button", { name: "Actions for Web shop" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await expect(page.getByRole("alertdialog").locator("bdi")).toHaveText("Web shop");
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toHaveCount(2); // the badge, and when
  await expect(page.getByRole("button", { name: "Actions for Web shop" })).toHaveCount(0);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or create" }).fill(id);
  await expect(page.getByRole("option", { name: "Open the API key" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Rotated", { exact: true })).toBeVisible();
  await db.apiKey.update({ where: { id }, data: { expires_at: new Date() } });
  await page.reload();
  await expect(page.getByText("Expired", { exact: true })).toHaveCount(2); // the badge, and when

  await page.goto("/settings/audit-log");
  await page.getByRole("button", { name: "Rotated an API key" }).click();
  await page.getByRole("dialog").getByRole("link", { name: id }).click();
  await expect(page).toHaveURL(new RegExp(`/developers/keys/${id}$`));
});

test("navigates everywhere by keyboard alone: to pages, and to the resource of an id", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makePaidLink(staff, { title: "Espresso beans", email: "ada@example.com" });
  const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: link.id } });
  const pkg = await makePackage(staff);
  const card = await makeTokenization(staff, saved);
  const endpoint = await makeEndpoint(staff);
  const delivery = await db.webhookDelivery.create({
    data: {
      id: newId("whd"),
      business_id: staff.businessId,
      livemode: false,
      endpoint_id: endpoint,
      type: "package.created",
      status: "succeeded",
      next_attempt_at: null,
    },
  });
  await openAs(page, staff);
  const input = page.getByRole("combobox", { name: "Search or create" });
  const palette = async (text: string) => {
    await page.keyboard.press("Control+k");
    await expect(input).toBeFocused();
    await page.keyboard.type(text);
  };
  await palette("");
  await expect(page.getByRole("option", { name: "Webhooks" })).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press("Escape");
  await expect(input).toHaveCount(0);
  await palette("e-ma");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/emails$/);
  await palette(link.id);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/payment-links/${link.id}$`));
  await palette(` ${payment.id} `);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/payments/${payment.id}$`));
  await palette(pkg.id); // nobody has subscribed to it
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/packages/${pkg.id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Reading club");
  await palette(card.id);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/tokenizations/${card.id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ada@example.com");
  await palette(delivery.id);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/developers/webhooks/${endpoint}\\?delivery=${delivery.id}$`));
  const opened = page.getByRole("dialog", { name: "Delivery" });
  await expect(opened).toContainText("package.created");
  await page.keyboard.press("Escape");
  await expect(opened).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/developers/webhooks/${endpoint}$`));
  await palette("ada@example.com");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/customers\/ada%40example\.com$/);
  await palette("create");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Create payment link" });
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Control+k"); // a form that is open is not left by it
  await expect(input).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/payment-links$/);
  await palette("zzz");
  await expect(page.getByText("No results for “zzz”")).toBeVisible();
});
