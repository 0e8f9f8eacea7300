import type { Browser, BrowserContext, Page, Request, Response } from "playwright";
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

/** The name of the function that a payload's script calls. */
const canary = "canaryOfS9";

/**
 * A browser that counts the effects of an attack.
 * @param unprotected disables the content policies and writes React's text as markup
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
    const log = (what: string) => (globalThis as unknown as Record<string, (what: string) => void>)[name]?.(what);
    for (const dialog of ["alert", "confirm", "prompt"]) Object.assign(window, { [dialog]: () => log("scripts run") });
    document.addEventListener("securitypolicyviolation", () => log("stopped by the policy alone"));
  }, canary);
  if (options.unprotected) await context.addInitScript(textIsMarkup);
  context.on("page", (page) => page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined)));
  // Not by `route`, which would switch the cache off: every page would load and compile all scripts again.
  const isForeign = (request: Request) => new URL(request.url()).origin !== baseUrl();
  context.on("request", (request) => {
    if (isForeign(request)) wrong["requests made"]++;
  });
  context.on("requestfailed", (request) => {
    // Stopped by the policy before it was sent. It is counted as such.
    if (isForeign(request) && /csp/i.test(request.failure()?.errorText ?? "")) wrong["requests made"]--;
  });
  return context;
}

/** In the page: writes React's text as markup, without escaping. */
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

/** The API reference has one script. What payers see has none. */
export const referenceScript = /^\/docs(\/|$)/;

/** Whether a page's policy lacks a directive. */
function isWeak(policy: string, scripts: boolean, path: string): boolean {
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
      !/unsafe|\*|https?:|data:/.test(policy) &&
      (referenceScript.test(path)
        ? has("script-src", /^'sha256-[A-Za-z0-9+/=]{44}'$/) && has("connect-src", /^'self'$/)
        : !/script-src|connect-src/.test(policy)) &&
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

/** Checks a response's headers: its policy, and that browsers do not sniff its type. */
export async function judgeAnswer(answer: Response, scripts: boolean, wrong: Wrong): Promise<void> {
  const headers = await answer.allHeaders();
  const type = headers["content-type"] ?? "";
  const policy = headers["content-security-policy"] ?? "";
  if (headers["x-content-type-options"] !== "nosniff") wrong["weak policies"]++;
  // Only documents are rendered.
  if (!type.startsWith("text/html")) return;
  if (isWeak(policy, scripts, new URL(answer.url()).pathname)) wrong["weak policies"]++;
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (!nonce) return;
  if (nonces.has(nonce)) wrong["weak policies"]++;
  nonces.add(nonce);
}

/** Without whitespace, case and invisible characters, because pages fold and wrap text. */
export const normalized = (text: string): string => text.replace(/[\s\p{C}]+/gu, "").toLowerCase();

/** In the page: returns its text, and the elements and addresses that are not ours. */
export function inspectContent() {
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
  const foreignElements = elements.filter(
    (element) =>
      foreign.test(element.localName) ||
      (element.localName === "iframe" && !(isFrame(element) && element.hasAttribute("sandbox"))) ||
      (element.localName === "meta" && /refresh/i.test(element.getAttribute("http-equiv") ?? "")) ||
      (element.localName === "script" && /^\s*alert/.test(element.textContent ?? "")) ||
      [...element.attributes].some(({ name }) => name.startsWith("on")),
  );
  const names = ["href", "src", "action", "formaction", "poster", "data", "xlink:href", "srcset", "background"];
  const addresses = elements.flatMap((element) => names.flatMap((name) => element.getAttribute(name) ?? []));
  const foreignAddresses = addresses.filter((address) => {
    if (/^(#|mailto:|tel:|data:(image\/|text\/csv))/i.test(address.trim())) return false;
    try {
      return new URL(address, location.href).origin !== location.origin;
    } catch {
      return true;
    }
  });
  return {
    foreignElements: foreignElements.map((element) => element.outerHTML.slice(0, 200)),
    foreignAddresses,
    scripts: document.querySelectorAll("script").length,
    names: [...new Set(elements.map(({ localName }) => localName))],
    title: document.title,
    text: texts.join("\n"),
  };
}

/** Waits until the words appear, then counts missing words and foreign elements. */
export async function judgePage(page: Page, words: readonly string[], wrong: Wrong, log: (what: string) => void) {
  const wanted = words.map(normalized).filter(Boolean);
  const deadline = Date.now() + 30_000;
  for (;;) {
    const seen = await page.evaluate(inspectContent);
    const text = normalized(seen.text);
    const lost = wanted.filter((word) => !text.includes(word));
    if (lost.length > 0 && Date.now() < deadline) {
      await page.waitForTimeout(100);
      continue;
    }
    if (lost.length > 0) log(`not there as written: ${lost.map((word) => word.slice(0, 60)).join(" | ")}`);
    for (const element of seen.foreignElements) log(`an element that is not ours: ${element}`);
    for (const address of seen.foreignAddresses) log(`an address that is not ours: ${address}`);
    wrong["words that are not there as written"] += lost.length;
    wrong["elements that are not ours"] += seen.foreignElements.length;
    wrong["addresses that are not ours"] += seen.foreignAddresses.length;
    return seen;
  }
}
