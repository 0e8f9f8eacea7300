import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Env } from "@/lib/core/env";
import { projectRoot } from "./migrate";
import { staticFiles, yearSeconds } from "./static-files";

/** The dashboard's pages, served by Next: every path that is not one of our routes. */
export interface Pages {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Handles a WebSocket. Without it, upgrade requests are handled like other requests. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * The production build, in this process. Next is loaded at the first page: it would take half of a start's time, and the API
 * and the payers' pages, which do not need it, are back that much sooner after a crash.
 */
export function builtPages({ HOST, PORT }: Env): Pages {
  let loading: Promise<Pages["handle"]> | undefined;
  const built = staticFiles(join(projectRoot, ".next/static"), { at: "/_next/static", seconds: yearSeconds });
  const icons = staticFiles(join(projectRoot, "public"), { at: "", seconds: 86_400 });
  return {
    handle: async (request, response) => {
      if (built(request, response) || icons(request, response)) return;
      loading ??= loadNext(HOST, PORT).catch((error: unknown) => {
        loading = undefined; // the next request tries again
        throw error;
      });
      await (await loading)(request, response);
    },
  };
}

async function loadNext(hostname: string, port: number): Promise<Pages["handle"]> {
  const { default: next } = await import("next");
  // Next listens for upgrades on the server it gets and never answers them, so it gets an unused server.
  const app = next({ dev: false, dir: projectRoot, hostname, port, httpServer: createServer() });
  await app.prepare();
  return app.getRequestHandler();
}

/** Proxies to Next's development server on a local port. server/dev.ts runs it, so that it outlives reloads. */
export function developmentPages(port: number): Pages {
  const host = "127.0.0.1";
  return {
    handle: async (request, response) => {
      const { method, url: path, headers } = request;
      const forwarded = httpRequest({ host, port, method, path, headers });
      response.once("close", () => forwarded.destroy());
      request.pipe(forwarded);
      try {
        const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        await pipeline(answer, response);
      } catch (error) {
        if (!response.destroyed) throw error; // otherwise the client hung up
      }
    },
    upgrade: (request, socket, head) => {
      const forwarded = connect(port, host, () => {
        const lines = [`${request.method} ${request.url} HTTP/1.1`];
        for (let i = 0; i + 1 < request.rawHeaders.length; i += 2)
          lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
        forwarded.write(`${lines.join("\r\n")}\r\n\r\n`);
        forwarded.write(head);
        forwarded.pipe(socket).pipe(forwarded);
      });
      forwarded.on("error", () => socket.destroy());
      socket.on("error", () => forwarded.destroy());
      socket.on("close", () => forwarded.destroy());
    },
  };
}
