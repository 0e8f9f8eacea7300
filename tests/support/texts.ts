import type { Page, Response } from "@playwright/test";
import { currencies } from "@/lib/core/money";
import { sections } from "@/lib/resources/endpoints";
import { isAccented } from "@/messages/pseudo";
import type { Bookshop } from "./bookshop";

/** Texts that are not translated: names, codes, data for programs. */
const kept = [
  /^(Paydesk|Ctrl K|English|CSV|JSON|curl|cURL|TypeScript|Python|PHP|X-Request-Id|PNG|SVG|GET|HEAD|POST|PUT|DELETE|https:\/\/)$/,
  /^[a-z_]+(\.[a-z_]+)+$/, // an event type
  /^[a-z_]+(:(read|write))?$/,
  /^(sk_|whsec_)/,
  /^\/[a-z-]+$/, // an API path
  /^\S+@\S+\.example$/,
  /^[A-Z]{3}\s[\d.,]+$/, // an amount in a currency without a symbol
  /^[\d.]+ m?s$/,
];
/** Dates follow the locale, which is the same for English and accented English. */
const dates =
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b|\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\bat\b|\bUTC\b/g;

/** Every visible or announced text of a page. */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(node.getAttribute(name) ?? "");
        continue;
      }
      const parent = node.parentElement;
      if (!parent || parent.closest("script, style, noscript, iframe, code, pre, [data-secret]")) continue;
      // A possible line break does not end a text.
      found.push((parent.querySelector(":scope > wbr") ? parent : node).textContent ?? "");
    }
    return [...new Set(found.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text)))];
  });
}

/** Collects the API's responses to the page. @returns a function that stops and returns their bodies */
export function recordResponses(page: Page): () => Promise<unknown[]> {
  const bodies: Promise<unknown>[] = [];
  const note = (response: Response): void => {
    if (response.url().includes("/api/")) bodies.push(response.json().catch(() => ""));
  };
  page.on("response", note);
  return () => {
    page.off("response", note);
    return Promise.all(bodies);
  };
}

/** The API's lists whose first rows are in the page's HTML, and its settings, by the page's path. */
const listPaths: Record<string, string> = {
  "/customers": "/customers",
  "/developers/events": "/events",
  "/developers/keys": "/api-keys",
  "/developers/requests": "/requests?actor_type=api_key",
  "/developers/webhooks": "/webhook-endpoints",
  "/disputes": "/disputes",
  "/emails": "/emails",
  "/packages": "/packages",
  "/payment-links": "/payment-links",
  "/payments": "/payments",
  "/payouts": "/payouts",
  "/refunds": "/refunds",
  "/settings": "/settings",
  "/settings/audit-log": "/audit-log",
  "/subscriptions": "/subscriptions",
  "/team": "/team/members",
  "/tokenizations": "/tokenizations",
};

/** The API's paths of the data in a page's HTML. */
function dataOf(path: string): string[] {
  if (path === "/") return ["/reports/overview", "/reports/problems", "/reports/rates", "/payments", "/tokenizations"];
  if (/^\/subscriptions\/./.test(path)) return [path, "/tokenizations"];
  if (/^\/payment-links\/pl_/.test(path))
    return [path, `${path}/funnel`, `/payments?payment_link_id=${path.split("/").at(-1)}`];
  if (/^\/customers\/./.test(path)) {
    const email = path.split("/").at(-1);
    const lists = ["payment-links", "subscriptions", "payments", "tokenizations"];
    return [path, ...lists.map((list) => `/${list}?email=${email}`), `/emails?to=${email}`];
  }
  const also = path === "/subscriptions" ? ["/packages"] : []; // read when the browser is idle
  return listPaths[path] ? [listPaths[path], ...also] : [];
}

/** The data in a page's HTML. Empty for pages whose data the browser requests. */
export async function firstData(page: Page): Promise<unknown[]> {
  const read = async (path: string) => {
    const many = /^\/(reports|settings)|\/(subscriptions|payment-links|customers)\/./.test(path)
      ? ""
      : `${path.includes("?") ? "&" : "?"}per_page=100`;
    return (await page.request.get(`/api${path}${many}`)).json();
  };
  const paths = dataOf(new URL(page.url()).pathname);
  return Promise.all((paths.length > 0 ? [...paths, "/customers"] : []).map(read)); // lists have the names of their customers
}

/** The values in these bodies as pages may show them. Field names have spaces instead of underscores. */
function values(said: unknown): Set<string> {
  const found = new Set<string>();
  const take = (value: unknown): void => {
    if (value && typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) {
        found.add(key.replaceAll("_", " "));
        take(inner);
      }
      return;
    }
    found.add(String(value));
    found.add(String(value).replaceAll("_", " "));
  };
  take(said);
  return found;
}

/**
 * Texts of a page in accented English that have no accents and are not data: the catalogue misses them.
 * @param said the API's responses to the page
 */
export async function untranslated(
  page: Page,
  { name, texts, said, shop }: { name: string; texts: string[]; said: unknown[]; shop: Bookshop },
): Promise<string[]> {
  const platform = await page.evaluate(() => {
    const names = new Intl.DisplayNames("en", { type: "currency" });
    return [Intl.supportedValuesOf("timeZone"), Intl.supportedValuesOf("currency").map((code) => names.of(code))];
  });
  const data = values([
    ...[said, shop, shopPeople, currencies],
    name === "reference" ? documented : [],
    /register|settings/.test(name) ? platform : [],
  ]);
  const words = (text: string): string =>
    text
      .replace(dates, "")
      .replace(/[^\p{L}]+/gu, " ")
      .trim();
  const known = (text: string): boolean => words(text) === "" || kept.some((one) => one.test(text)) || data.has(text);
  return texts.filter((text) => !isAccented(text) && !known(text) && !text.split(", ").every(known));
}

/** Texts of the reference, from the contracts. */
const documented = sections.map(({ name, endpoints }) => [
  name,
  Object.values(endpoints).map(({ summary, description }) => [summary, description?.replaceAll("`", "")]),
]);

/** The signed-in person and the business, which the shell shows from the session. */
const shopPeople = ["Harbour Books", "Corner Books", "Ida Brandt", "Ben Carter", "IB", "BC"];
