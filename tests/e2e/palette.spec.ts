import { expect, type Page, type Route } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessible, expectNoViolations } from "@/tests/support/axe";
import { compose } from "@/tests/support/compose";
import { gate } from "@/tests/support/gate";
import { makePaidLink } from "@/tests/support/money-rows";
import { makePackage } from "@/tests/support/package-rows";
import { sidePeek } from "@/tests/support/rows";
import { expectHydrated, makeLink, makeStaff, openAs, type Staff, test } from "@/tests/support/staff";

const field = (page: Page) => page.getByRole("combobox", { name: "Search or create" });
const options = (page: Page) => page.getByRole("option");

/** Opens the palette and types, by keyboard alone. */
async function search(page: Page, text: string, key = "Control+k"): Promise<void> {
  await expectHydrated(page);
  await expect(page.getByRole("dialog")).toHaveCount(0); // an earlier one may be closing
  await page.keyboard.press(key);
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(text);
}

async function makePayment(staff: Staff): Promise<string> {
  const link = await makePaidLink(staff, {
    title: "Oak table",
    email: "anna.berg@example.com",
    amount_cents: 124_950,
    reference: "INV-2026-7",
  });
  return (await db.payment.findFirstOrThrow({ where: { payment_link_id: link.id } })).id;
}

/** Holds the search's responses back. @returns a function that lets them go */
async function holdSearch(page: Page): Promise<() => void> {
  const held: Route[] = [];
  let holds = true;
  await page.route("**/api/search?*", (route) => (holds ? void held.push(route) : route.continue()));
  return () => {
    holds = false;
    for (const route of held) void route.continue();
  };
}

test("finds a payment by last four, amount, reference or e-mail, and a package by its name, by keyboard alone", async ({
  page,
}) => {
  const staff = await makeStaff();
  const payment = await makePayment(staff);
  await makeLink(staff.businessId, { title: "Ash bench", email: "zoe@example.com", amount_cents: 1250 });
  const pkg = await makePackage(staff);
  await openAs(page, staff, "/customers");
  const key = "/";
  for (const opens of [key, "Control+k"]) {
    await search(page, "nobody", opens);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.locator("a:focus, button:focus"), "nothing had the focus before").toHaveCount(0);
  }
  await page.keyboard.press("j");
  const row = page.locator("a:focus");
  await expect(row).toHaveText("anna.berg@example.com");
  await search(page, "nobody", key);
  await page.keyboard.press("Escape");
  await expect(row).toHaveText("anna.berg@example.com");
  for (const text of ["4242", "1249.50", "1,249.50", "INV-2026"]) {
    await search(page, text, key);
    await page.keyboard.press("Enter"); // before the results are there
    await expect(page).toHaveURL(new RegExp(`/payments/${payment}$`));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("€1,249.50");
    await page.goBack();
    await expect(page).toHaveURL(/\/customers$/);
  }

  await search(page, "berg");
  await expect(options(page)).toHaveText([
    /^anna\.berg@example\.com/,
    /^Oak table\s*Visa ending in 4242 · \d.* · anna\.berg@example\.com\s*€1,249\.50\s*Succeeded$/,
    "All payments with “berg”",
    /^Oak table\s*\d.* · anna\.berg@example\.com\s*€1,249\.50\s*Paid$/,
    "All payment links with “berg”",
  ]);
  await expect(page.getByRole("status").filter({ hasText: "5 results" })).toBeAttached();
  const amounts = options(page).getByText("€1,249.50");
  const ends = await amounts.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
  expect(ends).toEqual([ends[0], ends[0]]);
  await expectAccessible(page, "the palette with results");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/payments\?q=berg$/);

  await search(page, "berg");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/customers\/anna\.berg%40example\.com$/);

  await search(page, "berg");
  await options(page).last().click();
  await expect(page).toHaveURL(/\/payment-links\?q=berg&periods=shown$/);

  await search(page, "zzz");
  await expect(page.getByText("No results for “zzz”")).toBeVisible();
  await expect(page.getByText("To find an amount, include the cents")).toHaveCount(0);
  await field(page).fill("386");
  await expect(page.getByText("To find an amount, include the cents: 386.40.")).toBeVisible();
  await expectNoViolations(page, "the palette without results");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("berg");
  await expect(options(page)).toHaveCount(5);
  await page.keyboard.press("Escape");

  await search(page, "club");
  await expect(options(page)).toHaveText([/^Reading club\s*\d.*€15\.00\s*Active$/]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/packages/${pkg.id}$`));
});

test("keeps what is typed before its script has loaded", async ({ page }) => {
  const staff = await makeStaff();
  const payment = await makePayment(staff);
  await openAs(page, staff, "/customers");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const { opened: allowed, open: load } = gate();
  await page.route("**/_next/static/**", (route) => allowed.then(() => route.continue()));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("gcoa");
  await page.keyboard.press("Enter");
  await page.keyboard.type("kx");
  await page.keyboard.press("Backspace");
  load();
  await expect(field(page)).toHaveValue("gcoak");
  await expect(page).toHaveURL(/\/customers$/);
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("Escape");

  // The Enter is kept, too: before the script has loaded, and just after the palette was opened again.
  for (const before of ["/customers", "/payments"]) {
    await page.goto(before);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("table");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/payments/${payment}$`));
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("table");
  await page.keyboard.press("Enter");
  await expect(field(page)).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/payments/${payment}$`));
});

test("waits for the results after Enter, and forgets the Enter when the text changes", async ({ page }) => {
  const staff = await makeStaff();
  const payment = await makePayment(staff);
  await openAs(page, staff, "/customers");
  let release = await holdSearch(page);
  await search(page, "oak");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" t");
  release();
  await expect(options(page).first()).toContainText("Oak table");
  await expect(page).toHaveURL(/\/customers$/);
  await compose(page, "に"); // Escape cancels it, not the search
  await page.keyboard.press("Escape");
  await compose(page, "");
  await expect(field(page)).toHaveValue("oak t");
  await page.keyboard.press("Escape");

  release = await holdSearch(page);
  await search(page, "table");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Searching…")).toBeVisible();
  release();
  await expect(page).toHaveURL(new RegExp(`/payments/${payment}$`));
});

test("runs commands and opens pages by their names and by words like them", async ({ page }) => {
  const staff = await makeStaff();
  const other = await db.business.create({ data: { name: "Blue Bottle Garden", timezone: "Europe/Berlin" } });
  await db.membership.create({ data: { business_id: other.id, user_id: staff.userId, role: "owner" } });
  await openAs(page, staff);
  const run = async (text: string) => {
    await search(page, text);
    await page.keyboard.press("Enter");
    await expect(field(page)).toHaveCount(0);
  };
  await run("dark");
  await expect(page.locator("html")).toHaveAttribute("data-mode", "dark");
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).click();
  await expect(page.getByRole("menuitemradio", { name: "Dark" })).toBeChecked();
  await page.keyboard.press("Escape");
  await run("system theme");
  await expect(page.locator("html")).not.toHaveAttribute("data-mode");

  await run("invite");
  const invite = page.getByRole("dialog", { name: "Invite teammate" });
  await expect(invite.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(invite).toHaveCount(0);
  await expect(page).toHaveURL(/\/team$/);

  for (const [text, found] of [
    ["new link", "Create payment link"],
    ["2fa", "Your account"],
    ["logout", "Sign out"],
    ["forecast", "Overview"],
    ["report", "Overview"],
    ["mrr", "Overview"],
    ["receipt", "E-mails"],
    ["close day", "Exports"],
    ["journal", "Exports"],
    ["create webhook", "Create webhook endpoint"],
  ] as const) {
    await search(page, text);
    await expect(options(page).filter({ hasText: found })).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(field(page)).toHaveCount(0);
  }

  await run("documentation");
  await expect(page).toHaveURL(/\/developers\/reference$/);
  await run("create api");
  await expect(page.getByRole("dialog", { name: "Create API key" }).getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Escape");
  await run("keyboard");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await run("switch to live");
  await expect(page.getByRole("button", { name: "Live", exact: true })).toHaveAttribute("aria-pressed", "true");
  await run("garden");
  await expect(page.getByRole("button", { name: "Business: Blue Bottle Garden" })).toBeVisible();
});

test("shows recent places first, and forgets them at sign-out", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { title: "Walnut chair" });
  await makeLink(staff.businessId, { title: "Oak bench" });
  await openAs(page, staff, `/payment-links/${link.id}`);
  await expect(page.getByRole("heading", { name: "Walnut chair" })).toBeVisible();
  const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");

  await search(page, "");
  await expect(recent).toHaveCount(0); // the page that is open is not one of them
  await page.keyboard.type("payouts");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/payouts$/);
  await search(page, "");
  await expect(recent).toHaveText([/^Walnut chair · \S+@\S+\s*Payment link$/]);
  await expectAccessible(page, "the palette with recent places");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/payment-links/${link.id}$`));
  await page.reload();
  await search(page, "");
  await expect(recent).toHaveText(["Payouts"]);
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Payment links" }).first().click();
  await page.getByRole("link", { name: "Oak bench", exact: true }).click();
  await expect(sidePeek(page).getByRole("heading", { name: "Oak bench" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("Oak bench · ");
  await search(page, "");
  await expect(recent).toHaveText([/^Oak bench · /, /^Walnut chair · /, "Payouts"]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0); // it takes the keys until it has closed
  await page.keyboard.press("Escape"); // the side peek covers the mode
  await expect(sidePeek(page)).toHaveCount(0);

  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(page).toHaveURL(/\/payment-links$/);
  await search(page, "");
  await expect(options(page).first()).toHaveText("Overview");
  await expect(recent).toHaveCount(0);

  await page.keyboard.type("sign out");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("Walnut");
  await page.context().addCookies([{ name: "paydesk-mode", value: "test", url: page.url() }]);
  await openAs(page, staff, "/customers");
  await search(page, "");
  await expect(options(page).first()).toHaveText("Overview");
  await expect(recent).toHaveCount(0);
});

test("a failed search leaves pages and commands", async ({ page }) => {
  await openAs(page, await makeStaff());
  await page.route("**/api/search?*", (route) => route.fulfill({ status: 500, json: { message: "Server Error" } }));
  await search(page, "hooks");
  await expect(page.getByRole("alert")).toContainText("The search failed, so you see only pages and commands.");
  await expectNoViolations(page, "the palette after a failure");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/developers\/webhooks$/);
});

test("a viewer sees no command that the API would refuse; a key pressed while the palette closes is the page’s", async ({
  page,
}) => {
  await openAs(page, await makeStaff("viewer"), "/payments");
  await search(page, "");
  await expect(page.getByRole("option", { name: "Payment links" })).toBeVisible();
  await expect(
    page.getByRole("option", { name: /Create|Invite|Add|Import|API keys|API requests|Audit log/ }),
  ).toHaveCount(0);
  await page.keyboard.type("invite");
  await expect(page.getByText("No results for “invite”")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/payments$/);
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys.getByText("Payouts")).toBeVisible();
  await expect(keys.getByText(/^(Create|API keys)$/)).toHaveCount(0);
  await page.keyboard.press("Escape");

  await search(page, "");
  await field(page).evaluate((input) => {
    const press = (key: string) => input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const closing = new MutationObserver(() => {
      if (!input.closest("[data-closed]")) return;
      closing.disconnect();
      press("?");
    });
    closing.observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-closed"] });
    press("Escape");
  });
  await expect(keys).toBeVisible();
});
