import cluster from "node:cluster";
import type { Env } from "@/lib/core/env";
import { flushRequestLog } from "@/lib/http/request-log";
import { startFront } from "./front";
import { startJobs } from "./jobs";
import { builtPages, developmentPages, type Pages } from "./pages";
import { fail, onSignal, portError, prepare, roleOf, welcome } from "./prepare";

/** Starts everything, or the half that was asked for; the answer stops it, in the opposite order. */
async function start(): Promise<() => Promise<void>> {
  const role = roleOf(process.argv[2]);
  const { env, release } = await prepare(role);
  const stopping: (() => Promise<void>)[] = [release];
  const stop = async () => {
    for (const step of stopping.toReversed()) await step();
  };
  try {
    const pages = role === "worker" ? null : await startPages(env);
    const front = await startFront({ port: env.PORT, host: env.HOST, pages }).catch((error: NodeJS.ErrnoException) => {
      throw portError(error, env.PORT, env.HOST);
    });
    const stopJobs =
      role === "web" ? async () => undefined : await startJobs(role === "worker" ? env.APP_URL : ownAddress(env));
    // Together: neither is to use up the time that the other needs.
    stopping.push(() => Promise.all([front.close(), stopJobs()]).then(flushRequestLog));
    if (cluster.isPrimary) await welcome(env, role); // in development, server/dev.ts says it once
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

const startPages = (env: Env): Pages | Promise<Pages> =>
  process.env.NODE_ENV === "development" ? developmentPages(Number(process.env.DEV_PAGES_PORT)) : builtPages(env);

/** Where this very process answers, whatever stands in front of it. */
function ownAddress({ HOST, PORT }: Env): string {
  const host = HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}

const started = start();
// A signal that comes while we start waits until there is something whole to stop.
onSignal(async () => (await started)());
started.catch(fail);
