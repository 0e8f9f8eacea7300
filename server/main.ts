import { createServer } from "node:http";
import next from "next";
import type { Env } from "@/lib/env";
import { drainRequests } from "@/lib/requests/remember";
import { startFront } from "./front";
import { startJobs } from "./jobs";
import { projectRoot } from "./migrate";
import { fail, onSignal, portError, prepare, welcome } from "./prepare";

/** Starts everything; the answer stops everything, in the opposite order. */
async function start(): Promise<() => Promise<void>> {
  const { env, release } = await prepare();
  const stopping: (() => Promise<void>)[] = [release];
  const stop = async () => {
    for (const step of stopping.toReversed()) await step();
  };
  try {
    // The framework would hook itself onto our server's upgrades, and leave them without an answer: it gets another.
    const httpServer = createServer();
    const app = next({ dev: false, dir: projectRoot, hostname: env.HOST, port: env.PORT, httpServer });
    await app.prepare();
    const front = await startFront({ port: env.PORT, host: env.HOST, pages: app.getRequestHandler() }).catch(
      (error: NodeJS.ErrnoException) => {
        throw portError(error, env.PORT, env.HOST);
      },
    );
    const stopJobs = await startJobs(ownAddress(env));
    // Together: neither is to use up the time that the other needs.
    stopping.push(() => Promise.all([front.close(), stopJobs()]).then(drainRequests));
    await welcome(env);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
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
