import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Registry } from "prom-client";
import type { Env } from "@/lib/core/env";
import type { RequestObserver } from "@/server/ended-requests";
import { projectRoot } from "@/server/migrate";
import type { Role } from "@/server/prepare";
import { measurePool } from "./database";
import type { PromClient } from "./library";
import { serveMetrics } from "./listener";
import { countOperations } from "./operations";
import { countRequests } from "./requests";
import { measureWork } from "./work";

export interface Metrics {
  requests: RequestObserver;
  /** @throws the listen error */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Collects what docs/operations.md lists under Metrics. Loads its library only here, so that a process without METRICS_PORT
 * neither loads it nor counts anything.
 * @returns null if METRICS_PORT is not set
 */
export async function startMetrics({ METRICS_PORT: port, METRICS_HOST: host }: Env, role: Role) {
  if (port === undefined) return null;
  const client = await import("prom-client");
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  // Gauges that are named like counters. The ones without `_total` say the same by kind.
  for (const kind of ["handles", "requests", "resources"]) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  describeBuild(client, registry, role);
  const requests = countRequests(client, registry);
  const closing = [countOperations(client, registry), measurePool(client, registry)];
  if (role !== "web") closing.push(measureWork(client, registry));
  const contentType = registry.contentType;
  return {
    requests,
    listen: async () => {
      closing.push(await serveMetrics({ port, host, contentType }, () => registry.metrics()));
    },
    close: async () => {
      for (const close of closing.toReversed()) await close();
    },
  } satisfies Metrics;
}

function describeBuild({ Gauge }: PromClient, registry: Registry, role: Role): void {
  const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { version: string };
  const labels = { version, commit: process.env.PAYDESK_COMMIT || "unknown", node: process.versions.node, role };
  new Gauge({
    name: "paydesk_build_info",
    help: "Always 1. The labels say what runs.",
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1);
}
