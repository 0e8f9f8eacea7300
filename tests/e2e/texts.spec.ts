import { expect, type Page } from "@playwright/test";
import { currencies } from "@/lib/core/money";
import { sections } from "@/lib/resources/endpoints";
import { languageCookie, pseudoLanguage } from "@/messages/languages";
import { pages } from "@/tests/support/pages";
import { test, whole } from "@/tests/support/visits";

// What stands on a page the same in English and in accented English is either data or missing in the catalogue.

test.describe.configure({ timeout: 120_000 });

/** Words that are nobody's to translate: names, codes and what machines read. */
const kept = [
  /^(Paydesk|Ctrl K|English|CSV|JSON|curl|X-Request-Id|PNG|SVG|GET|HEAD|POST|PUT|DELETE|https:\/\/)$/,
  /^[a-z_]+(\.[a-z_]+)+$/, // a type of event
  /^[a-z_]+(:(read|write))?$/, // a scope
  /^(sk_|whsec_)/,
  /^\/[a-z-]+$/, // a path of the API
  /^\S+@\S+\.example$/,
  /^[A-Z]{3}\s[\d.,]+$/, // an amount in a currency without a sign
  /^[\d.]+ m?s$/,
];
/** Dates go by the language's tag, and accented English has English's. */
const dates =
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b|\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\bat\b|\bUTC\b/g;

/** Every text of a page that a person sees or a screen reader says. */
function textsOf(page: Page): Promise<string[]> {
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
      found.push(node.textContent ?? "");
    }
    return [...new Set(found.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text)))];
  });
}

/** All values that the API has told the page, and the names of its fields. */
function listen(page: Page): { said: () => Promise<unknown[]> } {
  const bodies: Promise<unknown>[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/")) bodies.push(response.json().catch(() => ""));
  });
  return { said: () => Promise.all(bodies) };
}

/** The single values in what was said, as they may stand on the page: fields' names are spoken with blanks. */
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

for (const listed of pages.filter(({ file }) => /^\((dashboard|auth)\)/.test(file))) {
  test(`${listed.name}: all its texts are in the catalogue`, async ({ page, visit, context, baseURL, shop }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const api = listen(page);
    await visit.open(listed);
    const english = await textsOf(page);
    await context.addCookies([{ name: languageCookie, value: pseudoLanguage, url: baseURL ?? "" }]);
    await page.reload();
    await page.waitForLoadState("networkidle");
    await whole(page);
    const accented = new Set(await textsOf(page));
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(pseudoLanguage);
    const platform = await page.evaluate(() => {
      const names = new Intl.DisplayNames("en", { type: "currency" });
      return [Intl.supportedValuesOf("timeZone"), Intl.supportedValuesOf("currency").map((code) => names.of(code))];
    });
    const data = values([
      await api.said(),
      ...[shop, shopPeople, currencies],
      listed.name === "reference" ? documented : [],
      /register|settings/.test(listed.name) ? platform : [],
    ]);
    const same = english.filter((text) => accented.has(text));
    const words = (text: string): string =>
      text
        .replace(dates, "")
        .replace(/[^\p{L}]+/gu, " ")
        .trim();
    const known = (text: string): boolean => words(text) === "" || kept.some((one) => one.test(text)) || data.has(text);
    const missing = same.filter((text) => !known(text) && !text.split(", ").every(known));
    expect(missing).toEqual([]);
    // The language took: something was accented.
    expect(accented.size).toBeGreaterThan(same.length);
  });
}

/** The API's own words for its calls. */
const documented = sections.map(({ name, endpoints }) => [
  name,
  Object.values(endpoints).map(({ summary, description }) => [summary, description?.replaceAll("`", "")]),
]);

/** Who is signed in, and where: the frame has it from the session. */
const shopPeople = ["Harbour Books", "Corner Books", "Ida Brandt", "Ben Carter", "IB", "BC"];
