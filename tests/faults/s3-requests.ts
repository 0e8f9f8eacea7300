import { readFileSync } from "node:fs";
import type { Endpoint } from "@/lib/http/endpoint";
import { sections } from "@/lib/resources/endpoints";
import { between } from "./seeded";

type Random = () => number;

const pick = <T>(next: Random, items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;

/** Every page and route of the build, in the folders' notation. */
export function builtPaths(): string[] {
  const manifest = JSON.parse(readFileSync(".next/server/app-paths-manifest.json", "utf8")) as Record<string, string>;
  return Object.keys(manifest)
    .map((path) => path.replace(/\/\([^)]*\)/g, "").replace(/\/(page|route)$/, ""))
    .filter((path) => !path.startsWith("/_"))
    .map((path) => path || "/");
}

const endpoints = sections.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]);
const otherPaths = [
  "/favicon.ico",
  "/icon.svg",
  "/_next/image?url=%2Ficon.svg&w=64&q=75",
  "/_next/static/x.js",
  "/no-such",
];

const methods = [
  ...["GET", "GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"],
  ...["TRACE", "PROPFIND", "get", "FOO", "M-SEARCH", "QUERY"],
];

const long = "a".repeat(6_000);
const ids = [
  ...[
    "x",
    "1",
    "-1",
    "a'b",
    "__proto__",
    "constructor",
    "%20",
    "%F0%9F%98%80",
    "pl_00000000000000000000000000000000000a",
  ],
  ...["%00", "%E0%A4%A", "%ff", "..%2f..", "%2e%2e", "a".repeat(2_000)],
];
const pathEnds = [
  ...Array.from({ length: 30 }, () => ""),
  ...["/", "//", "/.", "/..", "/%", "/%E0%A4%A", "/%00", "%20", ";a=b", "\\", "/%5c", "%3f", "#a"],
];
const queries = [
  ...[
    "",
    "",
    "",
    "?",
    "?%",
    "?%E0%A4%A",
    "?a=%00",
    "?a[]=1",
    "?a[b]=1&a[b]=2",
    "?__proto__=1",
    "?constructor=x",
    "?=x",
    "?&&&",
  ],
  ...[
    "?callbackUrl=x",
    "?callbackUrl=javascript:1",
    "?error=%FF",
    "?csrf=true",
    "?id=%00",
    "?id=x&id=y",
    "?token=%E0%A4%A",
  ],
  ...[
    "?cursor=%FF",
    "?cursor=e30",
    "?per_page=1e9",
    "?per_page=-1",
    "?sort=;",
    "?with_total=maybe",
    "?q=%27%22%28%29%26%7C%21",
  ],
  ...["?created_from=0000-00-00", "?status=%00", "?_rsc=1", "?_rsc=%FF", "?__nextDataReq=1", "?nxtPid=x", "?page=NaN"],
  ...[
    `?a=${long}`,
    `?${"a=1&".repeat(1_000)}`,
    "?redirect_url=//x",
    "?url=http://x&w=64&q=75",
    "?next=//evil.example",
    "?wait&go&transfer",
  ],
];

const trees = [
  ...[
    "x",
    "%",
    "%E0%A4%A",
    "[]",
    "{}",
    "null",
    "1",
    '"a"',
    "%5B%22%22%5D",
    '["",{}]',
    '["",{"children":1}]',
    `[${long}`,
  ],
  ...[
    "%5B%22%22%2C%7B%22children%22%3A%5B%22login%22%2C%7B%7D%5D%7D%5D",
    `${"[".repeat(3_000)}`,
    '["",{},null,"refetch"]',
  ],
];

/** Headers that mean something to us, to the framework, to a proxy, or to nobody. */
function header(next: Random): string {
  return pick<() => string>(next, [
    () =>
      `Accept-Encoding: ${pick(next, ["gzip;q=x", ",,,", "*", "gzip;q=1e9", "identity;q=0", "br;q=", "\x01", long])}`,
    () => `Accept: ${pick(next, ["*", "text/x-component", "a/b;q=", ",", "\xff", long])}`,
    () => `Accept-Language: ${pick(next, ["*", "x", "de-DE-1996-x-y-z", "en;q=a", ",,", "zz-ZZZZ-999", "\xe9", long])}`,
    () =>
      `Content-Type: ${pick(next, ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x"])}`,
    () =>
      `Content-Type: ${pick(next, ["application/json; charset=utf-7", "application/json;;", "text/plain", "x", "\xff/\xff", long])}`,
    () => `Content-Type: application/x-www-form-urlencoded`,
    () =>
      `Cookie: ${pick(next, ["x", "=", ";", "a=b;;c", "__proto__=x", "paydesk-session=x", "paydesk-session=a.b.c.d.e", "theme=%"])}`,
    () => `Cookie: next-auth.callback-url=${pick(next, ["garbage", "%", "javascript:1", "http://", "//", "%00"])}`,
    () => `Cookie: next-auth.csrf-token=${pick(next, ["x", "%", "a|b", "|", "%7C", long])}; paydesk-session.0=a`,
    () =>
      `Cookie: paydesk-mode=${pick(next, ["x", "live", "%", "["])}; paydesk-language=%00; paydesk-theme=x; __prerender_bypass=x`,
    () => `RSC: 1\r\nNext-Router-State-Tree: ${pick(next, trees)}`,
    () =>
      `RSC: 1\r\nNext-Router-Prefetch: ${pick(next, ["1", "2", "3", "x"])}\r\nNext-Router-State-Tree: ${pick(next, trees)}`,
    () => `RSC: ${pick(next, ["1", "0", "x"])}\r\nNext-Url: ${pick(next, ["x", "//", "/%", "\xff", "/login"])}`,
    () =>
      `RSC: 1\r\nNext-Router-Prefetch: 1\r\nNext-Router-Segment-Prefetch: ${pick(next, ["/_tree", "/x", "x", "/%", "/_index"])}`,
    () => `Next-Action: ${pick(next, ["x", "0".repeat(42), "__proto__", "\xff"])}`,
    () =>
      pick(next, [
        "x-nextjs-data: 1",
        "x-middleware-rewrite: //x",
        "x-middleware-subrequest: a:a:a:a:a",
        "x-matched-path: /%",
      ]),
    () =>
      pick(next, [
        "x-invoke-path: /x",
        "x-invoke-status: 500",
        "x-now-route-matches: 1=%",
        "x-prerender-revalidate: x",
      ]),
    () =>
      pick(next, [
        "x-invoke-error: {",
        "next-resume: 1",
        "x-next-cache-tags: a",
        "x-middleware-set-cookie: a=b",
        "x-action-redirect: /",
      ]),
    () =>
      `Content-Security-Policy: script-src 'nonce-<x>'\r\nContent-Security-Policy-Report-Only: script-src 'nonce-"&<'`,
    () => `Range: ${pick(next, ["bytes=0-", "bytes=-1", "bytes=9-1", "x", "bytes=0-0,1-1,2-2"])}`,
    () => `If-None-Match: ${pick(next, ["*", "x", '"', 'W/"', long])}`,
    () => `If-Modified-Since: ${pick(next, ["x", "0", "Thu, 99 Foo 9999 99:99:99 GMT"])}`,
    () => `If-Match: ${pick(next, ["*", '"x"', "\xff", '"2026-01-01T00:00:00.000000Z"'])}`,
    () => `Idempotency-Key: ${pick(next, ["", "x", "\xff\xfe", "a".repeat(256), "a b", "key-1"])}`,
    () => `Origin: ${pick(next, ["null", "x", "http://", "http://[", "file://", "https://evil.example"])}`,
    () => `Referer: ${pick(next, ["x", "http://[", "\xff"])}`,
    () => `X-Forwarded-For: ${pick(next, ["x", ",", "1.1.1.1,", "::", "999.9.9.9", "\xff", long])}`,
    () =>
      `X-Forwarded-Host: ${pick(next, ["x", "[", "a:b:c", "\xff"])}\r\nX-Forwarded-Proto: ${pick(next, ["x", "javascript", "http,https"])}`,
    () => `Expect: ${pick(next, ["x", "100-continue", "200-ok", ""])}`,
    () => `Upgrade: ${pick(next, ["websocket", "h2c", "x"])}\r\nSec-WebSocket-Key: x`,
    () => `Authorization: ${pick(next, ["Bearer", "Bearer  x", "Basic \xff", "bearer sk_test_x", "Digest a=b", long])}`,
    () =>
      `X-Paydesk-${pick(next, ["Mode", "Business", "Person", "Unattended", "Client"])}: ${pick(next, ["x", "live", "\xff", "-1", "9e99"])}`,
    () => `X-HTTP-Method-Override: ${pick(next, ["DELETE", "x"])}\r\nSec-Purpose: prefetch\r\nPurpose: x`,
  ])();
}

/** Headers that HTTP itself does not allow. */
function brokenHeader(next: Random): string {
  return pick<() => string>(next, [
    () => `Transfer-Encoding: ${pick(next, ["x", "gzip, chunked", "identity", "chunked, chunked"])}`,
    () => `X-${pick(next, ["a b", "a(b)", "é", ""])}: x`,
    () => Array.from({ length: 300 }, (_, n) => `X-H${n}: x`).join("\r\n"),
    () => `X-Long: ${"x".repeat(20_000)}`,
    () => `Host: ${pick(next, ["x", "", "a:b", "[", "evil.example", "localhost:0"])}`,
    () => ` folded: x`,
    () => `Accept-Charset: x\r\n\tfolded`,
  ])();
}

const strange: unknown[] = [
  ...[
    null,
    "",
    " ",
    "\u200b",
    "\ud800",
    "\u0000",
    "x",
    "1e400",
    "-0",
    0,
    -1,
    1e308,
    2 ** 53,
    1.5,
    true,
    [],
    {},
    [[]],
    [null],
  ],
  ...[
    { $gt: "" },
    "9".repeat(400),
    "😀".repeat(51),
    "\u202e\u0301",
    "2026-02-30",
    "0000-01-01",
    "9999-12-31T23:59:60Z",
  ],
  ...["https://a..b", "javascript:1", "EUR\n", "ЕUR", "a@b@c.de", "' OR 1=1 --", "%s%n", "../../x", "<script>", long],
];

const rawBodies: (string | Buffer)[] = [
  ...[
    "",
    "{",
    "[]",
    "null",
    '"x"',
    "1e400",
    '{"a":1,"a":2}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"__proto__":{"x":1}}',
  ],
  ...[
    `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    "\ufeff{}",
    "{}x",
  ],
  ...[
    "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n",
    "--x--",
    "--x\r\n\r\n\r\n--y",
    "a=%E0%A4%A&b=%00",
    "csrfToken=x&email=%ff",
  ],
  ...[
    "a".repeat(70_000),
    `{"a":"${"x".repeat(66_000)}"}`,
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.alloc(512),
  ],
];

/** A documented body with some of its fields replaced. */
function mutatedBody(next: Random, endpoint: Endpoint | undefined): string {
  const body: Record<string, unknown> = { ...(endpoint?.example.body ?? {}) };
  for (const field of Object.keys(body)) if (next() < 0.4) body[field] = pick(next, strange);
  if (next() < 0.2) body[pick(next, ["id", "__proto__", "status", "", "toString"])] = pick(next, strange);
  return JSON.stringify(body);
}

export interface Malformed {
  /** For the report of a failure. */
  name: string;
  bytes: Buffer[];
  /** The client closes the connection before it has sent everything. */
  hangUp: boolean;
}

/** Makes one request: a route, a caller, and some things wrong with it. @param callers lines of headers that name a caller */
export function malformed(next: Random, paths: string[], callers: string[]): Malformed {
  const endpoint = next() < 0.4 ? pick(next, endpoints) : undefined;
  const template = endpoint ? `/api${endpoint.path}` : pick(next, next() < 0.1 ? otherPaths : paths);
  const path =
    template.replace(/\[[^\]]*\]|\{[^}]*\}/g, () => pick(next, ids)) + pick(next, pathEnds) + pick(next, queries);
  const method = endpoint && next() < 0.7 ? endpoint.method : pick(next, methods);
  const target =
    next() < 0.02 ? pick(next, ["*", "x", "http://[", "http://x:y/", "//", `http://x${path}`, "\xff", ""]) : path;
  const headers = Array.from({ length: between(next, 0, 2) }, () => header(next));
  if (next() < 0.06) headers.push(brokenHeader(next));
  if (next() < 0.98) headers.push("Host: localhost");
  if (next() < 0.6) headers.push(pick(next, callers));
  headers.push(`X-Forwarded-For: 10.${between(next, 0, 255)}.${between(next, 0, 255)}.1`); // failures are counted by address
  const hasBody = !["GET", "HEAD"].includes(method) || next() < 0.05;
  const body = Buffer.from(!hasBody ? "" : next() < 0.6 ? mutatedBody(next, endpoint) : pick(next, rawBodies));
  if (hasBody && next() < 0.8) headers.push("Content-Type: application/json");
  const hangUp = next() < 0.02;
  if (hasBody) headers.push(framing(next, body, hangUp));
  const line = `${method} ${target} ${next() < 0.98 ? "HTTP/1.1" : pick(next, ["HTTP/1.0", "HTTP/2.0", "HTTP/9", ""])}`;
  const head = Buffer.from(`${[line, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`, "latin1");
  const name = head.subarray(0, 900).toString("latin1");
  // The server rightly waits for the chunks.
  const waits = /^Transfer-Encoding: .*chunked/m.test(head.toString("latin1"));
  return {
    name: `${name}${body.subarray(0, 200)}`,
    bytes: body.length > 0 ? [head, body] : [head],
    hangUp: hangUp || waits,
  };
}

/** How the body's length is told: rightly, or wrongly in a way that does not leave the server waiting. */
function framing(next: Random, { length }: Buffer, hangUp: boolean): string {
  if (hangUp) return `Content-Length: ${length + 1_000}`;
  if (next() < 0.92) return `Content-Length: ${length}`;
  return pick(next, [
    "Content-Length: -1",
    "Content-Length: 0x10",
    "Content-Length: 1\r\nContent-Length: 2",
    "Transfer-Encoding: chunked",
  ]);
}
