/**
 * What Lighthouse says of the dashboard's main pages, and how soon a click in the navigation shows a frame of the page on a
 * slow network. docs/performance.md says how to read it.
 */
import { launch } from "chrome-launcher";
import lighthouse, { auditFlowArtifacts, type Config, desktopConfig, type RunnerResult } from "lighthouse";
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
}

/** A phone's also has what Lighthouse says of the same trace without the page's waits for a processor. */
interface PhoneRun extends Run {
  withoutWaits: Run;
}

/** `tdur`: a task's time on a processor, microseconds. */
type TraceEvent = Trace["traceEvents"][number] & { tdur?: number };

const audits = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
] as const;

const flags = { onlyCategories: ["performance"], logLevel: "error" as const };

async function gather(address: string, port: number, config?: Config): Promise<RunnerResult> {
  const result = await lighthouse(address, { ...flags, port }, config);
  if (!result) throw new Error(`Lighthouse says nothing of ${address}`);
  const { finalDisplayedUrl } = result.lhr;
  if (new URL(finalDisplayedUrl).pathname !== new URL(address).pathname)
    throw new Error(`${address} led to ${finalDisplayedUrl}`);
  return result;
}

function runOf(report: Result | undefined): Run {
  const score = report?.categories.performance?.score;
  if (!report || report.runtimeError || typeof score !== "number")
    throw new Error(`Lighthouse failed on ${report?.requestedUrl}: ${report?.runtimeError?.message ?? "no score"}`);
  return {
    score: score * 100,
    audits: audits.map((name) => report.audits[name]?.numericValue ?? Number.NaN),
    machine: report.environment.benchmarkIndex,
    moved: selectorsOf(report.audits["layout-shifts"]?.details),
  };
}

async function onPhone(address: string, port: number): Promise<PhoneRun> {
  const { lhr, artifacts } = await gather(address, port);
  const Trace = withoutWaits(artifacts.Trace);
  const again = await auditFlowArtifacts({ name: "", gatherSteps: [{ artifacts: { ...artifacts, Trace }, flags }] });
  return { ...runOf(lhr), withoutWaits: runOf(again.steps[0]?.lhr) };
}

const onComputer = async (address: string, port: number): Promise<Run> =>
  runOf((await gather(address, port, desktopConfig)).lhr);

/**
 * The same trace on a machine with a free processor. On one with few, the page's main thread waits for Chromium's other threads and the
 * server, and Lighthouse counts a task from its start to its end. Here each task of a page takes the time that it had a processor, and what
 * happens in it moves with it.
 */
function withoutWaits({ traceEvents, ...rest }: Trace): Trace {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = (event: TraceEvent) => event.name === "thread_name" && event.args.name === "CrRendererMain";
  const mains = new Set(traceEvents.filter(isMain).map(threadOf));
  const running = new Map<string, TraceEvent>();
  const inOrder = traceEvents.toSorted((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
  const moved = inOrder.map((event) => {
    const thread = threadOf(event);
    if (mains.has(thread) && event.name === "RunTask" && event.ph === "X") running.set(thread, event);
    const task = running.get(thread);
    if (!task?.dur || event.ts > task.ts + task.dur) return event;
    const share = Math.min(1, (task.tdur ?? task.dur) / task.dur);
    const ts = Math.round(task.ts + (event.ts - task.ts) * share);
    return event.dur === undefined ? { ...event, ts } : { ...event, ts, dur: Math.round(event.dur * share) };
  });
  return { ...rest, traceEvents: moved };
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
const scoreOf = (runs: Run[]): number => medianOf(runs, ({ score }) => score);
/** The medians of `audits`. */
const figuresOf = (runs: Run[]): number[] =>
  audits.map((_, at) => medianOf(runs, (run) => run.audits[at] ?? Number.NaN));

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
      const { score, withoutWaits } = await onPhone(`${server.url}/payment-links`, port);
      const ms = await connected((context) => frameTime(context, server.url, "/payment-links"));
      const scores = `${Math.round(score)}, without waits ${Math.round(withoutWaits.score)}`;
      console.log(`Lighthouse and the click work: ${scores}, ${Math.round(ms)} ms`);
      return;
    }
    const rows: string[][] = [];
    const missed: string[] = [];
    const missedWithoutWaits: string[] = [];
    let machine = 0;
    for (const { route, path } of pages) {
      const mobile = await times(rounds, () => onPhone(`${server.url}${path}`, port));
      const desktop = await times(rounds, () => onComputer(`${server.url}${path}`, port));
      const free = mobile.map(({ withoutWaits }) => withoutWaits);
      const scores = [mobile, desktop].map(scoreOf);
      const range = [Math.min, Math.max].map((end) => end(...mobile.map(({ score }) => score)).toFixed(0)).join(" to ");
      const [shift = 0] = figuresOf(mobile).slice(3);
      machine = medianOf(mobile, (run) => run.machine);
      const cells = (runs: Run[]) => [scoreOf(runs), ...figuresOf(runs).slice(0, 3)].map((figure) => figure.toFixed(0));
      rows.push([
        ...[route, range, ...cells(mobile), shift.toFixed(3)],
        ...cells(free),
        ...[scoreOf(desktop).toFixed(0), medianOf(desktop, (run) => run.audits[3] ?? Number.NaN).toFixed(3)],
      ]);
      const moved = new Set([...mobile, ...desktop].flatMap((run) => run.moved));
      if (scores.some((score) => score < goal.score) || moved.size > 0) missed.push(route);
      if (scoreOf(free) < goal.score) missedWithoutWaits.push(route);
      for (const selector of moved) console.log(`Moved on ${route}: ${selector}`);
      console.log(`Measured: ${rows.at(-1)?.join(", ")}`);
    }
    console.log(`\nLighthouse, ${rounds} runs, medians; its measure of this machine is ${machine.toFixed(0)}\n`);
    const heads = ["FCP ms", "LCP ms", "TBT ms"];
    printTable([["", "range", "mobile", ...heads, "CLS", "no waits", ...heads, "desktop", "CLS"], ...rows]);
    console.log(
      missed.length > 0
        ? `BELOW ${goal.score}, OR WITH A LAYOUT SHIFT: ${missed.join(", ")}`
        : `Every page reaches ${goal.score} without a layout shift.`,
    );
    console.log(
      missedWithoutWaits.length > 0
        ? `BELOW ${goal.score} WITHOUT WAITS FOR A PROCESSOR: ${missedWithoutWaits.join(", ")}`
        : `Without waits for a processor, every page reaches ${goal.score}.`,
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
