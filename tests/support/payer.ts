import * as activatePage from "@/app/(public)/activate/[token]/route";
import * as payPage from "@/app/(public)/pay/route";
import * as receiptPdf from "@/app/(public)/receipt/[token]/pdf/route";
import * as receiptPage from "@/app/(public)/receipt/[token]/route";
import * as bankPage from "@/app/(public)/sandbox/3ds/[ref]/route";
import * as thanksPage from "@/app/(public)/thank-you/route";

const pages = [
  { pattern: /^\/pay$/, page: payPage, param: "" },
  { pattern: /^\/thank-you$/, page: thanksPage, param: "" },
  { pattern: /^\/activate\/([^/]+)$/, page: activatePage, param: "token" },
  { pattern: /^\/receipt\/([^/]+)$/, page: receiptPage, param: "token" },
  { pattern: /^\/receipt\/([^/]+)\/pdf$/, page: receiptPdf, param: "token" },
  { pattern: /^\/sandbox\/3ds\/([^/]+)$/, page: bankPage, param: "ref" },
] as const;

let clients = 0;

/** Requests a payer's page without following redirects, each from a unique address unless `client` is given. */
export async function visit(
  path: string,
  options: {
    method?: "GET" | "HEAD" | "POST" | "PUT";
    form?: Record<string, string>;
    client?: string;
    raw?: RequestInit;
  } = {},
): Promise<{ status: number; headers: Headers; text: string; location: string }> {
  const url = new URL(path, "http://localhost");
  const found = pages.find(({ pattern }) => pattern.test(url.pathname));
  if (!found) throw new Error(`no page at ${url.pathname}`);
  clients++;
  const client = options.client ?? `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
  const method = options.method ?? (options.form ? "POST" : "GET");
  const headers = new Headers({ "x-paydesk-client": client });
  const body = options.form && new URLSearchParams(options.form);
  const request = new Request(url, { method, headers, body, ...options.raw });
  const value = found.pattern.exec(url.pathname)?.[1];
  const response = await found.page[method](request, { params: Promise.resolve({ [found.param]: value }) });
  const location = response.headers.get("location") ?? "";
  return { status: response.status, headers: response.headers, text: await response.text(), location };
}

/** Posts the pay form of a link over 10.50 EUR. */
export function pay(linkId: string, number: string, over: Record<string, string> = {}, client?: string) {
  const form = { amount_cents: "1050", currency: "EUR", number, expiry: "12/40", cvc: "123", action: "pay", ...over };
  return visit(`/pay?id=${linkId}`, { form, client });
}
