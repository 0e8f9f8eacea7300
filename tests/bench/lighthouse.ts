/**
 * What Lighthouse says of the dashboard's main pages, and how soon a click in the navigation shows a frame of the page on a
 * slow network. docs/performance.md says how to read it.
 */
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { getLogNormalScore } from "lighthouse/shared/statistics.js";
import type { Trace } from "lighthouse/types/artifacts.js";
import type Details from "lighthouse/types/lhr/audit-details.js";
import type Result from "lighthouse/types/lhr/lhr.js";
import { type BrowserContext, chromium, type Page as Tab } from "playwright";
import { findChromium } from "@/scripts/chromium.mjs";
import { median } from "./load";
import { enter, type Options } from "./pages";
import { listPages } from "./pages-list";
import { clickToFrame } from "./pages-watch";
import { printTable } from "./report";

const measured = ["/", "/payment-links", "/subscriptions/[id]"];
const clicked = ["/", "/payment-links", "/subscriptions"];
const goal = { score: 90, frameMs: 100 };

/** As "Slow 3G" of Chromium's developer tools. */
const slow3g = { offline: false, latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000 };

interface Run {
  score: number;
  audits: number[];
  /** Lighthouse's measure of the machine: below about 1,000, the mobile figures are too bad. */
  machine: number;
  /** What moved after it was painted, as selectors. */
  moved: string[];
  /** The total blocking time by the tasks' processor time, and the score with it; of the phone alone. */
  byProcessorTime?: { blockedMs: number; score: number };
}

/** `tdur`: a task's time on a processor, microseconds. */
type TraceEvent = Trace["traceEvents"][number] & { tdur?: number };

const totalBlocking = "total-blocking-time";
const audits = ["first-contentful-paint", "largest-contentful-paint", totalBlocking, "cumulative-layout-shift"];

async function audit(address: string, port: number, config?: typeof desktopConfig): Promise<Run> {
  const result = await lighthouse(address, { port, onlyCategories: ["performance"], logLevel: "error" }, config);
  const report = result?.lhr;
  const score = report?.categories.performance?.score;
  if (!report || report.runtimeError || typeof score !== "number")
    throw new Error(`Lighthouse failed on ${address}: ${report?.runtimeError?.message ?? "no score"}`);
  if (new URL(report.finalDisplayedUrl).pathname !== new URL(address).pathname)
    throw new Error(`${address} led to ${report.finalDisplayedUrl}`);
  return {
    score: score * 100,
    audits: audits.map((name) => report.audits[name]?.numericValue ?? Number.NaN),
    machine: report.environment.benchmarkIndex,
    moved: selectorsOf(report.audits["layout-shifts"]?.details),
    byProcessorTime: config ? undefined : byProcessorTime(result.artifacts.Trace.traceEvents, report),
  };
}

/** Lighthouse's phone: its processor, what it allows a task, the TBT of 90 and of 50 points, and TBT's share of the score. */
const phone = { slowdown: 4, taskMs: 50, curve: { p10: 200, median: 600 }, share: 0.3 };

/**
 * An estimate of TBT from the time that tasks had a processor, instead of the time from their start to their end: on a machine with few
 * processors, the page's main thread waits for Chromium's other threads and the server. Counts each task after the first paint.
 */
function byProcessorTime(events: TraceEvent[], report: Result): Run["byProcessorTime"] {
  const mains = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const tasksOf = ({ pid, tid }: TraceEvent) =>
    events.filter((event) => event.name === "RunTask" && event.ph === "X" && event.pid === pid && event.tid === tid);
  const time = (tasks: TraceEvent[]) => tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0);
  const [tasks = []] = mains.map(tasksOf).sort((one, other) => time(other) - time(one));
  const paints = events.filter(({ name, pid }) => name === "firstContentfulPaint" && pid === tasks[0]?.pid);
  const painted = Math.min(...paints.map(({ ts }) => ts)); // later ones are of frames in the page
  const blockingScore = report.audits[totalBlocking]?.score;
  const score = report.categories.performance?.score;
  if (paints.length === 0 || time(tasks) === 0 || typeof score !== "number" || typeof blockingScore !== "number")
    throw new Error(`${report.finalDisplayedUrl}: no first paint, no processor time or no score`);
  const blockedMs = tasks
    .filter(({ ts, dur }) => ts + dur > painted)
    .reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1_000) * phone.slowdown - phone.taskMs), 0);
  const gained = getLogNormalScore(phone.curve, blockedMs) - blockingScore;
  return { blockedMs, score: (score + phone.share * gained) * 100 };
}

function selectorsOf(details: Details | undefined): string[] {
  if (details?.type !== "table") return [];
  return details.items.map(({ node }) => (node as Details.NodeValue | undefined)?.selector ?? "(unknown)");
}

/** In a tab of its own, from a page at rest, without hovering over the link first. */
async function frameTime(context: BrowserContext, url: string, path: string): Promise<number> {
  const tab: Tab = await context.newPage();
  try {
    await tab.addInitScript("globalThis.__name = (named) => named"); // tsx names functions by it
    await tab.setViewportSize({ width: 1280, height: 800 });
    await tab.goto(`${url}${path === "/" ? "/payments" : "/"}`, { waitUntil: "networkidle" });
    const session = await context.newCDPSession(tab);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", slow3g);
    return await tab.evaluate(clickToFrame, `aside a[href="${path}"]`);
  } finally {
    await tab.close();
  }
}

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let run = 0; run < count; run++) all.push(await work());
  return all;
}

const medianOf = (runs: Run[], of: (run: Run) => number): number => median(runs.map(of));

interface LighthouseOptions extends Options {
  /** Which pages are measured; null: the three of docs/performance.md. */
  only: RegExp | null;
}

export async function benchLighthouse(options: LighthouseOptions): Promise<void> {
  const { client, businessId, seeded, rounds, check, startServer, only } = options;
  const pages = (await listPages(client, businessId)).filter(({ route }) =>
    only ? only.test(route) : measured.includes(route),
  );
  const server = await startServer();
  // As the command line of Lighthouse starts it. While Lighthouse measures, nothing else may be connected: each client of the
  // developer tools makes every page slower.
  const chrome = await launch({
    chromePath: (await findChromium()) || undefined,
    chromeFlags: ["--headless", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    handleSIGINT: false, // would end this process before its PostgreSQL
  });
  process.once("exit", chrome.kill); // also of a run that is cut short
  const { port } = chrome;
  const connected = async <T>(work: (context: BrowserContext) => Promise<T>): Promise<T> => {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    try {
      const [context] = browser.contexts(); // Lighthouse opens a tab of its own in the default one
      if (!context) throw new Error("Chromium has no default context");
      return await work(context);
    } finally {
      await browser.close(); // disconnects
    }
  };
  try {
    await connected(async (context) => {
      const tab = await context.newPage();
      await enter(tab, server.url, seeded);
      await tab.close();
    });
    if (check) {
      const { score } = await audit(`${server.url}/payment-links`, port);
      const ms = await connected((context) => frameTime(context, server.url, "/payment-links"));
      console.log(`Lighthouse and the click work: ${Math.round(score)}, ${Math.round(ms)} ms`);
      return;
    }
    const rows: string[][] = [];
    const missed: string[] = [];
    let machine = 0;
    for (const { route, path } of pages) {
      const mobile = await times(rounds, () => audit(`${server.url}${path}`, port));
      const desktop = await times(rounds, () => audit(`${server.url}${path}`, port, desktopConfig));
      const [fcp = 0, lcp = 0, blocked = 0, shift = 0] = audits.map((_, at) =>
        medianOf(mobile, (run) => run.audits[at] ?? 0),
      );
      const scores = [mobile, desktop].map((runs) => medianOf(runs, ({ score }) => score));
      machine = medianOf(mobile, (run) => run.machine);
      rows.push([
        route,
        (scores[0] ?? 0).toFixed(0),
        `${Math.min(...mobile.map(({ score }) => score)).toFixed(0)} to ${Math.max(...mobile.map(({ score }) => score)).toFixed(0)}`,
        ...[fcp, lcp, blocked].map((ms) => ms.toFixed(0)),
        medianOf(mobile, (run) => run.byProcessorTime?.blockedMs ?? Number.NaN).toFixed(0),
        medianOf(mobile, (run) => run.byProcessorTime?.score ?? Number.NaN).toFixed(0),
        shift.toFixed(3),
        (scores[1] ?? 0).toFixed(0),
        medianOf(desktop, (run) => run.audits[3] ?? 0).toFixed(3),
      ]);
      const moved = new Set([...mobile, ...desktop].flatMap((run) => run.moved));
      if (scores.some((score) => score < goal.score) || moved.size > 0) missed.push(route);
      for (const selector of moved) console.log(`Moved on ${route}: ${selector}`);
      console.log(`Measured: ${rows.at(-1)?.join(", ")}`);
    }
    console.log(`\nLighthouse, ${rounds} runs, medians; its measure of this machine is ${machine.toFixed(0)}\n`);
    const heads = [
      "mobile",
      "range",
      "FCP ms",
      "LCP ms",
      "TBT ms",
      "by processor time",
      "score with it",
      "CLS",
      "desktop",
      "CLS",
    ];
    printTable([["", ...heads], ...rows]);
    console.log(
      missed.length > 0
        ? `BELOW ${goal.score}, OR WITH A LAYOUT SHIFT: ${missed.join(", ")}`
        : `Every page reaches ${goal.score} without a layout shift.`,
    );
    console.log("\nA click in the navigation on slow 3G, until a frame of the page is shown\n");
    const frames = [];
    for (const path of clicked)
      frames.push([
        path,
        median(await times(rounds, () => connected((context) => frameTime(context, server.url, path)))).toFixed(0),
      ]);
    printTable([["", "ms"], ...frames]);
    const late = frames.filter(([, ms]) => Number(ms) > goal.frameMs);
    console.log(late.length > 0 ? `LATER THAN ${goal.frameMs} ms: ${late.map(([path]) => path).join(", ")}` : "");
  } finally {
    chrome.kill();
    await server.stop();
  }
}
