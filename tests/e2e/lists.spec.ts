import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { cursorAt, maxChecked } from "@/lib/http/list";
import { expectNoViolations } from "@/tests/support/axe";
import { payAt } from "@/tests/support/checkout";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makePackage, subscribe } from "@/tests/support/package-rows";
import { makeLink, makeStaff, moveToAnotherDay, openAs, plantIn, test } from "@/tests/support/staff";

test("a list that has checked many rows without a match says so, goes on from there, and says where it ends", async ({
  page,
}) => {
  const staff = await makeStaff();
  const email = "grace@example.com";
  const day = 86_400_000;
  const oldest = { email, status: "Inactive", title: "The oldest order", created_at: new Date(Date.now() - 9 * day) };
  await makeLink(staff.businessId, oldest);
  await db.$executeRaw`
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title)
    SELECT 'pl_' || lpad(n::text, 10, '0') || left(md5(${staff.userId} || n), 26), ${staff.businessId}, false, ${email}, 'EUR', 1050, 'Order ' || n
      FROM generate_series(1, ${maxChecked + 1}::int) AS n`;
  const path = `/payment-links?email=${email}&status=Inactive`;
  await openAs(page, staff, path);
  await expect(page.getByText("No results so far")).toBeVisible();
  await expectNoViolations(page, "a list without a match so far");
  await page.getByRole("button", { name: "Keep searching" }).click();
  await expect(page.getByRole("link", { name: "The oldest order", exact: true })).toBeVisible();
  await expect(page.getByText("No results so far")).toHaveCount(0);

  await db.paymentLink.updateMany({
    where: { business_id: staff.businessId, title: oldest.title },
    data: { status: "Active" },
  });
  await page.goto(path);
  await page.getByRole("button", { name: "Keep searching" }).click();
  await expect(page.getByText("No more results")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("link", { name: /^Order \d+$/ })).toHaveCount(25);
});

test("a list whose order leaves out every row says so, and can be ordered otherwise", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Oak table" });
  await openAs(page, staff, "/payment-links?sort=expires_at");
  const main = page.getByRole("main");
  await expect(main.getByText("No results", { exact: true })).toBeVisible();
  await expect(main.getByText("This order shows only payment links that expire.")).toBeVisible();
  await expectNoViolations(page, "a list whose order leaves out every row");
  await main.getByRole("button", { name: "Newest first" }).click();
  await expect(page.getByRole("link", { name: "Oak table", exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/payment-links$/);
});

test("the HTML of a list has the rows of a range before scripts run", async ({ browser }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Oak table" });
  await makeLink(staff.businessId, { title: "Ash bench", created_at: new Date(Date.now() - 50 * 86_400_000) });
  const context = await browser.newContext({ javaScriptEnabled: false });
  await plantIn(context, staff);
  const page = await context.newPage();
  await page.goto("/payment-links?created_from=week");
  await expect(page.getByRole("row", { name: /Oak table/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Ash bench/ })).toHaveCount(0);
  await context.close();
});

test("a page of a list that has become empty leads to the first one", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Oak table" });
  const end = cursorAt("payment_link", "-created_at", { back: false, at: "2020-01-01T00:00:00.000000Z", id: "0" });
  await openAs(page, staff, `/payment-links?cursor=${end}`);
  await expect(page.getByText("No more results")).toBeVisible();
  await expectNoViolations(page, "an empty page of a list");
  await page.getByRole("button", { name: "Go to first page" }).click();
  await expect(page.getByRole("row", { name: /Oak table/ })).toBeVisible();
});

test("a list is filtered by what people type and by common ranges, summed up, and taken along", async ({ page }) => {
  const staff = await makeStaff();
  const make = (title: string, amount_cents: number, over: object = {}) =>
    makeLink(staff.businessId, { title, amount_cents, ...over });
  await make("Oak table", 124_950);
  await make("Walnut chair", 1_250);
  await make("Ash bench", 9_900, { created_at: new Date(Date.now() - 50 * 86_400_000) });
  await openAs(page, staff, "/payment-links");
  const rows = page.getByRole("link", { name: /^(Oak table|Walnut chair|Ash bench)$/ });
  await expect(rows).toHaveCount(3);
  // The selected state's outline is not clipped.
  const all = page.getByRole("group", { name: "Status" }).getByRole("button", { name: "All" });
  const room = await all.evaluate((pill) => {
    const left = (shown: Element | null) => shown?.getBoundingClientRect().left ?? Infinity;
    return left(pill) - left(pill.closest("fieldset"));
  });
  expect(room).toBeGreaterThan(1);

  await page.getByRole("searchbox", { name: "Search payment links" }).fill("1,249.50");
  await expect(rows).toHaveText(["Oak table"]);
  await page.getByRole("searchbox", { name: "Search payment links" }).fill("");
  await expect(rows).toHaveCount(3);

  await page.getByRole("button", { name: "Filters" }).click();
  const currencies = await page.getByLabel("Currency", { exact: true }).locator("option").allTextContents();
  expect(currencies.slice(0, 4)).toEqual(["Any", "EUR", "USD", "GBP"]);
  expect(currencies).toContain("AED");
  // The API accepts units of account, so lists are filtered by them, too.
  expect(currencies.slice(-10)).toContain("CHW");
  const least = page.getByRole("textbox", { name: "Amount, at least" });
  for (const unclear of ["lots", "1,050"]) {
    await least.fill(unclear);
    await expect(page).toHaveURL(new RegExp(`amount_from=${encodeURIComponent(unclear)}`));
    await expect(least).toHaveAccessibleDescription("Not applied. Type an amount like 12.50 or 1050.00.");
    await expect(page.getByRole("button", { name: "Filters", exact: true })).toBeVisible(); // without a count
    await expect(page.getByRole("button", { name: "Remove filter: Amount, at least" })).toHaveCount(0);
    await expect(rows).toHaveCount(3);
  }
  await page.getByRole("textbox", { name: "Amount, at least" }).fill("99");
  await expect(rows).toHaveText(["Oak table", "Ash bench"]);
  await expect(page.getByText("2 results: €1,348.50")).toBeVisible();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await expect(rows).toHaveText(["Oak table"]);
  // By its name, so that a bookmark or a saved view moves with the calendar.
  await expect(page).toHaveURL(/created_from=week/);
  await expect(page.getByRole("listitem").filter({ hasText: "Created: Last 7 days" })).toBeVisible();
  await expect(page.getByLabel("Created to")).toHaveValue(/^\d{4}-/);
  await expect(page.getByText("1 result: €1,249.50")).toBeVisible();
  await expectNoViolations(page, "a filtered list");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const file = await (await download).createReadStream();
  const text = Buffer.concat(await file.toArray()).toString();
  expect(text.trim().split("\r\n")).toHaveLength(2);
  expect(text).toContain("Oak table");

  await page.getByRole("button", { name: "Remove filter: Amount, at least" }).click();
  await expect(rows).toHaveText(["Walnut chair", "Oak table"]);
  await expect(page.getByRole("button", { name: "Clear all" })).toHaveCount(0); // one filter has its own button
  await page.getByRole("textbox", { name: "Reference (exact)" }).fill("INV-9");
  await expect(page.getByRole("listitem").filter({ hasText: "INV-9" })).toBeVisible();
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.getByText(/results?:/)).toHaveCount(0);
});

test("of several filters that change at once, each one stays", async ({ page }) => {
  const staff = await makeStaff();
  const make = (reference: string, email: string) =>
    makeLink(staff.businessId, { title: `${reference} of ${email}`, reference, email });
  for (const reference of ["INV-1", "INV-2"])
    for (const email of ["ada@example.com", "grace@example.com"]) await make(reference, email);
  await openAs(page, staff, "/payment-links");
  await expect(page.getByRole("link", { name: /^INV-/ })).toHaveCount(4);
  await page.getByRole("button", { name: "Filters" }).click();
  // In one task, so that the page has not shown the first one when the second one is applied.
  await page.getByRole("group", { name: "More filters" }).evaluate((group) => {
    const typed = { "Payer’s e-mail (exact)": "ada@example.com", "Reference (exact)": "INV-2" };
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
    for (const [label, text] of Object.entries(typed)) {
      const field = [...group.querySelectorAll("label")].find(({ textContent }) => textContent === label)?.control;
      set?.call(field, text);
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  await expect(page.getByRole("link", { name: /^INV-/ })).toHaveText(["INV-2 of ada@example.com"]);
  await expect(page).toHaveURL(/email=ada%40example\.com/);
  await expect(page).toHaveURL(/reference=INV-2/);
});

test("a heading sorts the list by amount and back, a phone by a choice", async ({ page }) => {
  const staff = await makeStaff();
  for (const [title, amount_cents] of [
    ["Oak table", 124_950],
    ["Walnut chair", 1_250],
    ["Ash bench", 9_900],
  ] as const)
    await makeLink(staff.businessId, { title, amount_cents });
  await openAs(page, staff, "/payment-links");
  const rows = page.getByRole("link", { name: /^(Oak table|Walnut chair|Ash bench)$/ });
  const heading = page.getByRole("columnheader", { name: "Amount" });
  await expect(heading).toHaveAttribute("aria-sort", "none");
  await heading.getByRole("button").click();
  await expect(rows).toHaveText(["Oak table", "Ash bench", "Walnut chair"]);
  await expect(heading).toHaveAttribute("aria-sort", "descending");
  await heading.getByRole("button").press("Enter");
  await expect(rows).toHaveText(["Walnut chair", "Ash bench", "Oak table"]);
  await expect(heading).toHaveAttribute("aria-sort", "ascending");
  await expect(page).toHaveURL(/\?sort=amount$/);
  await expectNoViolations(page, "a sorted list");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Order").selectOption("Largest amount first");
  await expect(rows).toHaveText(["Oak table", "Ash bench", "Walnut chair"]);
  await page.getByLabel("Order").selectOption("Oldest first");
  await expect(page).toHaveURL(/sort=created_at/);
  await expect(rows).toHaveText(["Oak table", "Walnut chair", "Ash bench"]);

  // There, the filters cover the list. A button that stays in view leads back to it.
  const from = page.getByRole("textbox", { name: "Amount, at least" });
  const to = page.getByRole("textbox", { name: "Amount, at most" });
  expect((await from.boundingBox())?.y).toBe((await to.boundingBox())?.y);
  const results = page.getByRole("button", { name: "Show results" });
  const clear = page.getByRole("button", { name: "Clear all" });
  await expect(results).toBeInViewport({ ratio: 1 });
  await expect(clear).toHaveCount(0);
  await to.fill("20");
  await expect(rows).toHaveText(["Walnut chair"]);
  await expectNoViolations(page, "the filters on a phone");
  await clear.click();
  await expect(rows).toHaveCount(3);
  await expect(to).toHaveValue("");
  await expect(results).toBeFocused();
  await page.getByRole("textbox", { name: "Metadata value" }).scrollIntoViewIfNeeded();
  await results.press("Enter");
  await expect(from).toBeHidden();
  await expect(rows.first()).toBeInViewport();
  await expect(page.getByRole("button", { name: "Filters" })).toBeFocused();
});

test("subscriptions are filtered by price and by when they were created or ended, and counted", async ({ page }) => {
  const staff = await makeStaff();
  const [club, paper] = [
    await makePackage(staff, { name: "Reading club" }),
    await makePackage(staff, { name: "Newspaper", amount_cents: 700, currency: "USD" }),
  ];
  await subscribe(staff, club, "ada@example.com");
  await subscribe(staff, club, "bob@example.com", "cancel");
  await subscribe(staff, paper, "zoe@example.com");
  await db.subscription.updateMany({
    where: { business_id: staff.businessId, email: "bob@example.com" },
    data: { created_at: new Date(Date.now() - 50 * 86_400_000) },
  });
  await openAs(page, staff, "/subscriptions");
  const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("textbox", { name: "Amount, at least" }).fill("7");
  await expect(page.getByText("3 results; prices per period: €30.00 and US$7.00")).toBeVisible();
  await page.getByRole("textbox", { name: "Amount, at least" }).fill("7.01");
  await expect(rows).toHaveText([/ada@example/, /bob@example/]);
  await page.getByRole("group", { name: "Created" }).getByRole("button", { name: "Last 30 days" }).click();
  await expect(rows).toHaveText([/ada@example/]);
  await expect(page.getByText("1 result; prices per period: €15.00")).toBeVisible();
  await expectNoViolations(page, "filtered subscriptions");
  await expectNoOverflow(page, phoneWidth, 1280);
  await page.getByRole("button", { name: "Remove filter: Created" }).click();
  await page.getByRole("button", { name: "Remove filter: Amount, at least" }).click();
  await page.getByRole("group", { name: "Ended" }).getByRole("button", { name: "Today" }).click();
  await expect(rows).toHaveText([/bob@example/]);

  // On a phone, the order is a choice. Ended subscriptions are ordered by their ends.
  await page.setViewportSize({ width: phoneWidth, height: 800 });
  const order = page.getByLabel("Order");
  await expect(order).toHaveValue("-ended_at");
  for (const option of await order.locator("option").all()) {
    const value = (await option.getAttribute("value")) ?? "";
    await order.selectOption(value);
    await expect(page).toHaveURL(value === "-ended_at" ? /\?ended_from=today$/ : new RegExp(`[?&]sort=${value}(&|$)`));
    await expect(order).toHaveValue(value);
  }
});

test("customers are filtered by metadata and by when they were first seen, and counted", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { email: "ada@example.com" });
  await makeLink(staff.businessId, { email: "bob@example.com", created_at: new Date(Date.now() - 50 * 86_400_000) });
  await makeLink(staff.businessId, { email: "zoe@example.com" });
  await db.customer.updateMany({
    where: { business_id: staff.businessId, email: { not: "zoe@example.com" } },
    data: { metadata: { tier: "gold" } },
  });
  await openAs(page, staff, "/customers");
  const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveText([/ada@example/, /bob@example/, /zoe@example/]);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("textbox", { name: "Metadata key" }).fill("tier");
  await page.getByRole("textbox", { name: "Metadata value" }).fill("gold");
  await page.getByRole("button", { name: "Add filter" }).click();
  await expect(rows).toHaveText([/ada@example/, /bob@example/]);
  await expect(page.getByText("2 results")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Order" }).locator("option:checked")).toHaveText(
    "First seen, newest first",
  );
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "First seen: Last 7 days" })).toBeVisible();
  await expect(rows).toHaveText([/ada@example/]);
  await expect(page.getByText("1 result")).toBeVisible();
  await expectNoViolations(page, "filtered customers");
  await expectNoOverflow(page, phoneWidth, 1280);
  await page.getByRole("button", { name: "Remove filter: Metadata tier" }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Remove filter: First seen" }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByText(/^\d+ results?$/)).toHaveCount(0);
});

test("packages, API requests and the audit log are exported as they are filtered", async ({ page }) => {
  const staff = await makeStaff();
  const today = await moveToAnotherDay(staff);
  await makePackage(staff, { name: "Reading club" });
  await makePackage(staff, { name: "Newspaper", currency: "USD" });
  const exported = async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await download;
    const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString();
    return { name: file.suggestedFilename(), lines: text.trim().split("\r\n").slice(1) };
  };
  await openAs(page, staff, "/packages?q=news");
  await expect(page.getByRole("row", { name: /Newspaper/ })).toBeVisible();
  const packages = await exported();
  expect(packages.name).toBe(`packages-${today}.csv`);
  expect(packages.lines).toEqual([expect.stringContaining(",Newspaper,")]);
  await page.goto("/settings/audit-log?action=packages.exported");
  await expect(page.getByRole("row", { name: /Exported packages/ })).toBeVisible();
  expect((await exported()).lines).toEqual([expect.stringContaining(",packages.exported,")]);
  await expect
    .poll(async () => {
      await page.goto("/developers/requests?by=people&path=/packages/export");
      return page.getByRole("row", { name: /\/packages\/export/ }).count();
    })
    .toBe(1);
  expect((await exported()).lines).toEqual([expect.stringContaining(",GET,/packages/export,")]);
});

test("an empty list has no controls but those that fill it, and gets the others with its first row", async ({
  page,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "No payment links yet" })).toBeVisible();
  await expect(main.getByRole("searchbox")).toHaveCount(0);
  await expect(main.getByRole("button")).toHaveText(["Create payment link", "Create payment link"]);
  await expect(main.getByRole("link", { name: "Import CSV" })).toBeVisible();
  await expectNoOverflow(page, phoneWidth);
  await page.goto("/customers");
  await expect(main.getByRole("heading", { name: "No customers yet" })).toBeVisible();
  await expect(main.getByRole("searchbox")).toHaveCount(0);
  await expect(main.getByRole("combobox")).toHaveCount(0);
  await makeLink(staff.businessId, { title: "Oak table" });
  await page.goto("/payment-links?q=oak");
  const search = main.getByRole("searchbox");
  const row = main.getByRole("link", { name: "Oak table", exact: true });
  await expect(row).toHaveCount(1);
  await search.fill("elm");
  await expect(main.getByRole("heading", { name: "No results" })).toBeVisible();
  await search.fill("");
  await expect(row).toHaveCount(1);
  await expect(search).toBeFocused();
  await expectNoOverflow(page, phoneWidth);
});

test("a list shows that a link has been paid elsewhere, and keeps the selection", async ({ page }) => {
  await page.clock.install();
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId);
  await openAs(page, staff);
  const row = page.getByRole("row", { name: "Order 1001" });
  await expect(row).toContainText("Active");
  await row.getByRole("checkbox").check();
  await payAt(`/pay?id=${link.id}`);
  await page.clock.fastForward(60_000);
  await expect(row).toContainText("Paid");
  await expect(row.getByRole("checkbox")).toBeChecked();
});
