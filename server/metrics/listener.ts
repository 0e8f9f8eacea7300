import { createServer } from "node:http";
import { log } from "@/lib/core/log";
import { listen } from "@/server/listen";

/**
 * Serves `GET /metrics` on an address of its own, apart from what the public reaches.
 * @param read the text of all metrics
 * @returns closes it
 * @throws the listen error
 */
export async function serveMetrics(
  { port, host, contentType }: { port: number; host: string; contentType: string },
  read: () => Promise<string>,
): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const path = request.url?.split("?")[0];
    if (path !== "/metrics") return void response.writeHead(404).end();
    if (request.method !== "GET") return void response.writeHead(405, { Allow: "GET" }).end();
    read().then(
      (text) => response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-store" }).end(text),
      (err: unknown) => {
        log.error({ err }, "the metrics could not be read");
        response.writeHead(500).end();
      },
    );
  });
  const listeners = await listen(server, port, host);
  return async () => {
    const closed = Promise.all(listeners.map((one) => new Promise((resolve) => one.close(resolve))));
    server.closeAllConnections();
    await closed;
  };
}
