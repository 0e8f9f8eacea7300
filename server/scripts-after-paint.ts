import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A script of the framework, as React writes it. The text of a page cannot look like this: React escapes its "<". */
const script = /<script( src="(\/_next\/static\/[^"?]+)[^"]*"[^>]* async=""[^>]*>)/g;

/** Bytes. Smaller scripts start to load after the first paint, so that they do not delay it. */
const smallScript = 14_000;

/**
 * Runs in the browser, in front of the changed scripts, and runs them once the page is parsed and painted. A page in a background tab is never
 * painted, and an old browser does not report it. Only scripts with this page's nonce run, as its policy demands.
 * Holds back clicks on buttons that React does not handle yet, and repeats the last of them once React does, unless the person has done something else by
 * then (docs/decisions/0081-early-clicks.md). Does the same with Enter in a form whose button React has not enabled yet. Stops ten seconds after the
 * scripts start.
 * $RB are the large parts of a page that React writes behind the rest: its $RV puts them in their places, by itself only after a first paint.
 */
const startScripts = `(() => {
  const { nonce } = document.currentScript;
  let isStarted = false;
  let held;
  const forget = () => {
    held = undefined;
  };
  const isHandled = (element) => Object.keys(element).some((key) => key.startsWith("__reactProps$"));
  const repeat = (event, isReady, act) => {
    held = event;
    const timer = setInterval(() => {
      if (held === event && !isReady()) return;
      clearInterval(timer);
      if (held === event) act();
    }, 50);
  };
  const holdEarlyClick = (event) => {
    const { target, isTrusted } = event;
    const button = target.closest?.("button:enabled");
    if (!button || (button.form && button.type === "submit") || !isTrusted || isHandled(button)) return;
    event.stopImmediatePropagation();
    repeat(
      event,
      () => !button.isConnected || isHandled(button),
      () => (target.isConnected ? target : button).dispatchEvent(new MouseEvent("click", event)),
    );
  };
  const holdEarlyEnter = (event) => {
    forget();
    const { target, key, isComposing } = event;
    const button = key === "Enter" && !isComposing && target.matches?.("input") && target.form?.querySelector('[type="submit"]');
    if (!button || !button.disabled || isHandled(target)) return;
    repeat(event, () => !button.isConnected || !button.disabled, () => button.click());
  };
  addEventListener("click", holdEarlyClick, true);
  addEventListener("pointerdown", forget, true);
  addEventListener("keydown", holdEarlyEnter, true);
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    setTimeout(() => {
      forget();
      removeEventListener("click", holdEarlyClick, true);
      removeEventListener("keydown", holdEarlyEnter, true);
    }, 10_000);
    for (const script of document.querySelectorAll('script[type="after-paint"]')) {
      if (script.nonce !== nonce) continue;
      const copy = script.cloneNode();
      copy.removeAttribute("type");
      script.replaceWith(copy);
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    if (window.$RB?.length > 0) window.$RV?.(window.$RB);
    if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) return start();
    setTimeout(start, 1000);
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return; // first-paint: the background alone
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
    }).observe({ type: "paint", buffered: true });
  });
})()`.replaceAll(/\n */g, "\n");

/**
 * Changes a page's HTML so that the framework's scripts run when the page is painted. The large ones load from the start
 * (docs/decisions/0080-scripts-after-paint.md).
 * @param bytesOf the size of the script at a URL path; undefined, as by default: loads from the start
 */
export function scriptsAfterPaint(bytesOf: (path: string) => number | undefined = () => undefined): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isFirst = true;
  const change = (tag: string, attributes: string, path: string): string => {
    const nonce = / nonce="([^"]*)"/.exec(attributes)?.[1];
    if (!nonce) return tag;
    const starter = isFirst ? `<script nonce="${nonce}">${startScripts}</script>` : "";
    isFirst = false;
    const late = `<script type="after-paint"${attributes}`;
    if ((bytesOf(path) ?? smallScript) < smallScript) return starter + late;
    const link = attributes.replace(" src=", " href=").replace(' async=""', "").replace(">", "/>");
    return `${starter}<link rel="preload" as="script" fetchPriority="low"${link}${late}`;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const html = rest + decoder.write(chunk);
      const lastTag = html.lastIndexOf("<");
      const end = lastTag < 0 || html.includes(">", lastTag) ? html.length : lastTag; // a tag can be split between chunks
      rest = html.slice(end);
      done(null, html.slice(0, end).replace(script, change));
    },
    flush(done) {
      done(null, rest + decoder.end());
    },
  });
}
