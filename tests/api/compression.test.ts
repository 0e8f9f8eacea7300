import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";

let merchant: Merchant;
let linkId: string;
beforeAll(async () => {
  merchant = await createMerchant();
  linkId = newId("pl");
  const link = { business_id: merchant.businessId, livemode: false, email: "a@example.com", currency: "EUR" };
  const rows = Array.from({ length: 10 }, (_, n) => ({ id: n === 0 ? linkId : newId("pl") }));
  await db.paymentLink.createMany({
    data: rows.map(({ id }) => ({ ...link, id, amount_cents: 1050, title: "Order" })),
  });
});

interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Returns the raw bytes. fetch would decompress them. */
async function ask(path: string, accepted: string | undefined, method = "GET", body?: string): Promise<Answer> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { authorization: `Bearer ${merchant.key}`, connection: "close" };
    if (accepted !== undefined) headers["accept-encoding"] = accepted;
    if (body) headers["content-type"] = "application/json";
    const sent = request(`${baseUrl()}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const got = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ status: response.statusCode ?? 0, headers: got, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The path of a script that the sign-in page loads. */
async function aScript(): Promise<string> {
  const html = await (await fetch(`${baseUrl()}/login`)).text();
  return html.match(/\/_next\/static\/[^"\\]+\.js/)?.[0] ?? "";
}

const addresses = {
  "a list of the API": async () => "/api/payment-links",
  "a pay page": async () => `/pay?id=${linkId}`,
  "a page of the dashboard": async () => "/login",
  "a script": aScript,
};

describe.each(Object.entries(addresses))("%s", (_, addressOf) => {
  it("is sent gzipped to clients that accept it, and unpacks to the same content", async () => {
    const address = await addressOf();
    const packed = await ask(address, "gzip, deflate");
    const plain = await ask(address, undefined);
    expect([packed.status, plain.status]).toEqual([200, 200]);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(plain.headers.get("content-encoding")).toBeNull();
    for (const { headers } of [packed, plain]) expect(headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    // Times, nonces and rendering ids differ between requests.
    const length = gunzipSync(packed.bytes).length;
    expect(Math.abs(length - plain.bytes.length)).toBeLessThan(plain.bytes.length / 100);
  });

  it.each(["identity", "gzip;q=0", "gzip; q=0.000, identity", "compress"])("is not used for %s", async (accepted) => {
    const { status, headers } = await ask(await addressOf(), accepted);
    expect(status).toBe(200);
    expect(headers.get("content-encoding")).toBeNull();
  });
});

describe("a script, compressed by the build", () => {
  it("is cached permanently, because its name contains a hash", async () => {
    const { headers } = await ask(await aScript(), "gzip");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("uses the best encoding that the client accepts, and unpacks to the same content", async () => {
    const address = await aScript();
    const plain = await ask(address, undefined);
    const small = await ask(address, "gzip, deflate, br, zstd");
    expect(small.headers.get("content-encoding")).toBe("br");
    expect(small.headers.get("content-type")).toBe(plain.headers.get("content-type"));
    expect(Number(small.headers.get("content-length"))).toBe(small.bytes.length);
    expect(brotliDecompressSync(small.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync((await ask(address, "x-gzip, br;q=0")).bytes).equals(plain.bytes)).toBe(true);
    expect((await ask(`${address}?v=1`, "br")).bytes.equals(small.bytes)).toBe(true);
  });

  it("answers HEAD with headers only", async () => {
    const address = await aScript();
    const { headers, bytes } = await ask(address, "br", "HEAD");
    expect(bytes).toHaveLength(0);
    expect(headers.get("content-length")).toBe((await ask(address, "br")).headers.get("content-length"));
  });

  it.each(["x", "/../../../../package.json", "/..%2f..%2f..%2f..%2fpackage.json"])(
    "returns 404 for %s after its path",
    async (ending) => {
      expect((await ask(`${await aScript()}${ending}`, "br")).status).toBeGreaterThanOrEqual(400);
    },
  );
});

it("does not compress small responses and responses to writes", async () => {
  const one = await ask(`/api/payment-links/${linkId}`, "gzip");
  expect(one.bytes.length).toBeLessThan(1_400);
  expect(one.headers.get("content-encoding")).toBeNull();
  const description = "x".repeat(1_900);
  const body = { email: "a@example.com", currency: "EUR", amount: "1050", title: "Order", description };
  const made = await ask("/api/payment-links", "gzip", "POST", JSON.stringify(body));
  expect(made.status).toBe(200);
  expect(made.bytes.length).toBeGreaterThan(1_900);
  expect(made.headers.get("content-encoding")).toBeNull();
});
