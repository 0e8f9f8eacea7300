import { readFileSync } from "node:fs";
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
