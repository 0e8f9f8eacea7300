import cluster from "node:cluster";
import type { Env } from "@/lib/core/env";
import { flushRequestLog } from "@/lib/http/request-log";
import { startFront } from "./front";
import { startJobs } from "./jobs";
import { builtPages, developmentPages, type Pages } from "./pages";
import { fail, onSignal, portError, prepare, roleOf, welcome } from "./prepare";

/** Starts the web server, the worker, or both. @returns stops them, in reverse order */
async function start(): Promise<() => Promise<void>> {
  const role = roleOf(process.argv[2]);
  const { env, release } = await prepare(role);
  const stopping: (() => Promise<void>)[] = [release];
  const stop = async () => {
    for (const step of stopping.toReversed()) await step();
  };
  try {
    const pages = role === "worker" ? null : startPages(env);
    const front = await startFront({ port: env.PORT, host: env.HOST, pages }).catch((error: NodeJS.ErrnoException) => {
      throw portError(error, env.PORT, env.HOST);
    });
    if (pages) stopping.push(pages.close);
    const stopJobs =
      role === "web" ? async () => undefined : await startJobs(role === "worker" ? env.APP_URL : ownAddress(env));
    // Concurrently, so that neither uses up the other's shutdown time.
    stopping.push(() => Promise.all([front.close(), stopJobs()]).then(flushRequestLog));
    if (cluster.isPrimary) await welcome(env, role); // in development, server/dev.ts prints it once
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

const startPages = (env: Env): Pages =>
  process.env.NODE_ENV === "development" ? developmentPages(Number(process.env.DEV_PAGES_PORT)) : builtPages(env);

/** The URL of this process itself, bypassing proxies. */
function ownAddress({ HOST, PORT }: Env): string {
  const host = ["localhost", "0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}

const started = start();
// A signal during the start takes effect when the start is complete.
onSignal(async () => (await started)());
started.catch(fail);
