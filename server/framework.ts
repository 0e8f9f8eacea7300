import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import next from "next";

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
  const server = createServer((request, response) => void handle(request, response));
  server.keepAliveTimeout = 0; // the server that started this closes its connections itself
  server.listen(socket, () => process.send?.("ready"));
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
