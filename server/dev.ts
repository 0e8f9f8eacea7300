import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import next from "next";
import { watchBundle } from "@/scripts/bundle.mjs";
import { projectRoot } from "./migrate";
import { fail, prepare, welcome } from "./prepare";
import { onSignal } from "./signals";

/**
 * `npm run dev`: the server of `npm start`, restarted after each change of its sources. This process keeps what outlives a
 * reload: the database, the port (through `cluster`), and Next's development server for the pages.
 */
async function main(): Promise<void> {
  const { env, release } = await prepare();
  const pages = await startPages();
  const file = join(projectRoot, "dist/dev.mjs");
  cluster.setupPrimary({ exec: file, args: [], execArgv: ["--enable-source-maps"] });

  let serving: Worker | undefined;
  let starting: Worker | undefined;
  let stopping = false;

  /** Starts the new server and stops the old one once the new one listens: the port never closes. */
  function reload(): void {
    if (stopping) return;
    starting?.process.kill("SIGTERM");
    // Without draining: a page that is reloaded must not get the old server's answer.
    const worker = cluster.fork({ DEV_PAGES_PORT: String(pages.port), DRAIN_SECONDS: "0" });
    starting = worker;
    worker.once("listening", () => {
      if (starting !== worker) return;
      starting = undefined;
      const before = serving;
      serving = worker;
      before?.process.kill("SIGTERM");
      if (before) console.log("Reloaded.");
      else welcome(env).catch(fail);
    });
    worker.once("exit", () => {
      const wasStarting = worker === starting;
      if (wasStarting) starting = undefined;
      else if (worker === serving) serving = undefined;
      else return;
      if (stopping) return;
      if (wasStarting && serving) console.error("The changed server failed to start. The previous one keeps running.");
      else console.error("The server stopped. It restarts after the next change.");
    });
  }
  const unwatch = await watchBundle(file, reload);

  onSignal(async () => {
    stopping = true;
    await unwatch();
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map((worker) => {
        const ended = once(worker, "exit");
        worker.process.kill("SIGTERM");
        return ended;
      }),
    );
    await pages.close();
    await release();
  });
}

/** Starts Next's development server on a free local port. Requests wait until it is ready. */
async function startPages(): Promise<{ port: number; close(): Promise<void> }> {
  const httpServer = createServer((request, response) => {
    ready.then(() => handle(request, response)).catch(fail);
  });
  httpServer.listen(0, "127.0.0.1");
  await once(httpServer, "listening");
  const { port } = httpServer.address() as AddressInfo;
  const app = next({ dev: true, dir: projectRoot, hostname: "127.0.0.1", port, httpServer });
  const ready = app.prepare();
  const handle = app.getRequestHandler();
  ready.catch(fail);
  return { port, close: () => app.close() };
}

main().catch(fail);
