import type { IncomingMessage } from "node:http";
import { env } from "@/lib/core/env";
import type { Incoming } from "@/lib/core/incoming";
import { clientHeader } from "@/lib/core/network";
import { maxBodyBytes } from "@/lib/http/body";

/** The path and query of a request target, which proxies send as a whole URL (RFC 9112, 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith("/") || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** The decoded segments of a path, or null when it is not UTF-8 or has an encoded NUL, slash or backslash. */
export function decodePath(path: string): string[] | null {
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

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/**
 * The whole body, or null when it is too large. The rest of an oversized body is read and dropped
 * until the request times out, so that the client can read the response.
 */
export function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return Promise.resolve(null);
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

/** Node's request, as routes read it. A client cannot set the request id or its own address by a header. */
export function incoming(request: IncomingMessage, requestId: string, body: Uint8Array | undefined): Incoming {
  const method = request.method ?? "GET";
  const { headers } = request;
  const get = (name: string): string | null => {
    if (name === "x-request-id") return requestId;
    if (name === clientHeader) return clientAddress(request);
    const value = headers[name];
    return value === undefined ? null : String(value);
  };
  const url = request.url?.startsWith("/") ? request.url : "/";
  return { method, url, headers: { get }, body: body && method !== "GET" && method !== "HEAD" ? body : null };
}

/** The peer's address; with TRUST_PROXY=1, the address that the nearest proxy saw. */
export function clientAddress(request: IncomingMessage): string {
  const forwarded = env().TRUST_PROXY ? request.headers["x-forwarded-for"] : undefined;
  const nearest = String(forwarded ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  return nearest || (request.socket.remoteAddress ?? "unknown");
}
