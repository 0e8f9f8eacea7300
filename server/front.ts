import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { Server as ListeningServer } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { routes } from "virtual:routes";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { maxBodyBytes } from "@/lib/http/body";
import { compressed } from "./compress";
import { type RequestObserver, serveObserved, whenEnded } from "./ended-requests";
import { decodePath, hasBody, incoming, originForm, readBody } from "./incoming";
import { listen } from "./listen";
import { servePage } from "./page-requests";
import type { Pages } from "./pages";
import { createRouter, handlerOf, type Match, type Route } from "./router";

export interface FrontOptions {
  port: number;
  /** An address of this machine, or `localhost`. */
  host: string;
  /** Without pages, the server answers only `/healthz` and `/readyz`. */
  pages: Pages | null;
  observers?: readonly RequestObserver[];
}

export interface Front {
  /**
   * Accepts no new connection, and ends each open one with the response to its next request (`Connection: close`).
   * @param drainMs how long connections without a request stay open. A proxy that keeps idle connections for less never sends
   *   a request on one that is just closing, which it could not repeat
   */
  close(drainMs: number): Promise<void>;
}

const inDevelopment = process.env.NODE_ENV === "development";
/** How long a refused client may go on sending before its connection is closed. */
const lingerMs = 5_000;
const closeRequestsAfterMs = 15_000;
/** How long a server that stops may wait for a quiet turn. A busy machine has few, and the server works on meanwhile. */
const maxQuietWaitMs = 3_000;
const healthPaths = ["/healthz", "/readyz"];
const noPages: Pages = {
  handle: async (request, response) => refuse(request, response, new ApiError("not_found")),
  close: async () => undefined,
};

/**
 * Starts the HTTP server. It limits what a client may send (methods, path encoding, 64 kB bodies, time) and gives each
 * request an id. Our routes go directly to the functions of their route.ts, everything else to the framework.
 * @throws the listen error, with code EADDRINUSE when the port is taken
 */
export async function startFront({ port, host, pages, observers = [] }: FrontOptions): Promise<Front> {
  const match = createRouter(pages ? routes : routes.filter(({ path }) => healthPaths.includes(path)));
  let closing = false;
  const openResponses = new Set<ServerResponse>();
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      connectionsCheckingInterval: 2_000,
      joinDuplicateHeaders: true, // otherwise a second Authorization would be dropped silently
    },
    (request, response) => {
      if (closing) response.setHeader("Connection", "close");
      openResponses.add(response);
      response.once("close", () => openResponses.delete(response));
      const work = () => serve(request, response, match, pages ?? noPages, observers);
      serveObserved(request, work, observers).catch((error: unknown) => {
        if (request.destroyed && !request.complete) return; // the client hung up while sending
        log.error({ err: error }, "request failed");
        const known = error instanceof ApiError ? error : new ApiError("server_error");
        if (!response.headersSent) refuse(request, response, known);
        else response.destroy();
      });
    },
  );
  server.on("checkExpectation", (request, response) => refuse(request, response, new ApiError("expectation_failed")));
  server.on("clientError", answerMalformed);
  server.on("connect", (_, socket) => answerMalformed(null, socket));
  const webSockets = new Set<Duplex>();
  if (pages?.upgrade)
    server.on("upgrade", (request, socket, head) => {
      webSockets.add(socket);
      socket.once("close", () => webSockets.delete(socket));
      pages.upgrade?.(request, socket, head);
    });
  const listeners = await listen(server, port, host);
  return {
    close: async (drainMs) => {
      await waitForQuietTurn(server);
      // Not the HTTP server's own `close`, which also closes idle connections.
      const closed = Promise.all(
        listeners.map(
          (one) => new Promise<void>((resolve) => ListeningServer.prototype.close.call(one, () => resolve())),
        ),
      );
      // Connections end only after the listening socket is closed, because a proxy opens a new one for each that ends.
      closing = true;
      for (const response of openResponses) if (!response.headersSent) response.setHeader("Connection", "close");
      for (const socket of webSockets) socket.destroy();
      const forceClose = setTimeout(() => server.closeAllConnections(), closeRequestsAfterMs);
      await Promise.race([closed, sleep(drainMs, undefined, { ref: false })]);
      server.closeIdleConnections();
      await closed;
      clearTimeout(forceClose);
    },
  };
}

/**
 * Waits for a turn of the event loop in which no connection arrives: closing the listening socket resets connections that are
 * not accepted yet. The turn must be short, because connections that arrive while callbacks run are accepted in a later turn.
 * Each turn follows a short sleep, after which the operating system seldom interrupts the process.
 */
async function waitForQuietTurn(server: Server): Promise<void> {
  const deadline = performance.now() + maxQuietWaitMs;
  let arrived = false;
  const note = () => {
    arrived = true;
  };
  server.on("connection", note);
  for (let quiet = false; !quiet && performance.now() < deadline; ) {
    await sleep(2);
    arrived = false;
    const before = performance.now();
    await nextTurn();
    quiet = !arrived && performance.now() - before < 0.2;
  }
  server.off("connection", note);
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  match: ReturnType<typeof createRouter>,
  pages: Pages,
  observers: readonly RequestObserver[],
): Promise<void> {
  const requestId = randomUUID();
  const method = request.method ?? "GET";
  const url = originForm(request.url ?? "/");
  request.url = url;
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  const common: Record<string, string> = { "X-Request-Id": requestId };
  if (isHttps()) common["Strict-Transport-Security"] = transportSecurity();

  const segments = decodePath(path);
  if (!segments) {
    whenEnded(request, response, { requestId, method, pattern: null, firstSegment: "malformed" }, observers);
    return refuse(request, response, new ApiError("bad_request", "The address is not properly encoded."), common);
  }
  const found = path.startsWith("/api/auth/") ? null : match(segments);
  const pattern = found?.route.path ?? null;
  const firstSegment = pattern ?? `/${segments[0]?.slice(0, 40).replace(/\d/g, "0")}`; // digits may be a card number
  whenEnded(request, response, { requestId, method, pattern, firstSegment }, observers);
  if (found) return serveRoute(found, request, response, common);
  if (!url.startsWith("/") || !URL.canParse(url, env().APP_URL))
    return refuse(request, response, new ApiError("bad_request"), common);
  const allowed = path.startsWith("/api/auth/") || inDevelopment ? "GET, HEAD, POST" : "GET, HEAD";
  if (!allowed.split(", ").includes(method))
    return refuse(request, response, new ApiError("method_not_allowed", undefined, { Allow: allowed }), common);
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes)
    return refuse(request, response, new ApiError("body_too_large"), common);
  if (request.headers["transfer-encoding"])
    return refuse(request, response, new ApiError("bad_request", "The request needs a Content-Length."), common);
  for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
  return servePage({ request, response, pages, requestId, path, segments });
}

const isHttps = (): boolean => env().APP_URL.startsWith("https:");

const transportSecurity = (): string => `max-age=31536000${env().HSTS_SUBDOMAINS ? "; includeSubDomains" : ""}`;

/** For every response without a policy of its own: no other site may show it in a frame. */
const framePolicy = { "Content-Security-Policy": "frame-ancestors 'none'" };

/** @param common the headers that each of our responses has */
async function serveRoute(
  { route, params }: Match,
  request: IncomingMessage,
  response: ServerResponse,
  common: Record<string, string>,
): Promise<void> {
  const method = request.method ?? "GET";
  const handler = handlerOf(route, method);
  if (!handler) {
    const allow = await allowedBy(route);
    const message = `The ${method} method is not supported for this route. Supported methods: ${allow}.`;
    return refuse(request, response, new ApiError("method_not_allowed", message, { Allow: allow }), common);
  }
  const body = hasBody(request) ? await readBody(request) : undefined;
  if (body === null) return refuse(request, response, new ApiError("body_too_large"), common);
  const reply = await handler.serve(incoming(request, common["X-Request-Id"] ?? "", body), params);
  const headers: OutgoingHttpHeaders = { ...framePolicy, ...reply.headers, ...common };
  const { body: content } = reply;
  if (content !== null && typeof content === "object" && !(content instanceof Uint8Array)) {
    response.writeHead(reply.status, headers);
    return sendFile(content, response);
  }
  const sent = content === null ? null : await compressed(request, headers, content);
  if (sent !== null) headers["Content-Length"] = Buffer.byteLength(sent);
  response.writeHead(reply.status, headers);
  response.end(sent ?? undefined);
}

/** Streams a file of any size. Breaks the connection on an error, so that the client notices an incomplete file. */
async function sendFile(parts: AsyncIterable<string>, response: ServerResponse): Promise<void> {
  await pipeline(parts, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error; // the client hung up
  });
}

/** The Allow header of a route, from its OPTIONS: its exports include handlers that only refuse a method. */
async function allowedBy(route: Route): Promise<string> {
  const options = handlerOf(route, "OPTIONS");
  const headers = { get: () => null };
  const reply = await options?.serve({ method: "OPTIONS", url: route.path, headers, body: null }, {});
  return reply?.headers.Allow ?? "GET, HEAD";
}

/**
 * Sends an error. A client that is still sending its body can read it: closing a connection with unread data resets it, so the
 * rest is read and dropped first.
 */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  common: Record<string, string> = { "X-Request-Id": String(response.getHeader("X-Request-Id") ?? randomUUID()) },
): void {
  const body = error.body();
  const headers = { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff", ...framePolicy };
  const length = { "Content-Length": Buffer.byteLength(body) };
  if (request.complete || !hasBody(request)) {
    response.writeHead(error.status, { ...headers, ...error.headers, ...length, ...common }).end(body);
    return;
  }
  response.writeHead(error.status, { ...headers, ...error.headers, ...length, ...common, Connection: "close" });
  response.write(body);
  const end = () => response.end();
  setTimeout(end, lingerMs).unref();
  request.once("close", end).once("end", end).resume();
}

/** Answers a request that is not HTTP, too slow, or has too long headers. */
function answerMalformed(error: (Error & { code?: string }) | null, socket: Duplex): void {
  if (socket.writableEnded) return; // the rest of a refused request
  if (!socket.writable) return void socket.destroy();
  const [status, reason] =
    error?.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large"]
      : error?.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout"]
        : [400, "Bad Request"];
  const body = JSON.stringify({ message: reason, code: "bad_request" });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
