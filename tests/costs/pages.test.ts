import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/core/db";
import { listPages } from "@/tests/bench/pages-list";
import { seedPages } from "@/tests/bench/pages-seed";
import { seedLinks } from "@/tests/bench/seed";
import { bytesOnTheWire } from "@/tests/bench/wire";
import { payAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { ownerUrl } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { signIn } from "@/tests/support/sign-in";
import { mostScript, pageHtml, pageScripts, payerPages } from "./expected";
import { startWeb } from "./web";

/** How far a size may be from its figure: ids and times differ from run to run. */
const tolerance = 0.02;

const client = new Client({ connectionString: ownerUrl(process.env.COSTS_DATABASE_URL ?? "") });
let stopWeb: () => Promise<void>;

beforeAll(async () => {
  stopWeb = await startWeb(process.env.COSTS_DATABASE_URL ?? "");
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await stopWeb();
});

async function weigh(path: string): Promise<{ bytes: number; requests: number }> {
  const response = await fetch(`${baseUrl()}${path}`, { headers: { "accept-encoding": "identity" } });
  expect(response.status).toBe(200);
  const html = await response.text();
  const beside = html.match(/<(script|link|img|iframe|object|embed|video|audio|source)\b[^>]*>|@import|url\(/gi) ?? [];
  return { bytes: Buffer.byteLength(html), requests: 1 + beside.length };
}

test("the payer's pages weigh what they should", async () => {
  const { key } = await createMerchant();
  const form = `/pay?id=${await create(key, "payment_links")}`;
  const paid = await create(key, "payment_links");
  await payAt(`/pay?id=${paid}`);
  const { receipt_token } = await db.payment.findFirstOrThrow({ where: { payment_link_id: paid } });
  const found = {
    "the pay form": await weigh(form),
    "the thank-you page": await weigh(`/thank-you?id=${paid}`),
    "the receipt": await weigh(`/receipt/${receipt_token}`),
  };
  const faults = Object.entries(payerPages).flatMap(([name, expected]) => {
    const { bytes, requests } = found[name as keyof typeof found];
    if (requests !== expected.requests)
      return [`${name} now takes ${requests} requests instead of ${expected.requests}.`];
    if (Math.abs(bytes - expected.bytes) <= expected.bytes * tolerance) return [];
    return [`${name} now has ${bytes} bytes instead of ${expected.bytes}.`];
  });
  if (faults.length > 0) expect.fail(`${faults.join("\n")}\nFound: ${JSON.stringify(found, null, 2)}`);
});

async function htmlOf(path: string, cookie: string): Promise<string> {
  const response = await fetch(`${baseUrl()}${path}`, { headers: { cookie }, redirect: "manual" });
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

/** The scripts that a page's HTML names for the browsers of today, in its tags and in the data for React. */
function scriptsOf(html: string): string[] {
  const filesIn = (text: string) => [...text.matchAll(/static\/[\w./~-]+?\.js\b/g)].map(([file]) => file);
  const forOldBrowsers = new Set((html.match(/<script\b[^>]*\bnomodule\b[^>]*>/gi) ?? []).flatMap(filesIn));
  return [...new Set(filesIn(html))].filter((file) => !forOldBrowsers.has(file)).map((file) => `/_next/${file}`);
}

test("each page of the dashboard has as much HTML and loads as much script as it should", async () => {
  const { businessId } = await createMerchant();
  await seedLinks(client, businessId, 200);
  const cookie = (await signIn(await seedPages(client, businessId, 60))) ?? "";
  const sizes = new Map<string, number>();
  const found: Record<string, number> = {};
  const foundHtml: Record<string, number> = {};
  for (const { route, path } of await listPages(client, businessId)) {
    let total = 0;
    const html = await htmlOf(path, cookie);
    if (route in pageHtml) foundHtml[route] = Buffer.byteLength(html);
    for (const script of scriptsOf(html)) {
      const size = sizes.get(script) ?? (await bytesOnTheWire(`${baseUrl()}${script}`));
      sizes.set(script, size);
      total += size;
    }
    found[route] = total;
  }
  const kilo = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const faults = Object.entries(found).flatMap(([route, bytes]) => {
    const expected = pageScripts[route] ?? 0;
    if (bytes > mostScript) return [`${route} loads ${kilo(bytes)} of script, more than ${kilo(mostScript)}.`];
    if (bytes > expected * (1 + tolerance))
      return [
        `${route} now loads ${kilo(bytes)} of script instead of ${kilo(expected)}. Load less of it, or give the reason in the commit and raise the figure.`,
      ];
    if (bytes < expected * (1 - 5 * tolerance))
      return [`${route} now loads only ${kilo(bytes)} of script instead of ${kilo(expected)}: lower its figure.`];
    return [];
  });
  for (const [route, bytes] of Object.entries(pageHtml))
    if (!(Math.abs((foundHtml[route] ?? 0) - bytes) <= bytes * tolerance))
      faults.push(`${route} now has ${kilo(foundHtml[route] ?? 0)} of HTML instead of ${kilo(bytes)}.`);
  const rest = Object.keys(pageScripts).filter((route) => !(route in found));
  faults.push(...rest.map((route) => `There is no page ${route} any more.`));
  for (const script of sizes.keys())
    if (!(await (await fetch(`${baseUrl()}${script}`)).text()).startsWith("//# allFunctionsCalledOnLoad\n"))
      faults.push(`${script} is not compiled while it loads (decision 72).`);
  if (faults.length > 0)
    expect.fail(
      `${faults.join("\n")}\nThe figures for tests/costs/expected.ts:\n${JSON.stringify({ pageHtml: foundHtml, pageScripts: found }, null, 2)}`,
    );
});
