import { setTimeout as sleep } from "node:timers/promises";
import type { Answered } from "@/tests/faults/load";
import type { Fault, Setting } from "./faults";
import { isNotCharged, isWrite, openShop, type Shop } from "./shop";

/** What a part of the test found: a row of the table. */
export interface Measured {
  title: string;
  times: number;
  acknowledged: number;
  /** By status; "none" for requests without an answer, "cut" for answers that ended before they were complete. */
  answers: Record<string, number>;
  /** The longest time between two acknowledged writes, in seconds. */
  outageSeconds: number;
  /** From a fault's end until writes are no longer refused, in seconds. */
  backSeconds: number;
  slowestSeconds: number;
  /** All must be 0, except in the negative control. */
  wrong: Record<string, number>;
}

/** The shop is back after this many acknowledged writes without a refusal among them. */
const writesWhenBack = 25;
const maxBackSeconds = 30;
/** A commit waits for a standby for 2 s at most (decision 65). The rest allows for one machine that runs the whole cluster. */
const maxMs503 = 3_500;

/** Waits until writes succeed again. @returns when the last one was refused, as of performance.now() */
async function back({ answers }: Shop, first: number): Promise<number> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    await sleep(50);
    const since = answers.slice(first).filter(isWrite);
    const lastRefused = since.findLastIndex(({ status }) => status === 503);
    const acknowledged = since.slice(lastRefused + 1).filter(({ status }) => status < 400);
    if (acknowledged.length >= writesWhenBack) return since[lastRefused]?.at ?? 0;
    if (performance.now() > deadline) return deadline;
  }
}

/** The longest time without an acknowledged write, in seconds. */
function longestOutage(answers: Answered[]): number {
  const times = answers.filter((one) => isWrite(one) && one.status < 400).map(({ at }) => at);
  times.sort((one, other) => one - other);
  return Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? 0))) / 1_000;
}

const isRight = (answer: Answered): boolean =>
  answer.status < 400 ||
  answer.status === 409 ||
  isNotCharged(answer) ||
  (answer.status === 503 && answer.headers.get("retry-after") !== null);

const isCut = (failure: string): boolean => failure.includes(": terminated");

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Checks the work of a closed shop. @returns the row of a part */
export async function conclude(
  shop: Shop,
  {
    title,
    times,
    backSeconds,
    more = {},
  }: { title: string; times: number; backSeconds: number; more?: Record<string, number> },
): Promise<Measured> {
  const { answers, failures } = shop;
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const cut = failures.filter(isCut).length;
  if (cut > 0) statuses.cut = cut;
  if (failures.length > cut) statuses.none = failures.length - cut;
  const others = answers.filter((one) => !isRight(one));
  for (const { kind, status, text } of others.slice(0, 5)) console.error(`${kind}: ${status} ${text.slice(0, 300)}`);
  for (const failure of failures.slice(0, 5)) console.error(failure);
  const acknowledged = shop.acknowledged();
  const checked = await shop.check();
  const { days, charged, events } = shop.done();
  console.log(`  ${days} days billed, ${charged} saved cards charged, ${events} webhooks received`);
  return {
    title,
    times,
    acknowledged,
    answers: statuses,
    outageSeconds: rounded(longestOutage(answers.filter(({ at }) => at < shop.closedAt()))),
    backSeconds: rounded(backSeconds),
    slowestSeconds: rounded(answers.reduce((slowest, { ms }) => Math.max(slowest, ms), 0) / 1_000),
    wrong: {
      ...checked,
      "answers other than 2xx, 3xx, 409, 503 with Retry-After, and 402 for a charge that the gateway does not have":
        others.length,
      ...more,
    },
  };
}

/** Applies a fault as often as it says, while a shop is at work. @returns the row of a part */
export async function measure(setting: Setting, fault: Fault): Promise<Measured> {
  const shop = await openShop();
  let slowest = 0;
  let [refused, refusedReads, late503] = [0, 0, 0];
  function countRefused(first: number): void {
    const since = shop.answers.slice(first).filter(({ status }) => status >= 400);
    refused += since.length;
    const reads = since.filter((one) => !isWrite(one));
    refusedReads += reads.length;
    if (fault.survives === "reads")
      for (const { kind, status, ms, text } of reads)
        console.error(`refused: ${kind}, ${status} after ${Math.round(ms)} ms: ${text.slice(0, 300)}`);
    late503 += since.filter(({ status, ms }) => status === 503 && ms > maxMs503).length;
  }
  let times = 0;
  while (times < fault.times && !(await fault.isEnough?.(setting))) {
    const turn = times++;
    await sleep(3_000);
    const repair = await fault.strike(setting, turn);
    const first = shop.answers.length;
    let ended = performance.now();
    if (fault.lastsMs !== undefined) {
      await sleep(fault.lastsMs);
      countRefused(first);
      await repair();
      ended = performance.now();
    }
    const backSeconds = Math.max(0, (await back(shop, first)) - ended) / 1_000;
    if (fault.lastsMs === undefined) countRefused(first);
    slowest = Math.max(slowest, backSeconds);
    console.log(`  ${turn + 1} of ${fault.times}: back after ${backSeconds.toFixed(1)} s`);
    if (fault.lastsMs === undefined) await repair();
    await setting.cluster.whole();
  }
  await shop.close();
  const late = slowest > maxBackSeconds ? 1 : 0;
  const unanswered = fault.survives === "nothing" ? 0 : shop.failures.filter((one) => !isCut(one)).length;
  const counted = { all: refused, reads: refusedReads, nothing: 0 }[fault.survives ?? "nothing"];
  return conclude(shop, {
    title: fault.title,
    times,
    backSeconds: slowest,
    more: {
      [`faults with more than ${maxBackSeconds} s until it was back`]: late,
      "requests without an answer": unanswered,
      [fault.survives === "reads" ? "reads refused" : "requests refused"]: counted,
      "503s that came late": fault.survives === "reads" ? late503 : 0,
    },
  });
}
