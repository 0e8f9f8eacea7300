import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { anchor } from "@/components/reference/endpoint-section";
import { guides } from "@/components/reference/guides/guides";
import { languages } from "@/components/reference/samples";
import type { SearchEntry } from "@/components/reference/search-index";
import type { Endpoint } from "@/lib/http/endpoint";
import { sections } from "@/lib/resources/endpoints";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${baseUrl()}${path}`, { headers });

/** What a browser receives for a page, in bytes. fetch would decompress it. */
async function weightOf(path: string): Promise<number> {
  const { request } = await import("node:http");
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const options = { headers: { "accept-encoding": "gzip", connection: "close" } };
    request(`${baseUrl()}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
    })
      .on("error", reject)
      .end();
  });
  expect(gunzipSync(bytes).length).toBeGreaterThan(bytes.length);
  return bytes.length;
}

describe("the reference", () => {
  it("allows its own style and script, and texts of this site", async () => {
    const response = await get("/docs");
    const html = await response.text();
    const hashOf = (tag: string) => {
      const [, text = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? [];
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(response.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src ${hashOf("style")}; script-src ${hashOf("script")}; connect-src 'self'; ` +
        "img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it("shows the file of each export, with its columns as they are exported", async () => {
    const html = await (await get("/docs")).text();
    const { key } = await createMerchant();
    const exports = sections.flatMap(({ endpoints }) =>
      (Object.values(endpoints) as Endpoint[]).filter((one) => one.csv),
    );
    expect(exports.length).toBeGreaterThan(10);
    for (const endpoint of exports) {
      const [, section = ""] = html.split(` id="${anchor(endpoint)}"`);
      const [, shown = ""] = /<pre>([^<]*)<\/pre><\/details>/.exec(section) ?? [];
      const { data, errors } = Papa.parse<string[]>(shown.replaceAll("&quot;", '"').replaceAll("&#x27;", "'"));
      const { text } = await call("GET", endpoint.path, { key });
      expect(data[0]?.join(","), endpoint.path).toBe(text.split("\r\n")[0]);
      expect([data.length, data[1]?.length, errors], endpoint.path).toEqual([2, data[0]?.length, []]);
    }
  });

  it("is read in any language without a script, and remembers the choice", async () => {
    expect(await (await get("/docs")).text()).not.toContain("import urllib.request");
    const chosen = await get("/docs?language=python");
    expect(await chosen.text()).toContain("import urllib.request");
    const [cookie = ""] = chosen.headers.get("set-cookie")?.split(";") ?? [];
    expect(cookie).toBe("paydesk-docs-language=python");
    const later = await get("/docs/idempotency", { cookie: `a=b; ${cookie}` });
    expect(await later.text()).toContain("import urllib.request");
    expect(later.headers.get("set-cookie")).toBeNull();
    for (const unknown of ["/docs?language=cobol", "/docs?language="])
      expect(await (await get(unknown, { cookie: "paydesk-docs-language=x" })).text()).toContain("curl ");
  });

  it.each(languages)("sends every sample in %s on demand", async (language) => {
    const response = await get(`/docs/samples/${language}`);
    expect(response.headers.get("set-cookie")).toContain(`=${language};`);
    const texts = (await response.json()) as Record<string, string>;
    const html = await (await get(`/docs?language=${language}`)).text();
    const shown = [...html.matchAll(/data-sample="([^"]+)"/g)].map(([, id = ""]) => id);
    expect(shown.length).toBeGreaterThan(80);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.filter((id) => !texts[id])).toEqual([]);
  });

  it("knows no other language and no other guide", async () => {
    expect([(await get("/docs/samples/cobol")).status, (await get("/docs/none")).status]).toEqual([404, 404]);
  });

  it("sends little: one language at a time", async () => {
    expect(await weightOf("/docs")).toBeLessThan(60_000);
    for (const { slug } of guides) expect(await weightOf(`/docs/${slug}`), slug).toBeLessThan(20_000);
    expect(await weightOf("/docs/search")).toBeLessThan(20_000);
  });
});

it("finds guides, headers, endpoints, events, fields, scopes, cards and codes, each at an address that exists", async () => {
  const entries = (await (await get("/docs/search")).json()) as SearchEntry[];
  const find = (title: string) => entries.filter(([name]) => name === title).map(([, context]) => context);
  expect(find("Idempotency")).toContain("Guide");
  expect(find("Create a payment link")).toEqual(["POST /api/payment-links"]);
  expect(find("redirect_url")).toContain("POST /api/payment-links");
  expect(find("link_already_paid")[0]).toMatch(/^409 /);
  expect(find("Verify the signature")).toEqual(["Guide: Webhooks"]);
  expect(find("webhook-signature")).toHaveLength(1);
  expect(find("payment.succeeded")).toEqual(["Event: A payment succeeded."]);
  expect(find("cursor")).toEqual([expect.stringMatching(/^Query of GET \S+ and \d+ more endpoints$/)]);
  expect(find("payment_url")).toEqual([expect.stringMatching(/^Response of /)]);
  expect(find("payments:read")).toEqual([expect.stringMatching(/^Scope of /)]);
  expect(find("4242424242424242")).toEqual([expect.stringMatching(/^Test card, /)]);
  const ids = new Map<string, Set<string>>();
  for (const [, , href] of entries) {
    const [path = "", hash] = href.split("#");
    if (!ids.has(path)) {
      const html = await (await get(path)).text();
      ids.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)));
    }
    if (hash !== undefined) expect(ids.get(path), href).toContain(hash);
  }
});

it("links only to pages and headings that exist", async () => {
  const html = new Map<string, string>();
  for (const path of ["/docs", ...guides.map(({ slug }) => `/docs/${slug}`)])
    html.set(path, await (await get(path)).text());
  for (const [path, text] of html)
    for (const [, href = ""] of text.matchAll(/ href="(\/docs[^"]*|#[^"]*)"/g)) {
      const [target = "", hash] = href.split("#");
      const page = html.get(target.split("?")[0] || path);
      expect(page, `${path} links to ${href}`).toBeDefined();
      if (hash) expect(page, `${path} links to ${href}`).toContain(` id="${hash}"`);
    }
});
