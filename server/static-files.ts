import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { acceptsEncoding } from "./compress";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "application/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The cache time of files whose name holds a hash: they never change. */
export const yearSeconds = 31_536_000;

interface StaticFile {
  type: string;
  plain: Buffer;
  /** Compressed forms that the build has made (scripts/steps.mjs), best first. */
  packed: { encoding: string; content: Buffer }[];
}

export interface StaticFiles {
  /** @returns false, without a response, for requests to other paths */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  /** The bytes of the file at a URL path in its smallest form; undefined if there is none. */
  bytesOf(path: string): number | undefined;
}

/**
 * Serves public files, such as the scripts, styles and fonts of the framework's pages. They are read at the start, because a
 * build replaces the files while a running server's pages still request them.
 * @param dir the directory served at the URL path `at`
 * @param seconds the browser's cache time
 */
export function staticFiles(dir: string, { at, seconds }: { at: string; seconds: number }): StaticFiles {
  const caching = `public, max-age=${seconds}${seconds >= yearSeconds ? ", immutable" : ""}`;
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
    const type = types[extname(name)];
    if (!type) continue;
    const packed = [
      { encoding: "br", file: join(dir, `${name}.br`) },
      { encoding: "gzip", file: join(dir, `${name}.gz`) },
    ].flatMap(({ encoding, file }) => (existsSync(file) ? [{ encoding, content: readFileSync(file) }] : []));
    files.set(`${at}/${name.replaceAll("\\", "/")}`, { type, plain: readFileSync(join(dir, name)), packed });
  }
  const serve: StaticFiles["serve"] = (request, response) => {
    const file = files.get(request.url?.split("?", 1)[0] ?? "");
    if (!file || (request.method !== "GET" && request.method !== "HEAD")) return false;
    const packed = file.packed.find(({ encoding }) => acceptsEncoding(request.headers["accept-encoding"], encoding));
    const content = packed?.content ?? file.plain;
    if (packed) response.setHeader("Content-Encoding", packed.encoding);
    if (file.packed.length > 0) response.appendHeader("Vary", "Accept-Encoding");
    response.setHeader("Cache-Control", caching);
    response.setHeader("Content-Type", file.type);
    response.setHeader("Content-Length", content.length);
    response.end(request.method === "HEAD" ? undefined : content);
    return true;
  };
  const bytesOf: StaticFiles["bytesOf"] = (path) => {
    const file = files.get(path);
    return (file?.packed[0]?.content ?? file?.plain)?.length;
  };
  return { serve, bytesOf };
}
