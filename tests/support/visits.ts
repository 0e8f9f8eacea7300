import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { expectNoViolations, settled } from "./axe";
import { type Bookshop, createBookshop, createEmptyShop, type Desk } from "./bookshop";
import type { ListedPage } from "./pages";
import { someAddress } from "./staff";

/** The businesses that the listed pages show: made once for each worker. */
export const test = base.extend<{ visit: Visit }, { shop: Bookshop; empty: Desk }>({
  // biome-ignore-start lint/correctness/noEmptyPattern: how Playwright wants to be told that nothing is needed
  shop: [async ({}, use) => use(await createBookshop()), { scope: "worker", timeout: 300_000 }],
  empty: [async ({}, use) => use(await createEmptyShop()), { scope: "worker" }],
  // biome-ignore-end lint/correctness/noEmptyPattern: see above
  visit: async ({ context, page, baseURL, shop, empty }, use) => {
    await context.setExtraHTTPHeaders({ "X-Forwarded-For": someAddress() });
    const faults = watch(page);
    await use({
      faults,
      open: async (listed) => {
        faults.expected = listed.status ?? 200;
        if (listed.who !== "nobody") await enter(context, baseURL ?? "", listed.who === "shop" ? shop : empty);
        await arrive(page, listed, shop);
      },
    });
  },
});

interface Visit {
  /** What has gone wrong in the browser until now, in words. */
  faults: Faults;
  /** Goes to a listed page as whoever looks at it there, and waits until it is whole. */
  open: (listed: ListedPage) => Promise<void>;
}

interface Faults {
  /** The status that the page is to have, if it is a page about a fault. */
  expected: number;
  seen: string[];
}

async function enter(context: BrowserContext, url: string, { cookie }: Pick<Desk, "cookie">): Promise<void> {
  const cookies = cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
  await context.addCookies(cookies);
}

/** Script errors, console errors, hydration warnings, broken policies, and whatever was asked for and not answered. */
function watch(page: Page): Faults {
  const faults: Faults = { expected: 200, seen: [] };
  page.on("pageerror", ({ message }) => faults.seen.push(`script error: ${message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (/^Failed to load resource/.test(text)) return; // told below, with its address
    if (text.includes("Blocked script execution in 'about:srcdoc'")) return; // axe, in a frame that runs no script
    if (message.type() === "error" || /Content Security Policy|hydrat/i.test(text))
      faults.seen.push(`console: ${text}`);
  });
  page.on("response", (response) => {
    if (response.status() < 400 || response.status() === faults.expected) return;
    faults.seen.push(`${response.status()} ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") faults.seen.push(`${why} ${request.url()}`); // aborted: the page was left
  });
  return faults;
}

async function arrive(page: Page, { path, shows }: ListedPage, shop: Bookshop): Promise<void> {
  await page.goto(path(shop));
  await expect(page.locator("body")).toContainText(shows);
  await whole(page);
}

/** Nothing is loading, sliding or fading any more, and what comes later is there. */
export async function whole(page: Page): Promise<void> {
  await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: /^Loading/ })).toHaveCount(0);
  await expect(page.locator("[data-coming]")).toHaveCount(0);
  await Promise.all(page.frames().map((frame) => frame.waitForLoadState()));
  await page.evaluate(settled);
}

/** What reaches out of the window sideways; what scrolls in a frame of its own does not. */
export async function expectNoOverflow(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 600 ? 800 : 900 });
  await page.evaluate(settled);
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = [...document.body.querySelectorAll("*")].filter(
      (one) => one.getBoundingClientRect().right > clientWidth + 0.5,
    );
    return [`${scrollWidth} > ${clientWidth}`, ...out.slice(0, 5).map((one) => one.outerHTML.slice(0, 160))];
  });
  expect(wide, `wider than ${width} px`).toEqual([]);
}

/** As axe sees the page, in both colours. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolations(page, `${where}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
