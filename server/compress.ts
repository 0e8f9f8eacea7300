import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const pack = promisify(gzip);

/** What fits into one packet arrives no sooner. */
const least = 1_400;

/**
 * A route's answer as it goes out: text by gzip, to whoever takes it. Not what a write answers, which may be a secret that
 * is shown once beside what the caller has sent; pages and files of the framework are compressed by the framework.
 */
export function compressed(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
): Buffer | Promise<Buffer> {
  if (request.method !== "GET" || content.length < least || !isText(response.getHeader("content-type"))) return content;
  response.appendHeader("Vary", "Accept-Encoding");
  if (!takes(request.headers["accept-encoding"], "gzip")) return content;
  response.setHeader("Content-Encoding", "gzip");
  return pack(content);
}

const isText = (type: unknown): boolean => /^(text\/|application\/json\b|image\/svg\+xml)/.test(String(type));

/** Whether a client takes an encoding. RFC 9110, 12.5.3: a weight of 0 is a refusal; 8.4.1.3: x-gzip is gzip. */
export const takes = (accepted: string | string[] | undefined, encoding: string): boolean =>
  String(accepted ?? "")
    .toLowerCase()
    .split(",")
    .map((each) => each.split(";", 2).map((part) => part.trim()))
    .some(([name = "", weight]) => name.replace(/^x-/, "") === encoding && !/^q=0(\.0*)?$/.test(weight ?? ""));
