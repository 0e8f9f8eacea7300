import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as client from "prom-client";
import { expect, it } from "vitest";
import { observed } from "@/lib/core/observe";
import { countOperations } from "@/server/metrics/operations";

it("allows more time for the work that the worker does once an hour, and for no other", () => {
  const jobs = readFileSync("server/jobs.ts", "utf8");
  const hourly = [...jobs.matchAll(/every\(\s*3_600_000,\s*"([^"]+)"/g)].map(([, name]) => name);
  expect(hourly).toContain("prune");
  const rules = readFileSync("deploy/prometheus/paydesk.rules.yml", "utf8");
  for (const operator of ["!~", "=~"]) {
    const [, names = ""] = new RegExp(`succeeded_timestamp_seconds\\{poll${operator}"([^"]+)"`).exec(rules) ?? [];
    expect(names.split("|").toSorted(), operator).toEqual(hourly.toSorted());
  }
});

/** Counts what `work` does. @returns the value of a series, or null */
async function countedIn(work: () => Promise<unknown>) {
  const registry = new client.Registry();
  const stop = countOperations(client, registry);
  await work();
  stop();
  const lines = (await registry.metrics()).split("\n");
  return (series: string): number | null => {
    const line = lines.find((one) => one.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  };
}

it("has a time for regular work that has only failed: the start of the process", async () => {
  const series = 'paydesk_poll_succeeded_timestamp_seconds{poll="prune"}';
  const fail = () => observed("poll", "prune", () => Promise.reject(new Error())).catch(() => {});
  const before = Date.now() / 1_000;
  expect((await countedIn(async () => {}))(series)).toBeNull();
  const failed = (
    await countedIn(async () => {
      await sleep(50);
      await fail();
      await fail();
    })
  )(series);
  expect(failed).toBeGreaterThanOrEqual(before);
  expect(failed).toBeLessThan(Date.now() / 1_000 - 0.04);
  const succeeded = (
    await countedIn(async () => {
      await sleep(50);
      await observed("poll", "prune", async () => {});
      await fail();
    })
  )(series);
  expect(succeeded).toBeGreaterThan((failed ?? 0) + 0.04);
});

it("has the times of the last mail for which the mail server worked, and of the last that it did not take from us", async () => {
  const send = (outcome: string) =>
    observed(
      "mail",
      "receipt",
      async () => {},
      () => outcome,
    );
  const times = async (...outcomes: string[]) => {
    const value = await countedIn(async () => {
      for (const outcome of outcomes) await send(outcome);
    });
    return ["worked", "failed"].map((name) => value(`paydesk_mail_server_${name}_timestamp_seconds`));
  };
  const recent = expect.closeTo(Date.now() / 1_000, -1.5);
  expect(await times("later", "policy")).toEqual([0, 0]);
  for (const outcome of ["sent", "refused"]) expect(await times(outcome)).toEqual([recent, 0]);
  for (const outcome of ["down", "denied"]) expect(await times(outcome)).toEqual([0, recent]);
});

it("begins the counts of mails at 0, so that the first one is an increase", async () => {
  const value = await countedIn(async () => {});
  for (const outcome of ["sent", "refused", "later", "policy", "denied", "down"])
    expect(value(`paydesk_mails_total{template="receipt",outcome="${outcome}"}`), outcome).toBe(0);
});
