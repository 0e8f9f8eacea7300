import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { fault, full, type Outcome } from "./fault";
import type { Share, Verdict } from "./r9-days";

const program = fileURLToPath(new URL("./r9-days.ts", import.meta.url));

/** The process's own time zones, which must not affect the result. */
const systems = ["America/New_York", "Pacific/Kiritimati"];

/** Compares shares in a process of its own, because a process has one system time zone. */
async function compare(shares: Share[], TZ: string): Promise<Verdict[]> {
  const args = ["--import", "tsx", program, JSON.stringify(shares)];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env: { ...process.env, TZ } })).stdout);
}

const midnight = 0;
const at = (hours: number, minutes = 0) => hours * 3_600 + minutes * 60;

/** Zones with clock changes, and times of day that a change skips or repeats. */
const zones: [name: string, times: number[]][] = [
  ["Europe/Berlin", [midnight, at(2, 30)]],
  ["America/New_York", [midnight, at(1, 59), at(2, 30)]],
  ["Australia/Lord_Howe", [midnight, at(1, 45), at(2, 15)]],
  ["Africa/Cairo", [midnight, at(0, 30), at(23, 30)]],
  ["America/Sao_Paulo", [midnight]],
  ["Asia/Kathmandu", [midnight]],
  ["Pacific/Apia", [midnight, at(3, 30)]],
  ["UTC", [midnight, at(23, 59)]],
];

interface Scale {
  /** Number of zones. */
  among: number;
  /** A zone in which every day is compared. */
  whole: string | null;
  /** Compares every `step`-th day in each zone. */
  step: number;
  /** Zones whose clock changes are all compared. */
  changing: readonly string[];
}

async function run({ among, whole, step, changing }: Scale, how: Share["how"]): Promise<Outcome> {
  const shares: Share[] = [
    ...(whole ? [{ zone: whole, step: 1, times: [midnight], how }] : []),
    ...zones.slice(0, among).map(([zone, times]) => ({ zone, step, times, how })),
    ...changing.map((zone) => ({ zone, step: 0, times: [], how })),
  ];
  const shareOf = (system: number) => shares.filter((_, index) => index % systems.length === system);
  const verdicts = (await Promise.all(systems.map((TZ, system) => compare(shareOf(system), TZ)))).flat();
  const sum = (of: (verdict: Verdict) => number) => verdicts.map(of).reduce((a, b) => a + b, 0);
  if (how === "product") for (const { example } of verdicts) if (example) console.error(example);
  const days = whole ? `every day from 2024 to 2032 in ${whole}, ` : "";
  const dates = sum((verdict) => verdict.dates).toLocaleString("en");
  return {
    done:
      `${days}one in ${step} in ${among} zones, 6 frequencies x 60 periods; the clock changes of ` +
      `${changing.length} zones; ${dates} dates`,
    wrong: { "dates wrong": sum(({ wrong }) => wrong) },
  };
}

const scale: Scale = full
  ? { among: zones.length, whole: "Europe/Berlin", step: 8, changing: Intl.supportedValuesOf("timeZone") }
  : {
      among: zones.length,
      whole: null,
      step: 197,
      changing: ["Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll"],
    };
const small: Scale = { among: 2, whole: null, step: 97, changing: [] };

fault({
  id: "R9",
  title: "months of every length, leap years, daylight saving changes",
  minutes: 15,
  run: () => run(scale, "product"),
  control: { without: "computing from the anchor", run: () => run(small, "chained") },
});

test("wrong dates are detected without the time zone", async () => {
  expect((await run(small, "zoneless")).wrong["dates wrong"]).toBeGreaterThan(0);
}, 60_000);
