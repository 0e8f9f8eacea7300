import { setTimeout as sleep } from "node:timers/promises";
import { expect, type Page } from "@playwright/test";
import { gate } from "@/tests/support/gate";
import { phone } from "@/tests/support/layout";
import { expectHydrated, makeLink, makeStaff, openAs, plantIn, test } from "@/tests/support/staff";

declare global {
  interface Window {
    startedAt?: number;
    shifts?: string[];
    loadLateScripts?: () => void;
  }
}

interface TraceEvent {
  name: string;
  args?: { elementCount?: number };
}

test("a page is painted before its scripts run", async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      if (added.some((node) => node instanceof HTMLScriptElement && node.src !== "" && !node.type && !node.noModule))
        window.startedAt ??= performance.now();
    }).observe(document, { childList: true, subtree: true });
  });
  await openAs(page, await makeStaff(), "/");
  await expect(page.locator('script[type="after-paint"]')).toHaveCount(0);
  const { startedAt, painted, parsed } = await page.evaluate(() => ({
    startedAt: window.startedAt ?? Number.NaN,
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    parsed: (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).domContentLoadedEventStart,
  }));
  // A machine that is too busy to paint within a second runs the scripts first.
  expect(startedAt).toBeGreaterThan(Math.min(painted, parsed + 1000));
});

test("a page that is never painted, as in a background tab, runs its scripts all the same", async ({ page }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => undefined;
  });
  await openAs(page, await makeStaff(), "/");
});

/** Opens the payment links and holds their scripts back. Once they are let go, each comes a moment after the one before. */
async function openWithoutScripts(page: Page): Promise<() => void> {
  let load = (): void => undefined;
  let before = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/\/_next\/static\/.*\.js/, (route) => {
    before = before.then(() => sleep(50)).then(() => route.continue());
    return before;
  });
  const staff = await makeStaff();
  await makeLink(staff.businessId);
  await plantIn(page.context(), staff);
  await page.goto("/payment-links", { waitUntil: "commit" });
  return load;
}

test("a click before the scripts have loaded takes effect once they have, of a double click one", async ({ page }) => {
  const load = await openWithoutScripts(page);
  await page.getByRole("button", { name: "Inactive", exact: true }).dblclick();
  load();
  await expect(page).toHaveURL(/\?status=Inactive$/);
});

test("a search typed before the scripts have loaded takes effect once they have", async ({ page }) => {
  const load = await openWithoutScripts(page);
  await page.getByRole("searchbox").fill("marta");
  load();
  await expect(page).toHaveURL(/\?q=marta$/);
});

test("a click in the header takes effect, too, though its scripts come before the page's", async ({ page }) => {
  const load = await openWithoutScripts(page);
  await page.getByRole("button", { name: /^Notifications/ }).click({ force: true }); // it is announced as disabled
  load();
  await expect(page.getByRole("dialog", { name: "Notifications" })).toBeVisible();
});

test("a click before the scripts have loaded is forgotten when the person does something else", async ({ page }) => {
  const load = await openWithoutScripts(page);
  await page.getByRole("button", { name: "Inactive", exact: true }).click();
  await page.getByRole("searchbox").click();
  const addresses: string[] = [];
  page.on("framenavigated", (frame) => addresses.push(frame.url()));
  load();
  await expectHydrated(page);
  await page.getByRole("button", { name: "Paid", exact: true }).click();
  await expect(page).toHaveURL(/\?status=Paid$/);
  expect(addresses.filter((address) => address.includes("Inactive"))).toEqual([]);
});

test("nothing moves when the typeface comes late", async ({ page }) => {
  const { opened: late, open: release } = gate();
  await page.route("**/*.woff2", async (route) => {
    await late;
    await route.continue();
  });
  await page.addInitScript(() => {
    const shifts: string[] = [];
    window.shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(JSON.stringify(entry));
    }).observe({ type: "layout-shift", buffered: true });
  });
  const staff = await makeStaff();
  await makeLink(staff.businessId);
  await plantIn(page.context(), staff);
  const response = await page.goto("/payment-links", { waitUntil: "commit" });
  expect(response?.headers().link).toContain('as="font"; fetchpriority="low"');
  await expectHydrated(page);
  await page.evaluate(() => window.shifts?.splice(0)); // of a machine that paints before all of the HTML is there
  const [font] = await Promise.all([page.waitForResponse("**/*.woff2"), release()]);
  await font.finished();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.evaluate(() => window.shifts)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use(phone);

  test("a script that loads later does not restyle the rows of a list", async ({ page, browser }) => {
    await page.addInitScript(() => {
      const { requestIdleCallback } = window;
      const allowed = new Promise<void>((resolve) => {
        window.loadLateScripts = resolve;
      });
      window.requestIdleCallback = (callback) => {
        void allowed.then(() => requestIdleCallback(callback));
        return 0;
      };
    });
    const staff = await makeStaff();
    for (let n = 0; n < 10; n++) await makeLink(staff.businessId);
    await openAs(page, staff, "/payment-links");
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    let trace: Buffer;
    try {
      const late = page.waitForResponse(/\/_next\/static\/.*\.js/);
      await page.evaluate(() => window.loadLateScripts?.());
      await (await late).finished();
      await page.waitForResponse(/\/_next\/static\/.*\.js/); // so the first has run
    } finally {
      trace = await browser.stopTracing();
    }
    const { traceEvents } = JSON.parse(String(trace)) as { traceEvents: TraceEvent[] };
    const counts = traceEvents.flatMap(({ name, args }) => (name === "UpdateLayoutTree" && args?.elementCount) || []);
    expect(counts).not.toEqual([]);
    expect(Math.max(...counts)).toBeLessThan(50);
  });
});
