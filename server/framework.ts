import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname } from "node:path";
import { format, stripVTControlCharacters } from "node:util";
import next from "next";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { isDatabaseAway } from "@/lib/core/database-error";
import { ApiError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { refusedRequestIds } from "@/lib/core/refused";

const [, , dir = "", socket = ""] = process.argv;

/**
 * The process that renders the dashboard's pages (server/pages.ts starts it). It listens on a socket that only our user can
 * open, and ends with the server that started it.
 */
async function main(): Promise<void> {
  // Next listens for upgrades on the server it gets and never answers them, so it gets an unused server.
  const app = next({ dev: false, dir, httpServer: createServer() });
  await app.prepare();
  const handle = app.getRequestHandler();
  const server = createServer((request, response) => {
    refuseWhenAway(request, response);
    if (isReadable(request)) return void handle(request, response);
    const error = new ApiError("bad_request");
    response.writeHead(error.status, { "Content-Type": "application/json" }).end(error.body());
  });
  server.keepAliveTimeout = 0; // the server that started this closes its connections itself
  server.listen(socket, () => process.send?.("ready"));
}

/** Whether the framework can read where its navigation in the browser comes from. It answers 500 if not. */
function isReadable({ headers }: IncomingMessage): boolean {
  try {
    parseAndValidateFlightRouterState(headers["next-router-state-tree"]);
    return true;
  } catch {
    return false;
  }
}

// The framework prints its errors over several lines. A log has one line for each, so that no request can forge one.
for (const level of ["error", "warn", "info", "debug"] as const)
  console[level] = (...words: unknown[]) => {
    const err = words.find((word) => word instanceof Error);
    if (isDatabaseAway(err)) log.warn({ err }, "database away");
    else log[level]({ err }, stripVTControlCharacters(format(...words)));
  };
console.log = console.info;

/** A page that failed because the database is away or busy is a 503, not the framework's 500. */
function refuseWhenAway({ headers }: IncomingMessage, response: ServerResponse): void {
  const id = String(headers["x-request-id"]);
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const isRefused = refusedRequestIds().delete(id) && status === 500;
    if (isRefused) response.setHeader("Retry-After", "1");
    return writeHead(isRefused ? 503 : status, ...rest);
  };
  response.once("close", () => refusedRequestIds().delete(id));
}

process.on("disconnect", () => {
  rmSync(dirname(socket), { recursive: true, force: true });
  process.exit(0);
});
// A terminal sends Ctrl-C to both processes. This one goes on until the other has answered its requests.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
