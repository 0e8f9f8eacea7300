import cluster from "node:cluster";
import type { Env } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { flushRequestLog } from "@/lib/http/request-log";
import type { RequestObserver } from "./ended-requests";
import { startFront } from "./front";
import { startJobs } from "./jobs";
import { startMetrics } from "./metrics/metrics";
import { builtPages, developmentPages, type Pages } from "./pages";
import { fail, portError, prepare, type Role, roleOf, welcome } from "./prepare";
import { onSignal } from "./signals";
import { startTracing } from "./tracing";

type Stop = (signal?: NodeJS.Signals) => Promise<void>;

/**
 * Starts the web server, the worker, or both.
 * @returns stops them, in reverse order
 * @throws the reason of `interrupted`, if that ends a migration
 */
async function start(interrupted: AbortSignal): Promise<Stop> {
  const role = roleOf(process.argv[2]);
  const { env, release } = await prepare(role, interrupted);
  const stopping: Stop[] = [release];
  const stop: Stop = async (signal) => {
    for (const step of stopping.toReversed()) await step(signal);
  };
  try {
    const { observers, listen } = await startObservers(env, role, stopping);
    const pages = role === "worker" ? null : startPages(env);
    const front = await startFront({ port: env.PORT, host: env.HOST, pages, observers }).catch(
      (error: NodeJS.ErrnoException) => {
        throw portError(error, env.PORT, env.HOST);
      },
    );
    if (pages) stopping.push(pages.close);
    await listen(); // after the server itself: in development, a process that listens replaces the one before
    const stopJobs =
      role === "web" ? async () => undefined : await startJobs(role === "worker" ? env.APP_URL : ownAddress(env));
    // Ctrl-C does not drain: then there is no proxy.
    const drainMs = (signal?: string) => (signal === "SIGTERM" ? env.DRAIN_SECONDS * 1_000 : 0);
    // Concurrently, so that neither uses up the other's shutdown time.
    stopping.push((signal) => Promise.all([front.close(drainMs(signal)), stopJobs()]).then(flushRequestLog));
    if (cluster.isPrimary) await welcome(env, role); // in development, server/dev.ts prints it once
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Observers {
  observers: RequestObserver[];
  /** Serves the metrics. */
  listen(): Promise<void>;
}

/** Starts traces and metrics, if the settings ask for them. @param stopping gets what stops them */
async function startObservers(env: Env, role: Role, stopping: Stop[]): Promise<Observers> {
  const tracing = await startTracing(env, role);
  if (tracing) stopping.push(tracing.stop);
  const metrics = await startMetrics(env, role);
  if (metrics) stopping.push(metrics.close);
  return {
    observers: [tracing, metrics].flatMap((one) => one?.requests ?? []),
    listen: async () => {
      await metrics?.listen().catch((error: NodeJS.ErrnoException) => {
        throw portError(error, env.METRICS_PORT ?? 0, env.METRICS_HOST, "METRICS_");
      });
    },
  };
}

const startPages = (env: Env): Pages =>
  process.env.NODE_ENV === "development" ? developmentPages(Number(process.env.DEV_PAGES_PORT)) : builtPages(env);

/** The URL of this process itself, bypassing proxies. */
function ownAddress({ HOST, PORT }: Env): string {
  const host = ["localhost", "0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}

// Graphile Worker leaves promises unhandled when a connection is lost while it returns jobs. The process goes on.
process.on("unhandledRejection", (err) => log.error({ err }, "a promise was rejected, and nothing handled it"));

const interruption = new AbortController();
const { signal: interrupted } = interruption;
const started = start(interrupted);
started.catch((error: unknown) => {
  if (error !== interrupted.reason) fail(error);
});
// A signal during the start ends a migration at once, which may wait for long. Any other start is completed first.
onSignal(async (signal) => {
  interruption.abort();
  const stop = await started.catch(() => undefined);
  await stop?.(signal);
});
