import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { sendRaw } from "@/tests/support/raw-http";
import { attemptSignIn, createStaff } from "@/tests/support/sign-in";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

/** Sends raw bytes and reads until the server closes the connection or stops sending. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl());
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = "";
    socket.setTimeout(2000, () => socket.end());
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

const status = (answer: string) => Number(answer.split(" ")[1]);
const request = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

it.each([
  ["/favicon.ico", "image/x-icon"],
  ["/icon.svg", "image/svg+xml"],
])("%s is a small, cacheable image", async (path, type) => {
  const answer = await fetch(`${baseUrl()}${path}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=86400");
  expect((await answer.arrayBuffer()).byteLength).toBeLessThan(4_000);
  const head = await fetch(`${baseUrl()}${path}`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

describe("a malformed request", () => {
  it.each([
    "/%E0%A4%A",
    "/api/payment-links/%E0%A4%A",
    "/pay?id=%00",
    "/api/payment-links/%00",
    "/%",
    "/api/payment-links/%2F",
    "/activate/%ff",
  ])("%s gets a 4xx", async (path) => {
    const answer = await raw(request("GET", path));
    expect(status(answer)).toBeGreaterThanOrEqual(400);
    expect(status(answer)).toBeLessThan(500);
    expect(answer.toLowerCase()).toContain("x-request-id:");
    expect(answer).not.toContain("    at ");
  });

  it.each(["TRACE", "CONNECT", "PROPFIND", "PATCH", "FOO"])("the method %s gets a 4xx everywhere", async (method) => {
    for (const path of ["/", "/api/payment-links", "/pay", "/login"]) {
      const answer = await raw(request(method, path));
      expect([400, 405]).toContain(status(answer));
    }
  });

  it.each([
    "GARBAGE\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`,
    "POST /api/payment-links HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
    "POST /api/payment-links HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ])("bytes %# get a 4xx", async (bytes) => {
    const answer = await raw(bytes);
    expect(status(answer)).toBeGreaterThanOrEqual(400);
    expect(status(answer)).toBeLessThan(500);
  });

  it("an unknown path below /api gets a JSON 404 for every method", async () => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const reply = await call(method, "/nonsense/deep", { key: merchant.key });
      expect([reply.status, reply.json]).toEqual([404, { message: "Not found.", code: "not_found" }]);
    }
    expect((await call("GET", "", {})).json).toEqual({ message: "Not found.", code: "not_found" });
  });
});

describe("unusual requests", () => {
  it("an unsupported upgrade is ignored, even after a page was served", async () => {
    await fetch(`${baseUrl()}/login`);
    for (const upgrade of ["h2c", "websocket"]) {
      const head = `Host: localhost\r\nConnection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n\r\n`;
      expect(status(await raw(`GET /healthz HTTP/1.1\r\n${head}`))).toBe(200);
      expect(status(await raw(`GET /api/payment-links HTTP/1.1\r\n${head}`))).toBe(401);
    }
  });

  it("an absolute URL in the request line is served like its path", async () => {
    const answer = await raw(request("GET", "http://elsewhere.example/api/payment-links"));
    expect(status(answer)).toBe(401);
  });

  it("a parameter called __proto__ is unknown", async () => {
    const { status, text } = await call("GET", "/payment-links?__proto__=1", { key: merchant.key });
    expect([status, text]).toEqual([422, expect.stringContaining("The __proto__ parameter is not supported.")]);
  });

  it("an unknown method gets the list of allowed methods", async () => {
    for (const method of ["PROPFIND", "TRACE"])
      expect(await raw(request(method, "/api/payment-links"))).toMatch(/\r\nallow: GET, HEAD, POST\r\n/i);
  });
});

describe("bodies", () => {
  const path = "/payment-links";

  it("of 100 MB are refused, with or without Content-Length, and nothing is written", async () => {
    const before = await db.paymentLink.count({ where: { business_id: merchant.businessId } });
    const size = 100 * 1024 * 1024;
    const announced = await call("POST", path, { key: merchant.key, raw: new Uint8Array(size) });
    expect([announced.status, announced.json.code]).toEqual([413, "body_too_large"]);
    const chunk = new Uint8Array(1024 * 1024).fill(0x20);
    let left = 100;
    const stream = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
    const streamed = await fetch(`${baseUrl()}/api${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${merchant.key}`, "Content-Type": "application/json" },
      body: stream,
      ...{ duplex: "half" }, // Node's fetch requires it; the DOM's types lack it
    });
    expect(streamed.status).toBe(413);
    expect(await db.paymentLink.count({ where: { business_id: merchant.businessId } })).toBe(before);
  });

  it("of a form type are refused by a JSON endpoint", async () => {
    const reply = await fetch(`${baseUrl()}/api${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${merchant.key}` },
      body: new URLSearchParams({ email: "ada@example.com" }),
    });
    expect(reply.status).toBe(415);
  });
});

describe("every response", () => {
  it("has its own X-Request-Id and ignores the client's", async () => {
    const ids = await Promise.all(
      ["/healthz", "/readyz", "/api/payment-links", "/api/nonsense", "/login", "/pay", "/no-such-page"].map(
        async (path) => {
          const reply = await fetch(baseUrl() + path, { headers: { "X-Request-Id": "chosen-by-me" } });
          return reply.headers.get("x-request-id");
        },
      ),
    );
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("requests that the framework would answer with 500", () => {
  it.each(["/favicon.ico", "/icon.svg", "/login", "/", "/no-such-page"])("POST %s is not allowed", async (path) => {
    const reply = await fetch(`${baseUrl()}${path}`, { method: "POST", redirect: "manual" });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("a navigation from a place that does not exist is refused", async () => {
    const headers = { RSC: "1", "Next-Router-State-Tree": "x" };
    const reply = await fetch(`${baseUrl()}/login?_rsc=1`, { headers, redirect: "manual" });
    expect(reply.status).toBe(400);
  });

  it("a bad callbackUrl is ignored: in the address, the form and the cookie", async () => {
    const csrf = (search: string, headers: Record<string, string> = {}) =>
      fetch(`${baseUrl()}/api/auth/csrf${search}`, { headers });
    for (const url of ["x", "//", "%00", "javascript:1", "http://["]) {
      const replies = [await csrf(`?callbackUrl=${url}`), await csrf("", { Cookie: `next-auth.callback-url=${url}` })];
      for (const reply of replies) {
        expect([reply.status, Object.keys(await reply.json())]).toEqual([200, ["csrfToken"]]);
        expect(reply.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual(["next-auth.csrf-token"]);
      }
    }
    const staff = await createStaff(merchant);
    expect((await attemptSignIn(staff, { cookies: ["next-auth.callback-url=garbage"] })).status).toBe(200);
    const form = await fetch(`${baseUrl()}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { Origin: baseUrl() },
      body: new URLSearchParams({ callbackUrl: "x", json: "true" }),
    });
    expect(form.status).toBeLessThan(500);
  });
});

it("has no security.txt while the operator has named no contact", async () => {
  expect((await fetch(`${baseUrl()}/.well-known/security.txt`)).status).toBe(404);
});

it("serves no resized images", async () => {
  for (const query of ["", "?url=%2Ficon.svg&w=64&q=75", "?url=https://evil.example/a.png&w=64&q=75"])
    expect((await fetch(`${baseUrl()}/_next/image${query}`)).status).toBe(404);
});

describe("a refused request", () => {
  const head = (line: string, ...headers: string[]) =>
    [line, "Host: localhost", "Connection: close", ...headers, "", ""].join("\r\n");

  it.each(["x", "200-ok"])("with Expect: %s gets an error that says so", async (expectation) => {
    const answer = await raw(head("POST /api/payment-links HTTP/1.1", `Expect: ${expectation}`, "Content-Length: 0"));
    expect([status(answer), answer.slice(answer.indexOf("{"))]).toEqual([
      417,
      '{"message":"The Expect header can only be 100-continue.","code":"expectation_failed"}',
    ]);
    expect(answer).toMatch(/\r\nx-request-id: /i);
  });

  const part = Buffer.alloc(1 << 20, 0x20);
  const parts = Array.from({ length: 20 }, () => part);
  const length = `Content-Length: ${20 << 20}`;
  it.each([
    ["announced", 413, [head("POST /api/payment-links HTTP/1.1", length), ...parts]],
    ["by HTTP/1.0", 413, [`POST /pay HTTP/1.0\r\n${length}\r\n\r\n`, ...parts]],
    ["for a page", 405, [head("POST /login HTTP/1.1", length), ...parts]],
    ["for a file", 405, [head("PUT /icon.svg HTTP/1.1", length), ...parts]],
    ["of headers", 431, ["GET / HTTP/1.1\r\nX: ", Buffer.alloc(4 << 20, "x")]],
  ] as const)("that goes on sending a large body %s can be sent whole, and is answered", async (_, expected, bytes) => {
    const { status, taken } = await sendRaw(baseUrl(), bytes);
    expect([status, taken]).toEqual([expected, true]);
  });
});

describe("no other site may show in a frame", () => {
  it.each([
    "/api/payment-links",
    "/api/nonsense",
    "/api/openapi.json",
    "/healthz",
    "/%",
    "/login",
    "/docs",
    "/pay",
    "/no-such-page",
  ])("%s", async (path) => {
    const policy = /\r\ncontent-security-policy: (.*)\r\n/i.exec(await raw(request("GET", path)))?.[1];
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

describe("health", () => {
  it("answers without a key", async () => {
    expect((await fetch(`${baseUrl()}/healthz`)).status).toBe(200);
    expect((await fetch(`${baseUrl()}/readyz`)).status).toBe(200);
  });
});

describe("/api/openapi.json", () => {
  it("describes every endpoint, without a key", async () => {
    const { status, text } = await call("GET", "/openapi.json");
    expect(status).toBe(200);
    const document = JSON.parse(text);
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toContain("/payment-links/{payment_link_id}");
    const { requestBody } = document.paths["/payment-links"].post;
    expect(requestBody.content["application/json"].schema.required).toEqual(["currency", "email", "amount", "title"]);
  });
});
