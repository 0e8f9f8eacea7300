import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoViolations } from "@/tests/support/axe";
import { makeSubscription } from "@/tests/support/form-rows";
import { gate } from "@/tests/support/gate";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

/** Answers no request for a page until `release` is called. The frame of the dashboard itself is there already. */
async function holdPages(page: Page): Promise<() => void> {
  const { opened: held, open: release } = gate();
  await page.route(
    (url) => url.searchParams.has("_rsc"),
    async (route) => {
      await held;
      await route.continue();
    },
  );
  return release;
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/**
 * Collects the layout shifts of each page, except what a click itself moves at once, and what moves because a slow machine paints
 * a line of the HTML before all of it is there. What replaces a frame (React then removes its template) counts at once, everything else from the second paint of the whole HTML.
 */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    let arrivedAt = Number.POSITIVE_INFINITY;
    const arrived = () => {
      arrivedAt = Math.min(arrivedAt, performance.now());
    };
    document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => requestAnimationFrame(arrived)));
    new MutationObserver((changes) => {
      if (changes.some(({ removedNodes }) => [...removedNodes].some((node) => node instanceof HTMLTemplateElement)))
        arrived();
    }).observe(document, { childList: true, subtree: true });
    const nameOf = (node: Node | null) => (node instanceof Element ? node.outerHTML.slice(0, 200) : node?.textContent);
    const edges = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].join(" ");
    new PerformanceObserver((list) => {
      for (const { value, sources, hadRecentInput, startTime } of list.getEntries() as Shift[])
        if (!hadRecentInput && startTime >= arrivedAt)
          for (const { node, previousRect, currentRect } of sources)
            shifts.push(`${value}: from ${edges(previousRect)} to ${edges(currentRect)}: ${nameOf(node)}`);
    }).observe({ type: "layout-shift", buffered: true });
  });

const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);

const nav = (page: Page) => page.getByRole("navigation", { name: "Main" });

async function expectRowsWhereTheFrameHadThem(page: Page, name: string): Promise<void> {
  const topOf = (found: Locator) => found.evaluate((node) => Math.round(node.getBoundingClientRect().top));
  const main = page.getByRole("main");
  const release = await holdPages(page);
  await nav(page).getByRole("link", { name }).click();
  await expect(main.getByRole("status")).toHaveText([`Loading ${name}`]);
  const expected = await topOf(main.locator("[aria-hidden] > :last-child").last());
  release();
  await expect(main.getByRole("table")).toBeVisible();
  expect(Math.abs((await topOf(main.getByRole("table"))) - expected)).toBeLessThan(8);
}

test("the navigation fits a window of 800 px, and scrolls where it is too low for it", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openAs(page, await makeStaff(), "/disputes");
  const last = nav(page).getByRole("link").last();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 480 });
  await expect(last).not.toBeInViewport();
  await page.mouse.move(100, 200);
  await page.mouse.wheel(0, 2000);
  await expect(last).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test("a click in the navigation shows the page's frame at once, however slow the network is", async ({ page }) => {
  await openAs(page, await makeStaff(), "/payment-links");
  await page.waitForLoadState("networkidle");
  const release = await holdPages(page);
  const payments = nav(page).getByRole("link", { name: "Payments" });
  const ms = await payments.evaluate(async (link: HTMLElement) => {
    const from = performance.now();
    link.click();
    while (document.querySelectorAll("#content h1").length < 2) await new Promise(requestAnimationFrame);
    return performance.now() - from;
  });
  expect(ms).toBeLessThan(1000); // 100 ms on a machine with nothing else to do: npm run bench -- lighthouse
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(["Payments"]);
  await expect(page.getByRole("main").getByRole("status")).toHaveText(["Loading Payments"]);
  await expect(payments).toHaveAttribute("aria-current", "page");
  await expect(nav(page).locator("[aria-current]")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Create payment link" })).toHaveCount(0);
  await expectNoViolations(page, "the frame of a page");

  // Another click changes the mind.
  await nav(page).getByRole("link", { name: "Customers" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(["Customers"]);
  release();
  await expect(page.getByRole("heading", { name: "No customers yet" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(["Customers"]);
  await expect(page).toHaveURL(/\/customers$/);
});

test("Back finds the list where it was, also after a frame", async ({ page }) => {
  const staff = await makeStaff();
  for (let row = 0; row < 25; row++) await makeLink(staff.businessId, { title: `Order ${row}` });
  await openAs(page, staff, "/payment-links");
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.evaluate(() => window.scrollTo(0, 700));
  const release = await holdPages(page);
  await nav(page).getByRole("link", { name: "Payments" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
  release();
  await expect(page.getByRole("heading", { name: "No payments yet" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("link", { name: "Order 0", exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700);
});

for (const [device, width] of [
  ["a computer", 1280],
  ["a phone", 390],
] as const)
  test(`nothing moves while a page loads, on ${device}`, async ({ browser }) => {
    const staff = await makeStaff();
    const subscription = await makeSubscription(staff);
    await makeLink(staff.businessId);
    const userAgent = width < 1000 ? { userAgent: "Mozilla/5.0 (Linux; Android 14) Chrome/140 Mobile" } : {};
    const context = await browser.newContext({ viewport: { width, height: 800 }, ...userAgent });
    const page = await context.newPage();
    await watchShifts(page);
    await openAs(page, staff, "/payment-links");
    for (const path of ["/payment-links", "/", `/subscriptions/${subscription}`]) {
      await page.goto(path, { waitUntil: "networkidle" });
      expect([path, ...(await shiftsOf(page))]).toEqual([path]);
    }
    await nav(page).getByRole("link", { name: "Payments" }).click();
    await expect(page.getByRole("heading", { name: "No payments yet" })).toBeVisible();
    expect(await shiftsOf(page)).toEqual([]);
    if (width > 1000) {
      await expectRowsWhereTheFrameHadThem(page, "Subscriptions");
      await page.goto("/payment-links", { waitUntil: "networkidle" });
      await page.getByRole("main").evaluate((main) => main.style.setProperty("margin-top", "80px"));
      await expect.poll(() => shiftsOf(page)).not.toEqual([]); // what moves is found
    }
    await context.close();
  });
