import { equal, ok } from "node:assert/strict";

const most = 30_000;

/** Values that occur nowhere else in the document. */
export const marked = { amount: "123456", currency: "EUR", title: "Marked title", description: "Marked description" };

export interface Template {
  headers: Record<string, string>;
  /** Text, the name of a value, text, ... */
  parts: string[];
}

const perConnection = ["connection", "content-length", "date", "keep-alive", "transfer-encoding", "x-request-id"];

/** Cuts the marked values out of a document, so that the floor sends the product's own, whatever it looks like. */
export async function cutTemplate(url: string, id: string, business: string): Promise<Template> {
  const response = await fetch(`${url}/pay?id=${id}`, { headers: { "accept-encoding": "identity" } });
  let html = await response.text();
  const values = {
    id,
    amount: "€1,234.56",
    amount_cents: marked.amount,
    currency: marked.currency,
    title: marked.title,
    description: marked.description,
    business,
  };
  for (const [name, value] of Object.entries(values)) {
    ok(html.includes(value), `the pay page shows no ${name}`);
    html = html.replaceAll(value, `\0${name}\0`);
  }
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !perConnection.includes(name)));
  return { headers, parts: html.split("\0") };
}

/**
 * What a first visit takes over the wire: one document, at most 30 kB, no script, nothing fetched beside it.
 * @throws AssertionError when it is more
 */
export async function weighPage(url: string, id: string): Promise<{ body: number; head: number }> {
  const response = await fetch(`${url}/pay?id=${id}`, { headers: { "accept-encoding": "identity" } });
  equal(response.status, 200);
  equal(response.headers.get("content-encoding"), null);
  const html = await response.text();
  const beside = html.match(/<(script|link|img|iframe|object|embed|video|audio|source)\b[^>]*>|@import|url\(/gi) ?? [];
  equal(beside.length, 0, `the pay page has or fetches more than itself: ${beside.join(" ")}`);
  ok(!/\son\w+\s*=|javascript:/i.test(html.replace(/<style>.*?<\/style>/s, "")), "the pay page has inline script");
  const policy = response.headers.get("content-security-policy") ?? "";
  ok(policy.includes("default-src 'none'") && !policy.includes("script-src"), "the pay page's policy allows scripts");
  const head = [...response.headers].reduce((size, [name, value]) => size + name.length + value.length + 4, 19);
  const body = Buffer.byteLength(html);
  ok(head + body <= most, `the pay page takes ${head + body} bytes, more than ${most}`);
  return { body, head };
}
