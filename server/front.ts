import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { routes } from "virtual:routes";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { maxBodyBytes } from "@/lib/http/body";
import { TextResponse } from "@/lib/http/text-response";
import { compressed } from "./compress";
import type { Pages } from "./pages";
import { createRouter, handlerOf, type Match, type Route } from "./router";

export interface FrontOptions {
  port: number;
  host: string;
  /** Without pages, the server answers only `/healthz` and `/readyz`. */
  pages: Pages | null;
}

/** On a terminal, request logs would scroll the start's output away. */
const requestLevel = process.stdout.isTTY ? "debug" : "info";
const drainMs = 15_000;
const healthPaths = ["/healthz", "/readyz"];
const noPages: Pages = { handle: async (_, response) => refuse(response, new ApiError("not_found")) };

/**
 * Starts the HTTP server. It limits what a client may send (methods, path encoding, 64 kB bodies, time) and gives each
 * request an id. Our routes go directly to the functions of their route.ts, everything else to the framework.
 * @throws the listen error, with code EADDRINUSE when the port is taken
 */
export async function startFront({
  port,
  host,
  pages,
}: FrontOptions): Promise<{ port: number; close(): Promise<void> }> {
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
    },
    (request, response) => {
      if (closing) response.setHeader("Connection", "close");
      openResponses.add(response);
      response.once("close", () => openResponses.delete(response));
      serve(request, response, match, pages ?? noPages).catch((error: unknown) => {
        log.error({ err: error }, "request failed");
        if (!response.headersSent) refuse(response, new ApiError("server_error"));
        else response.destroy();
      });
    },
  );
  server.on("clientError", answerMalformed);
  server.on("connect", (_, socket) => answerMalformed(null, socket));
  const webSockets = new Set<Duplex>();
  if (pages?.upgrade)
    server.on("upgrade", (request, socket, head) => {
      webSockets.add(socket);
      socket.once("close", () => webSockets.delete(socket));
      pages.upgrade?.(request, socket, head);
    });
  await listen(server, port, host);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close: async () => {
      closing = true;
      // A connection kept alive after its response would delay the shutdown.
      for (const response of openResponses) if (!response.headersSent) response.setHeader("Connection", "close");
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      for (const socket of webSockets) socket.destroy();
      const forceClose = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(forceClose);
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  match: ReturnType<typeof createRouter>,
  pages: Pages,
): Promise<void> {
  const started = performance.now();
  const requestId = randomUUID();
  const method = request.method ?? "GET";
  request.url = originForm(request.url ?? "/");
  const path = request.url.split("?", 1)[0] ?? "/";
  let label = "malformed";
  // One log line per request, even if the client hangs up. The path may hold a payer's credential, so the line has only the
  // route's pattern or the first segment.
  response.once("close", () => {
    const ms = Math.round((performance.now() - started) * 10) / 10;
    log[requestLevel]({ requestId, method, route: label, status: response.statusCode, ms }, "request");
  });
  response.setHeader("X-Request-Id", requestId);
  if (env().APP_URL.startsWith("https:")) response.setHeader("Strict-Transport-Security", "max-age=31536000");

  const segments = decodePath(path);
  if (!segments) return refuse(response, new ApiError("bad_request", "The address is not properly encoded."));
  const found = path.startsWith("/api/auth/") ? null : match(segments);
  label = found?.route.path ?? `/${segments[0]?.slice(0, 40).replace(/\d/g, "0")}`; // digits may be a card number
  if (found) return serveRoute(found, request, response, requestId);
  if (method !== "GET" && method !== "HEAD" && method !== "POST")
    return refuse(response, new ApiError("method_not_allowed", undefined, { Allow: "GET, HEAD, POST" }));
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes)
    return refuse(response, new ApiError("body_too_large"));
  if (request.headers["transfer-encoding"])
    return refuse(response, new ApiError("bad_request", "The request needs a Content-Length."));
  request.headers["x-request-id"] = requestId;
  secure(request, response);
  return pages.handle(request, response);
}

async function serveRoute(
  { route, params }: Match,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const method = request.method ?? "GET";
  const handler = handlerOf(route, method);
  if (!handler) {
    const allow = await allowedBy(route);
    const message = `The ${method} method is not supported for this route. Supported methods: ${allow}.`;
    return refuse(response, new ApiError("method_not_allowed", message, { Allow: allow }));
  }
  const body = await readBody(request);
  if (body === null) return refuse(response, new ApiError("body_too_large"));
  const answer = await handler(webRequest(request, requestId, body), { params: Promise.resolve(params) });
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.setHeader("X-Request-Id", requestId);
  response.statusCode = answer.status;
  if (answer.body && answer.headers.get("content-type")?.startsWith("text/csv")) return sendFile(answer.body, response);
  const content =
    answer instanceof TextResponse
      ? Buffer.from(answer.content)
      : answer.body
        ? Buffer.from(await answer.arrayBuffer())
        : null;
  const sent = content && (await compressed(request, response, content));
  if (sent) response.setHeader("Content-Length", sent.length);
  response.end(sent ?? undefined);
}

/** Streams a file of any size. Breaks the connection on an error, so that the client notices an incomplete file. */
async function sendFile(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  await pipeline(Readable.fromWeb(body as NodeReadableStream), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error; // the client hung up
  });
}

/** The Allow header of a route, from its OPTIONS: its exports include handlers that only refuse a method. */
async function allowedBy(route: Route): Promise<string> {
  const options = handlerOf(route, "OPTIONS");
  const request = new Request(`http://localhost${route.path}`, { method: "OPTIONS" });
  const answer = await options?.(request, { params: Promise.resolve({}) });
  return answer?.headers.get("allow") ?? "GET, HEAD";
}

/** The path and query of a request target, which proxies send as a whole URL (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith("/") || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** The decoded segments of a path, or null when it is not UTF-8 or has an encoded NUL, slash or backslash. */
function decodePath(path: string): string[] | null {
  const segments = path.split("/").slice(1);
  if (segments.length > 1 && segments.at(-1) === "") segments.pop();
  if (!path.includes("%")) return segments;
  try {
    const decoded = segments.map(decodeURIComponent);
    return decoded.some((segment) => /[\0/\\]/.test(segment)) ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * The whole body, undefined without one, or null when it is too large. The rest of an oversized body is read and dropped
 * until the request times out, so that the client can read the response.
 */
function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null | undefined> {
  const length = request.headers["content-length"];
  if (length === undefined && !request.headers["transfer-encoding"]) return Promise.resolve(undefined);
  if (Number(length ?? 0) > maxBodyBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else resolve(null);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

function webRequest(request: IncomingMessage, requestId: string, body?: Uint8Array<ArrayBuffer>): Request {
  const headers = new Headers();
  const raw = request.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? "", raw[i + 1] ?? "");
  headers.set("x-request-id", requestId);
  headers.set("x-paydesk-client", clientAddress(request));
  const method = request.method ?? "GET";
  const hasBody = body && method !== "GET" && method !== "HEAD";
  // Only path and query are used. The host comes from APP_URL, never from the client.
  const target = request.url?.startsWith("/") ? request.url : "/";
  return new Request(`http://localhost${target}`, { method, headers, body: hasBody ? body : null });
}

/** The peer's address; with TRUST_PROXY=1, the address that the nearest proxy saw. */
function clientAddress(request: IncomingMessage): string {
  const forwarded = env().TRUST_PROXY ? request.headers["x-forwarded-for"] : undefined;
  const nearest = String(forwarded ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  return nearest || (request.socket.remoteAddress ?? "unknown");
}

/** In development, React evaluates code to show the server's stacks in the browser. */
const developmentScripts = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";

/** Sets the security headers of the dashboard's pages. The framework reads the nonce from the request for its scripts. */
function secure(request: IncomingMessage, response: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${developmentScripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
  request.headers["content-security-policy"] = policy;
  request.headers["x-paydesk-client"] = clientAddress(request);
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  response.setHeader("Referrer-Policy", "same-origin");
}

function refuse(response: ServerResponse, error: ApiError): void {
  const headers = { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff", ...error.headers };
  response.writeHead(error.status, headers);
  response.end(error.body());
}

/** Answers a request that is not HTTP, too slow, or has too long headers. */
function answerMalformed(error: (Error & { code?: string }) | null, socket: Duplex): void {
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
}
