import { createServer } from "node:http";
import { join } from "node:path";
import type { Env } from "@/lib/core/env";
import { drainRequests } from "@/lib/http/request-log";
import { type PageHandler, startFront } from "./front";
import { startJobs } from "./jobs";
import { projectRoot } from "./migrate";
import { fail, onSignal, portError, prepare, roleOf, welcome } from "./prepare";
import { staticFiles, year } from "./static-files";

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
    stopping.push(() => Promise.all([front.close(), stopJobs()]).then(drainRequests));
    await welcome(env, role);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The framework, for the dashboard. */
async function startPages({ HOST, PORT }: Env): Promise<PageHandler> {
  const { default: next } = await import("next");
  // It would hook itself onto our server's upgrades, and leave them without an answer: it gets another.
  const httpServer = createServer();
  const app = next({ dev: false, dir: projectRoot, hostname: HOST, port: PORT, httpServer });
  await app.prepare();
  const handle = app.getRequestHandler();
  const built = staticFiles(join(projectRoot, ".next/static"), { at: "/_next/static", seconds: year });
  const icons = staticFiles(join(projectRoot, "public"), { at: "", seconds: 86_400 });
  return async (request, response) => {
    if (!built(request, response) && !icons(request, response)) await handle(request, response);
  };
}

/** Where this very process answers, whatever stands in front of it. */
function ownAddress({ HOST, PORT }: Env): string {
  const host = HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}

const started = start();
// A signal that comes while we start waits until there is something whole to stop.
onSignal(async () => (await started)());
started.catch(fail);
