import { expect, type Page, test } from "@playwright/test";
import { expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";

const searchField = (page: Page) => page.getByRole("combobox", { name: "Search the reference" });

test("finds an endpoint, a field, an error and an event by keyboard", async ({ page }) => {
  await page.goto("/docs");
  await page.keyboard.press("/");
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type("create a payment l");
  const options = page.getByRole("option");
  await expect(options.first()).toHaveText("Create a payment linkPOST /api/payment-links");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await expectNoViolations(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs#post-payment-links$/);
  await expect(page.getByRole("heading", { name: "Create a payment link", exact: true })).toBeInViewport();
  await expect(page.getByRole("heading", { name: "Create a payment link", exact: true })).toBeFocused();

  await page.keyboard.press("/");
  await page.keyboard.type("redirect_url /payment-links");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#post-payment-links\.redirect_url$/);

  await page.keyboard.press("/");
  await page.keyboard.type("link_already_paid");
  await expect(options).toHaveCount(1);
  await expect(page.getByRole("status")).toHaveText("1 result");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/errors#code\.link_already_paid$/);

  await page.keyboard.press("/");
  await page.keyboard.type("no such thing");
  await expect(page.getByRole("status")).toHaveText("No results for “no such thing”");
  await page.keyboard.press("Escape");
  await expect(searchField(page)).toHaveValue("");
  await expect(page.getByRole("status")).toBeEmpty();

  await page.keyboard.type("refund.updated");
  await expect(options.first()).toContainText("Event: ");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/webhooks#event\.refund\.updated$/);
  const lines = page.locator(".columns li");
  const marked = lines.filter({ hasText: /^refund\.updated$/ });
  await expect(marked).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await expect(lines.first()).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await expectNoViolations(page);
});

test("shows no results of a search that was left while its index loaded", async ({ page }) => {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/docs/search", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/docs");
  await searchField(page).fill("refund");
  await page.keyboard.press("Tab");
  arrive();
  await page.evaluate(() => fetch("/docs/search").then((later) => later.json())); // its own has come by then
  await expect(page.getByRole("option")).toHaveCount(0);
});

test("copies a sample, changes its language in place, and remembers that", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs#post-packages");
  const section = page.locator("section.endpoint").filter({ has: page.locator("#post-packages") });
  await section.getByRole("link", { name: "Python" }).click();
  await expect(section.locator("pre").first()).toContainText("urllib.request");
  await expect(section.getByRole("link", { name: "Python" })).toHaveAttribute("aria-current", "true");
  await expect(section.getByRole("link", { name: "Python" })).toBeInViewport();
  await expect(page).toHaveURL(/\/docs#post-packages$/); // in place
  await section.getByRole("button", { name: "Copy" }).first().click();
  await expect(section.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await section.locator("pre").first().textContent());

  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Idempotency" }).first().click();
  await expect(page.locator("#sample-idempotency pre")).toContainText("urllib.request");
  await page.goto("/docs/webhooks");
  const blocks = await page.locator("main pre").count();
  await expect(page.getByRole("button", { name: "Copy" })).toHaveCount(blocks);
  await expect(page.locator("#sample-endpoint").getByRole("button", { name: "Copy" })).toHaveCount(1);
  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(page).toHaveURL(/\/login/); // without a session
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test("shows guides and samples, and no control that does nothing", async ({ page }) => {
    await page.goto("/docs/webhooks");
    await page.locator("#sample-signature").getByRole("link", { name: "PHP" }).click();
    await expect(page.locator("#sample-signature pre")).toContainText("hash_hmac");
    await expect(searchField(page)).toBeHidden();
    await expect(page.getByRole("button")).toHaveCount(0);
  });
});

test("shows all guides on a small phone, and that the contents go on", async ({ page }) => {
  await page.setViewportSize({ width: phoneWidth, height: 640 });
  await page.goto("/docs/going-live");
  await expect(searchField(page)).toBeVisible();
  const contents = page.getByRole("navigation", { name: "Contents" });
  const guides = contents.locator(".guides").getByRole("link");
  await expect(guides.last()).toHaveAttribute("aria-current", "page");
  const [end, lowest, fade] = await contents.evaluate((nav) => [
    nav.getBoundingClientRect().bottom,
    nav.querySelector(".guides")?.getBoundingClientRect().bottom ?? Infinity,
    Number.parseFloat(getComputedStyle(nav, "::after").height),
  ]);
  expect(fade).toBeGreaterThan(0);
  expect(lowest).toBeLessThanOrEqual(end - fade);
});

test("the columns of a list begin at the same height, and a search fits a phone", async ({ page }) => {
  await page.goto("/docs/webhooks");
  const lines = await page
    .locator(".columns code")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, top }) => ({ left, top })));
  const tops = lines.filter(({ left }, index) => left !== lines[index - 1]?.left).map(({ top }) => top);
  expect(tops).toHaveLength(2);
  expect(tops[1]).toBeCloseTo(tops[0] ?? 0, 1);
  await searchField(page).fill("webhook");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectNoOverflow(page, phoneWidth, 390);
});
