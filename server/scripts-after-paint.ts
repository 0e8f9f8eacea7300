import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A script of the framework, as React writes it. The text of a page cannot look like this: React escapes its "<". */
const script = /<script( src="\/_next\/static\/[^"]+"[^>]* async=""[^>]*>)/g;

/**
 * Runs in the browser at the end of a page: loads the changed scripts, and runs them when the page is parsed and painted. A page in a
 * background tab is never painted, and an old browser does not report it. $RB are the large parts of the page that React puts behind it: left
 * to itself, React's $RV shows them 300 ms after the rest.
 */
const startScripts = `(() => {
  const waiting = () => document.querySelectorAll('script[type="after-paint"]');
  for (const { src, nonce } of waiting()) {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "preload", as: "script", fetchPriority: "low", nonce, href: src }));
  }
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const script of waiting()) {
      const copy = script.cloneNode();
      copy.removeAttribute("type");
      script.replaceWith(copy);
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) return start();
    setTimeout(start, 1000);
    if (window.$RB?.length > 0) window.$RV?.(window.$RB);
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
    }).observe({ type: "paint", buffered: true });
  });
})()`.replaceAll(/\n */g, "\n");

/**
 * Changes a page's HTML so that the framework's scripts run when the page is painted, and load when its HTML is there
 * (docs/decisions/0080-scripts-after-paint.md).
 */
export function scriptsAfterPaint(): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let nonce: string | undefined;
  let isDone = false;
  const starter = (): string => {
    if (isDone || nonce === undefined) return "";
    isDone = true;
    return `<script nonce="${nonce}">${startScripts}</script>`;
  };
  const changed = (html: string): string =>
    html
      .replace(script, (_, attributes: string) => {
        nonce ??= / nonce="([^"]*)"/.exec(attributes)?.[1] ?? "";
        return `<script type="after-paint"${attributes}`;
      })
      .replace("</body>", (end) => starter() + end);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const html = rest + decoder.write(chunk);
      const lastTag = html.lastIndexOf("<");
      const end = lastTag < 0 || html.includes(">", lastTag) ? html.length : lastTag; // a tag can be split between chunks
      rest = html.slice(end);
      done(null, changed(html.slice(0, end)));
    },
    flush(done) {
      done(null, changed(rest + decoder.end()) + starter());
    },
  });
}
