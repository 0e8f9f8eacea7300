import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, test as base, expect, type Page } from "@playwright/test";
import { type Language, languageCookie } from "@/messages/languages";
import { accent } from "@/messages/pseudo";
import { type Bookshop, createBookshop, createEmptyShop } from "./bookshop";
import { baseUrl } from "./http";
import { settled } from "./layout";
import type { ListedPage } from "./pages";
import { someAddress } from "./staff";

type Who = ListedPage["who"];

/** This worker's bookshop and visitors. A fixture of the worker would make Playwright start other workers for these tests. */
let bookshop: Promise<Bookshop> | undefined;
let visitors: Promise<Record<Who, Visitor>> | undefined;

/**
 * Visits the listed pages. One bookshop serves a whole run, because visits change nothing. Each worker keeps one
 * browser page per kind of visitor, so that scripts come from the cache.
 */
export const test = base.extend<{ visit: Visit; shop: Bookshop }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: how Playwright declares a fixture that needs no other
    async ({}, use, { project }) => {
      bookshop ??= sharedBookshop(project.outputDir);
      await use(await bookshop);
    },
    { timeout: 300_000 },
  ],
  visit: async ({ browser, shop }, use) => {
    visitors ??= newVisitors(browser, shop);
    const all = await visitors;
    await use({
      prepare: async ({ who, status = 200 }, language = "en") => {
        const visitor = all[who];
        const { page } = visitor;
        visitor.expected = status;
        visitor.faults = [];
        await page.context().setExtraHTTPHeaders({ "X-Forwarded-For": someAddress() });
        await page.context().addCookies([{ name: languageCookie, value: language, url: baseUrl() }]);
        await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
        await page.setViewportSize({ width: 1280, height: 900 });
        return visitor;
      },
      open: async (page, { path, shows }) => {
        await page.goto(path(shop));
        await expect(page.locator("body")).toContainText(shows instanceof RegExp ? shows : inEither(shows));
        await loaded(page);
      },
    });
  },
});

interface Visit {
  /** The visitor of a listed page: light colours, 1280 px wide, in English. */
  prepare: (listed: ListedPage, language?: Language) => Promise<Visitor>;
  /** Opens the listed page and waits until it is complete. */
  open: (page: Page, listed: ListedPage) => Promise<void>;
}

interface Visitor {
  page: Page;
  /** The expected status of an error page. */
  expected: number;
  /** The browser's errors since the visit began. */
  faults: string[];
  /** The API's addresses that the page has called since it was opened. */
  called: string[];
}

/** Matches a text in English and in accented English. */
const inEither = (text: string, before = ""): RegExp => {
  const letters = [...text].map((letter) => {
    const accented = accent(letter);
    return accented === letter ? `\\u{${letter.codePointAt(0)?.toString(16)}}` : `[${letter}${accented}]`;
  });
  return new RegExp(before + letters.join(""), "u");
};

/** The run's bookshop: the first worker creates it, the others wait for its file. */
async function sharedBookshop(folder: string): Promise<Bookshop> {
  const [file, lock] = [join(folder, "bookshop.json"), join(folder, "bookshop.lock")];
  mkdirSync(folder, { recursive: true }); // Playwright deletes it before a run
  while (!existsSync(file)) {
    try {
      mkdirSync(lock);
    } catch {
      await sleep(100);
      continue;
    }
    try {
      writeFileSync(`${file}.part`, JSON.stringify(await createBookshop()));
      renameSync(`${file}.part`, file);
    } catch (error) {
      rmdirSync(lock);
      throw error;
    }
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

async function newVisitors(browser: Browser, { cookie }: Bookshop): Promise<Record<Who, Visitor>> {
  return {
    shop: await newVisitor(browser, cookie),
    empty: await newVisitor(browser, (await createEmptyShop()).cookie),
    anonymous: await newVisitor(browser),
  };
}

/** A browser context with this Cookie header that records the page's errors. */
async function newVisitor(browser: Browser, cookie?: string): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: baseUrl() });
  for (const pair of cookie?.split("; ") ?? []) {
    const at = pair.indexOf("=");
    await context.addCookies([{ name: pair.slice(0, at), value: pair.slice(at + 1), url: baseUrl() }]);
  }
  const page = await context.newPage();
  const visitor: Visitor = { page, expected: 200, faults: [], called: [] };
  page.on("pageerror", ({ message }) => visitor.faults.push(`script error: ${message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (/^Failed to load resource/.test(text)) return; // recorded below with its URL
    if (message.type() === "error" || /Content Security Policy|hydrat/i.test(text))
      visitor.faults.push(`console: ${text}`);
  });
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) visitor.called = [];
  });
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) visitor.called.push(pathname);
  });
  page.on("response", (response) => {
    if (response.status() < 400 || response.status() === visitor.expected) return;
    visitor.faults.push(`${response.status()} ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") visitor.faults.push(`${why} ${request.url()}`); // aborted by leaving the page
  });
  return visitor;
}

const loading = inEither("Loading", "^");

/** Waits until nothing is loading or animating, including queries after the first render. */
export async function loaded(page: Page): Promise<void> {
  await expect(page.getByText(loading).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: loading })).toHaveCount(0);
  await expect(page.locator("[data-coming]")).toHaveCount(0);
  await Promise.all(page.frames().map((frame) => frame.waitForLoadState()));
  await page.evaluate(settled);
}
