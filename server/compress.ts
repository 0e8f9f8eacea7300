import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { constants, createGzip, type Gzip, gzip } from "node:zlib";

const pack = promisify(gzip);

/** A response that fits into one packet gains nothing from compression. */
const minBytes = 1_400;

/**
 * Compresses a route's text with gzip if the client accepts it. Responses to writes are not compressed: their size could
 * reveal a secret beside the caller's own input.
 * @param headers the response's; Vary and Content-Encoding are added to them
 */
export function compressed(
  request: IncomingMessage,
  headers: OutgoingHttpHeaders,
  content: string | Uint8Array,
): string | Uint8Array | Promise<Buffer> {
  if (request.method !== "GET" || !isText(headers["Content-Type"]) || Buffer.byteLength(content) < minBytes)
    return content;
  headers.Vary = "Accept-Encoding";
  if (!acceptsEncoding(request.headers["accept-encoding"], "gzip")) return content;
  headers["Content-Encoding"] = "gzip";
  return typeof content === "string" && constant.test(request.url ?? "") ? packOnce(content) : pack(content);
}

/**
 * The same for a response of the framework, which is sent while it is made.
 * @param headers the response's; Vary and Content-Encoding are added to them
 * @returns null if the response is not compressed
 */
export function compressor({ method, headers: asked }: IncomingMessage, headers: OutgoingHttpHeaders): Gzip | null {
  const { "content-type": type, "content-length": length, "content-encoding": encoding } = headers;
  if (method !== "GET" || !isText(type) || encoding || Number(length ?? minBytes) < minBytes) return null;
  headers.vary = [headers.vary ?? [], "Accept-Encoding"].flat().join(", ");
  if (!acceptsEncoding(asked["accept-encoding"], "gzip")) return null;
  headers["content-encoding"] = "gzip";
  delete headers["content-length"];
  return createGzip({ flush: constants.Z_SYNC_FLUSH });
}

/** The API's reference in each language, and its description: the same while the process runs, and packing one takes 5 ms. */
const constant = /^\/(docs|api\/openapi\.json)(\?|$)/;
const maxKept = 8;
const kept = new Map<string, Promise<Buffer>>();

function packOnce(content: string): Promise<Buffer> {
  if (kept.size >= maxKept && !kept.has(content)) kept.clear();
  const packed = kept.get(content) ?? pack(content);
  kept.set(content, packed);
  return packed;
}

const isText = (type: unknown): boolean => /^(text\/|application\/json\b|image\/svg\+xml)/.test(String(type));

/** Whether a client accepts an encoding. RFC 9110, 12.5.3: a weight of 0 is a refusal; 8.4.1.3: x-gzip is gzip. */
export const acceptsEncoding = (accepted: string | string[] | undefined, encoding: string): boolean =>
  String(accepted ?? "")
    .toLowerCase()
    .split(",")
    .map((each) => each.split(";", 2).map((part) => part.trim()))
    .some(([name = "", weight]) => name.replace(/^x-/, "") === encoding && !/^q=0(\.0*)?$/.test(weight ?? ""));
