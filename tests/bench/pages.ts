/** How soon each page of the dashboard can be used, and what it loads. docs/performance.md says how to read it. */
import type { Client } from "pg";
import { type Browser, type BrowserContext, chromium, type Page as Tab } from "playwright";
import { findChromium } from "@/scripts/chromium.mjs";
import { median } from "./load";
import { listPages, type Page } from "./pages-list";
import type { Seeded } from "./pages-seed";
import { follow, usable } from "./pages-watch";
import type { Server } from "./processes";
import { printTable } from "./report";
import { bytesOnTheWire } from "./wire";

const goal = { milliseconds: 1000, script: 350_000 };

interface Measured {
  page: Page;
  /** In a browser that was never here. */
  firsts: number[];
  /** In one that was: by its address, and from a link. */
  loads: number[];
  turns: number[];
  scripts: Map<string, number>;
  css: number;
  html: number;
  requests: number;
}

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Signs in by the form. */
export async function enter(tab: Tab, url: string, { email, password }: Seeded): Promise<void> {
  await tab.goto(`${url}/login`);
  await tab.locator("input[type=email]").fill(email);
  await tab.locator("input[type=password]").fill(password);
  await tab.locator("button[type=submit]").click();
  await tab.waitForURL((at) => at.pathname === "/");
}

async function signIn(browser: Browser, url: string, seeded: Seeded): Promise<Session> {
  const context = await browser.newContext();
  await enter(await context.newPage(), url, seeded);
  const session = await context.storageState();
  await context.close();
  return session;
}

/** In a browser that has nothing of ours yet but the session: no script, no style, no answer. */
async function inNewTab<T>(browser: Browser, storageState: Session, work: (tab: Tab) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
  try {
    context.setDefaultTimeout(120_000); // a slow page is a figure, not an error
    // tsx names functions by a helper that is not there in the browser.
    await context.addInitScript("globalThis.__name = (named) => named");
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Once in a browser that has nothing yet, and once more in the same. */
async function loadTwice(tab: Tab, url: string, page: Page): Promise<[first: number, again: number]> {
  const first = await timed(() => load(tab, url, page));
  await tab.waitForLoadState("networkidle");
  await tab.goto("about:blank");
  return [first, await timed(() => load(tab, url, page))];
}

/** From the empty tab to the page that answers. */
async function load(tab: Tab, url: string, { path, content, control }: Page): Promise<number> {
  // What is asked for before the document is there would be lost with the empty one.
  await tab.goto(`${url}${path}`, { waitUntil: "commit" });
  return tab.evaluate(usable, { path, content, control });
}

/** From a click on a link of another page, which has come to rest, to the page that answers. */
async function turn(tab: Tab, url: string, { from, link, content, control, path }: Page): Promise<number> {
  await tab.goto(`${url}${from}`, { waitUntil: "networkidle" });
  const going = await tab.evaluate(follow, { link, path });
  return tab.evaluate(usable, { ...going, content, control });
}

/** Everything that a first visit fetches until nothing more comes, in bytes on the wire. */
async function weigh(tab: Tab, url: string, page: Page, sizes: Map<string, number>) {
  const asked: { address: string; kind: string }[] = [];
  tab.on("request", (each) => asked.push({ address: each.url(), kind: each.resourceType() }));
  await tab.goto(`${url}${page.path}`, { waitUntil: "networkidle" });
  const cookie = (await tab.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const of = async (kind: string) => {
    const all = new Map<string, number>();
    for (const { address } of asked.filter((each) => each.kind === kind)) {
      const size = sizes.get(address) ?? (await bytesOnTheWire(address, cookie));
      if (kind !== "document") sizes.set(address, size);
      all.set(address, size);
    }
    return all;
  };
  return {
    scripts: await of("script"),
    css: sum((await of("stylesheet")).values()),
    html: sum((await of("document")).values()),
    requests: asked.length,
  };
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
const kilo = (bytes: number): string => (bytes / 1000).toFixed(0);
const ms = (value: number): string => value.toFixed(0);

function print(all: Measured[], rounds: number): void {
  const shared = [...(all[0]?.scripts ?? [])].filter(([address]) => all.every(({ scripts }) => scripts.has(address)));
  const common = sum(shared.map(([, size]) => size));
  console.log(`\nEach page of the dashboard, ${rounds} rounds, medians; a first visit is one with an empty cache\n`);
  printTable([
    [
      "",
      "first visit ms",
      "worst",
      "by address ms",
      "worst",
      "from a link ms",
      "worst",
      "script kB",
      "its own",
      "CSS kB",
      "HTML kB",
      "requests",
    ],
    ...all.map(({ page, firsts, loads, turns, scripts, css, html, requests }) => {
      const script = sum(scripts.values());
      const times = [firsts, loads, turns].flatMap((each) => [median(each), Math.max(...each)]).map(ms);
      return [page.route, ...times, ...[script, script - common, css, html].map(kilo), String(requests)];
    }),
  ]);
  console.log(`\n${kilo(common)} kB of script are every page's. Bytes are those on the wire, gzip.`);
  const slow = all.filter(({ loads, turns }) => !(Math.max(median(loads), median(turns)) <= goal.milliseconds));
  const slowFirst = all.filter(({ firsts }) => !(median(firsts) <= goal.milliseconds));
  const heavy = all.filter(({ scripts }) => !(sum(scripts.values()) <= goal.script));
  const names = (missing: Measured[]) => missing.map(({ page }) => page.route).join(", ");
  const says = (missing: Measured[], when: string) =>
    console.log(
      missing.length > 0 ? `SLOWER THAN 1 s ${when}: ${names(missing)}` : `Usable within 1 s ${when}: every page.`,
    );
  says(slow, "by its address and from a link");
  says(slowFirst, "on a first visit");
  console.log(
    heavy.length > 0 ? `MORE THAN 350 kB OF SCRIPT: ${names(heavy)}` : "None loads more than 350 kB of script.",
  );
}

/** A page that is not usable at all is a figure too, beyond every goal; the other pages are still measured. */
async function timed(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    console.log(error instanceof Error ? error.message.split("\n")[0] : error);
    return 60_000;
  }
}

/** @throws Error that names the pages which do not become usable */
async function openEach(browser: Browser, session: Session, url: string, pages: Page[]): Promise<void> {
  const broken: string[] = [];
  await inNewTab(browser, session, async (tab) => {
    for (const page of pages)
      await load(tab, url, page).catch((error: unknown) => broken.push(`${page.route}: ${error}`));
    const [last] = pages.slice(-1);
    if (last) await turn(tab, url, last).catch((error: unknown) => broken.push(`${last.route} from a link: ${error}`));
  });
  if (broken.length > 0) throw new Error(`Not usable: ${broken.join("; ")}`);
  console.log(`Opened ${pages.length} pages of the dashboard`);
}

export interface Options {
  client: Client;
  businessId: number;
  /** Signs in to the business. */
  seeded: Seeded;
  /** Opens each page once, and measures nothing. */
  check: boolean;
  rounds: number;
  /** Starts the production build on the client's database. */
  startServer: () => Promise<Server>;
}

interface PagesOptions extends Options {
  /** Which pages are measured. */
  only: RegExp;
}

export async function benchPages(options: PagesOptions): Promise<void> {
  const { client, businessId, seeded, rounds, check, only, startServer } = options;
  const pages = (await listPages(client, businessId)).filter(({ route }) => only.test(route));
  const server = await startServer();
  const browser = await chromium.launch({
    executablePath: (await findChromium()) || undefined,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const session = await signIn(browser, server.url, seeded);
    if (check) return await openEach(browser, session, server.url, pages);
    const sizes = new Map<string, number>();
    const all: Measured[] = [];
    for (const page of pages) {
      const weight = await inNewTab(browser, session, (tab) => weigh(tab, server.url, page, sizes)); // warms up, too
      const measured: Measured = { page, firsts: [], loads: [], turns: [], ...weight };
      for (let round = 0; round < rounds; round++) {
        const [first, again] = await inNewTab(browser, session, (tab) => loadTwice(tab, server.url, page));
        measured.firsts.push(first);
        measured.loads.push(again);
        measured.turns.push(await timed(() => inNewTab(browser, session, (tab) => turn(tab, server.url, page))));
      }
      const medians = [measured.firsts, measured.loads, measured.turns].map((each) => ms(median(each)));
      console.log(`Measured: ${page.route}, ${medians.join(", ")} ms`);
      all.push(measured);
    }
    print(all, rounds);
  } finally {
    await browser.close();
    await server.stop();
  }
}
