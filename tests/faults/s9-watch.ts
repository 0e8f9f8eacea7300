import type { Browser, BrowserContext, Page, Response } from "playwright";
import { baseUrl } from "@/tests/support/http";

export const nothing = () => ({
  "scripts run": 0,
  "requests made": 0,
  "stopped by the policy alone": 0,
  "elements that are not ours": 0,
  "addresses that are not ours": 0,
  "weak policies": 0,
  "pages with a script that must have none": 0,
  "titles that are not ours": 0,
  "words that are not there as written": 0,
  "pages that failed": 0,
});
export type Wrong = ReturnType<typeof nothing>;

/** What a payload's script would do, and what the policy reports. */
const canary = "canaryOfS9";

/**
 * A browser in which everything that an attack could do is counted.
 * @param unprotected the pages without their policy, in which all that is written as text is markup
 */
export async function watchedBrowser(
  browser: Browser,
  wrong: Wrong,
  options: { cookie?: string; unprotected?: boolean } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: baseUrl(),
    viewport: { width: 1280, height: 800 },
    bypassCSP: options.unprotected === true,
  });
  const cookies = (options.cookie ?? "").split("; ").filter(Boolean);
  await context.addCookies(
    cookies.map((cookie) => {
      const at = cookie.indexOf("=");
      return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: baseUrl() };
    }),
  );
  await context.exposeFunction(canary, (what: "scripts run" | "stopped by the policy alone") => {
    wrong[what]++;
  });
  await context.addInitScript((name) => {
    const tell = (what: string) => (globalThis as unknown as Record<string, (what: string) => void>)[name]?.(what);
    for (const dialog of ["alert", "confirm", "prompt"]) Object.assign(window, { [dialog]: () => tell("scripts run") });
    document.addEventListener("securitypolicyviolation", () => tell("stopped by the policy alone"));
  }, canary);
  if (options.unprotected) await context.addInitScript(textIsMarkup);
  context.on("page", (page) => page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined)));
  await context.route("**", (route) => {
    if (new URL(route.request().url()).origin === baseUrl()) return route.continue();
    wrong["requests made"]++;
    return route.abort();
  });
  return context;
}

/** In the page: what React writes as text is read as markup, as if it escaped nothing. */
function textIsMarkup(): void {
  const create = Document.prototype.createTextNode;
  Document.prototype.createTextNode = function (text: string) {
    if (!/[<&]/.test(text)) return create.call(this, text);
    const holder = this.createElement("span");
    holder.innerHTML = text;
    return holder as unknown as Text;
  };
  const setter = Object.getOwnPropertyDescriptor(Node.prototype, "textContent")?.set;
  Object.defineProperty(Node.prototype, "textContent", {
    configurable: true,
    get(this: Node) {
      return (this as HTMLElement).innerText;
    },
    set(this: Node, text: string) {
      if (this instanceof HTMLElement && !/^(script|style)$/.test(this.localName)) this.innerHTML = text;
      else setter?.call(this, text);
    },
  });
}

/** What a page's policy lacks. */
function isWeak(policy: string, scripts: boolean): boolean {
  const parts = new Map(
    policy.split(";").map((part) => {
      const [name = "", ...values] = part.trim().split(/\s+/);
      return [name, values.join(" ")];
    }),
  );
  const has = (name: string, wanted: RegExp) => wanted.test(parts.get(name) ?? "");
  const common = has("base-uri", /^'none'$/) && has("frame-ancestors", /^'none'$/);
  if (!scripts)
    return !(
      common &&
      has("default-src", /^'none'$/) &&
      !/script-src|unsafe|\*|https?:|data:/.test(policy) &&
      (!parts.has("form-action") || has("form-action", /^'(none|self)'$/))
    );
  return !(
    common &&
    has("default-src", /^'self'$/) &&
    has("script-src", /^'self' 'nonce-[A-Za-z0-9+/=]{24}' 'strict-dynamic'$/) &&
    has("object-src", /^'none'$/) &&
    has("form-action", /^'self'$/) &&
    has("connect-src", /^'self'$/)
  );
}

const nonces = new Set<string>();

/** The answer's own headers: its policy, and that no browser takes it for something else. */
export async function judgeAnswer(answer: Response, scripts: boolean, wrong: Wrong): Promise<void> {
  const headers = await answer.allHeaders();
  const type = headers["content-type"] ?? "";
  const policy = headers["content-security-policy"] ?? "";
  if (headers["x-content-type-options"] !== "nosniff") wrong["weak policies"]++;
  // What is no document is not read as one.
  if (!type.startsWith("text/html")) return;
  if (isWeak(policy, scripts)) wrong["weak policies"]++;
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (!nonce) return;
  if (nonces.has(nonce)) wrong["weak policies"]++;
  nonces.add(nonce);
}

/** Without blanks, case, and what nobody sees: pages fold these, and break lines as they like. */
export const squeezed = (text: string): string => text.replace(/[\s\p{C}]+/gu, "").toLowerCase();

/** In the page: what is written in it, and what of it cannot be ours. */
export function lookAround() {
  const roots = [document, ...[...document.querySelectorAll("iframe")].flatMap((frame) => frame.contentDocument ?? [])];
  const elements = roots.flatMap((root) => [...root.querySelectorAll("*")]);
  const texts: string[] = [];
  for (const root of roots) {
    const walker = root.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!/^(script|style|title)$/.test(node.parentElement?.localName ?? "")) texts.push(node.nodeValue ?? "");
  }
  for (const element of elements)
    if (/^(input|textarea)$/.test(element.localName)) texts.push((element as HTMLInputElement).value);
  const foreign = /^(object|embed|base|applet|frame|frameset|math|mi|video|audio|source|marquee|portal|body\w+)$/;
  const isFrame = (element: Element) =>
    /^(E-mail: |Preview of the pay page$)/.test(element.getAttribute("title") ?? "");
  const strange = elements.filter(
    (element) =>
      foreign.test(element.localName) ||
      (element.localName === "iframe" && !(isFrame(element) && element.hasAttribute("sandbox"))) ||
      (element.localName === "meta" && /refresh/i.test(element.getAttribute("http-equiv") ?? "")) ||
      (element.localName === "script" && /^\s*alert/.test(element.textContent ?? "")) ||
      [...element.attributes].some(({ name }) => name.startsWith("on")),
  );
  const names = ["href", "src", "action", "formaction", "poster", "data", "xlink:href", "srcset", "background"];
  const addresses = elements.flatMap((element) => names.flatMap((name) => element.getAttribute(name) ?? []));
  const led = addresses.filter((address) => {
    if (/^(#|mailto:|tel:|data:(image\/|text\/csv))/i.test(address.trim())) return false;
    try {
      return new URL(address, location.href).origin !== location.origin;
    } catch {
      return true;
    }
  });
  return {
    strange: strange.map((element) => element.outerHTML.slice(0, 200)),
    led,
    scripts: document.querySelectorAll("script").length,
    names: [...new Set(elements.map(({ localName }) => localName))],
    title: document.title,
    text: texts.join("\n"),
  };
}

/** What of a page is missing or too much. Waits until the words are there. */
export async function judgePage(page: Page, words: readonly string[], wrong: Wrong, tell: (what: string) => void) {
  const wanted = words.map(squeezed).filter(Boolean);
  const patience = Date.now() + 30_000;
  for (;;) {
    const seen = await page.evaluate(lookAround);
    const text = squeezed(seen.text);
    const lost = wanted.filter((word) => !text.includes(word));
    if (lost.length > 0 && Date.now() < patience) {
      await page.waitForTimeout(100);
      continue;
    }
    if (lost.length > 0) tell(`not there as written: ${lost.map((word) => word.slice(0, 60)).join(" | ")}`);
    for (const element of seen.strange) tell(`an element that is not ours: ${element}`);
    for (const address of seen.led) tell(`an address that is not ours: ${address}`);
    wrong["words that are not there as written"] += lost.length;
    wrong["elements that are not ours"] += seen.strange.length;
    wrong["addresses that are not ours"] += seen.led.length;
    return seen;
  }
}
