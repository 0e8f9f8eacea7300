import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import type { Reply } from "@/lib/http/reply";
import { compressor } from "./compress";
import { hasBody, readBody } from "./incoming";
import { projectRoot } from "./migrate";
import { scriptsAfterPaint } from "./scripts-after-paint";
import { type StaticFiles, staticFiles, yearSeconds } from "./static-files";

/** The dashboard's pages, served by Next: every path that is not one of our routes. */
export interface Pages {
  /**
   * Reads the request's whole body before it asks the framework: otherwise a client that sends slowly would look like a stuck process.
   * @param replace a reply to send instead of a page with this status; null for the page
   */
  handle(request: IncomingMessage, response: ServerResponse, replace?: Replace): Promise<void>;
  /** Handles a WebSocket. Without it, upgrade requests are handled like other requests. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

export type Replace = (status: number) => Promise<Reply | null>;

/** Its pages need few connections: the browser's own requests come to this process. */
const frameworkConnections = 5;

/**
 * Longer than a page waits for the database, and than its process takes to start, on a busy machine too. Without an answer by then, its
 * process is stuck.
 */
const answerLimitMs = 30_000;

/** A process of the pages that ends takes less, unless it is stuck. */
const endLimitMs = 5_000;

const away = () => new ApiError("service_unavailable", undefined, { "Retry-After": "1" });

/**
 * The production build. Next runs in a process of its own, started at the first page: rendering then never delays the API and
 * the payers' pages, and what Next adds to a process (hooks for each promise on Node 20, memory) does not slow them down.
 */
export function builtPages({ DATABASE_POOL }: Env): Pages {
  if (!existsSync(join(projectRoot, ".next/static"))) throw new Error("The pages are not built: run npm run build.");
  const built = staticFiles(join(projectRoot, ".next/static"), { at: "/_next/static", seconds: yearSeconds });
  const publicFiles = staticFiles(join(projectRoot, "public"), { at: "", seconds: 86_400 });
  const agent = new Agent({ keepAlive: true });
  let child: ChildProcess | undefined;
  let starting: Promise<string> | undefined;

  /**
   * Starts the process of the pages.
   * @returns its socket
   * @throws Error when it ends, or is not ready within `answerLimitMs`
   */
  async function start(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "paydesk-")); // readable only for this user
    const socket = join(folder, "pages");
    const DATABASE_CONNECTIONS = String(Math.min(DATABASE_POOL, frameworkConnections));
    const started = fork(join(projectRoot, "dist/framework.mjs"), [projectRoot, socket], {
      // For memory (docs/decisions/0024-memory-and-node.md).
      execArgv: ["--optimize-for-size", ...process.execArgv.filter((option) => /^--(max|wasm)-/.test(option))],
      env: { ...process.env, DATABASE_POOL: DATABASE_CONNECTIONS, DATABASE_MIGRATE_URL: undefined },
    });
    child = started;
    started.once("exit", () => {
      starting = undefined;
      rmSync(folder, { recursive: true, force: true });
    });
    const late = setTimeout(() => started.kill("SIGKILL"), answerLimitMs);
    try {
      await Promise.race([
        once(started, "message"),
        once(started, "exit").then(([code, signal]) => Promise.reject(new Error(`It ended (${signal ?? code}).`))),
      ]);
    } finally {
      clearTimeout(late);
    }
    return socket;
  }

  return {
    handle: async (request, response, replace) => {
      if (built.serve(request, response) || publicFiles.serve(request, response)) return;
      const body = await bodyOf(request);
      starting ??= start().catch((err: unknown) => {
        starting = undefined; // the next request tries again
        log.error({ err }, "the process of the dashboard's pages did not start");
        throw away();
      });
      const socketPath = await starting;
      const asked = child;
      const onTimeout = () => {
        log.error("the process of the dashboard's pages gave no answer: it is replaced");
        asked?.kill("SIGKILL");
      };
      const to = { agent, socketPath, timeout: answerLimitMs };
      await forward(request, response, to, { body, replace, onTimeout, bytesOf: built.bytesOf });
    },
    close: async () => {
      agent.destroy();
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ending = child;
      const ended = once(ending, "exit");
      const late = setTimeout(() => ending.kill("SIGKILL"), endLimitMs);
      ending.disconnect();
      await ended;
      clearTimeout(late);
    },
  };
}

/** Proxies to Next's development server on a local port. server/dev.ts runs it, so that it outlives reloads. */
export function developmentPages(port: number): Pages {
  const host = "127.0.0.1";
  const agent = new Agent(); // Node's global agent times out after five seconds; compiling a page can take longer
  return {
    handle: async (request, response, replace) =>
      forward(request, response, { agent, host, port }, { body: await bodyOf(request), replace }),
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
    close: async () => agent.destroy(),
  };
}

/** The whole body; undefined without one. server/front.ts has refused one that is too large. */
const bodyOf = async (request: IncomingMessage): Promise<Uint8Array | undefined> =>
  hasBody(request) ? ((await readBody(request)) ?? undefined) : undefined;

interface ForwardOptions {
  body: Uint8Array | undefined;
  replace?: Replace | undefined;
  /** Called when the request's `timeout` has passed without an answer. */
  onTimeout?: () => void;
  bytesOf?: StaticFiles["bytesOf"];
}

/**
 * @throws ApiError service_unavailable when the other process does not answer
 */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  to: RequestOptions,
  { body, replace, onTimeout, bytesOf }: ForwardOptions,
): Promise<void> {
  const { method, url: path } = request;
  const { connection: _, ...headers } = request.headers; // of this connection, not of the forwarded one
  const forwarded = httpRequest({ ...to, method, path, headers });
  response.once("close", () => forwarded.destroy());
  forwarded.once("timeout", () => {
    onTimeout?.();
    forwarded.destroy(new Error("The page took too long."));
  });
  forwarded.end(body);
  try {
    const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
    forwarded.setTimeout(0); // a slow client may take long to read it
    const instead = await replace?.(answer.statusCode ?? 502);
    if (instead) {
      answer.destroy();
      response.writeHead(instead.status, instead.headers).end(instead.body);
      return;
    }
    const { connection: _, "keep-alive": __, ...received } = answer.headers;
    const headers: OutgoingHttpHeaders = received;
    const isPage = /^text\/html\b/.test(String(headers["content-type"])) && !headers["content-encoding"];
    const gzip = compressor(request, headers);
    if (isPage) {
      delete headers["content-length"];
      // A page is painted without its typeface (app/fonts.ts), so its styles load first.
      if (headers.link) headers.link = String(headers.link).replaceAll(/; as="?font"?/g, '$&; fetchpriority="low"');
    }
    response.writeHead(answer.statusCode ?? 502, headers);
    await pipeline([answer, ...(isPage ? [scriptsAfterPaint(bytesOf)] : []), ...(gzip ? [gzip] : []), response]);
  } catch (error) {
    if (response.destroyed) return; // the client hung up
    if (response.headersSent) throw error;
    throw away();
  }
}
