import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A script of the framework, as React writes it. The text of a page cannot look like this: React escapes its "<". */
const script = /<script( src="\/_next\/static\/[^"]+"[^>]* async=""[^>]*>)/g;

/**
 * Runs in the browser, in front of the changed scripts. Once the page is parsed it loads them, and once the page is painted it runs them. A page
 * in a background tab is never painted, and an old browser does not report it. Only scripts with this page's nonce run, as its policy demands.
 * $RB are the large parts of a page that React writes behind the rest: its $RV puts them in their places, by itself only after a first paint.
 */
const startScripts = `(() => {
  const { nonce } = document.currentScript;
  let scripts = [];
  const start = () => {
    for (const script of scripts.splice(0)) {
      const copy = script.cloneNode();
      copy.removeAttribute("type");
      script.replaceWith(copy);
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    if (window.$RB?.length > 0) window.$RV?.(window.$RB);
    scripts = [...document.querySelectorAll('script[type="after-paint"]')].filter((script) => script.nonce === nonce);
    if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) return start();
    for (const { src } of scripts) {
      const link = document.createElement("link");
      document.head.append(Object.assign(link, { rel: "preload", as: "script", fetchPriority: "low", nonce, href: src }));
    }
    setTimeout(start, 1000);
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
    }).observe({ type: "paint", buffered: true });
  });
})()`.replaceAll(/\n */g, "\n");

/**
 * Changes a page's HTML so that the framework's scripts load when all of it is there, and run when it is painted
 * (docs/decisions/0080-scripts-after-paint.md).
 */
export function scriptsAfterPaint(): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isFirst = true;
  const changed = (html: string): string =>
    html.replace(script, (tag, attributes: string) => {
      const nonce = / nonce="([^"]*)"/.exec(attributes)?.[1];
      if (!nonce) return tag;
      const before = isFirst ? `<script nonce="${nonce}">${startScripts}</script>` : "";
      isFirst = false;
      return `${before}<script type="after-paint"${attributes}`;
    });
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const html = rest + decoder.write(chunk);
      const lastTag = html.lastIndexOf("<");
      const end = lastTag < 0 || html.includes(">", lastTag) ? html.length : lastTag; // a tag can be split between chunks
      rest = html.slice(end);
      done(null, changed(html.slice(0, end)));
    },
    flush(done) {
      done(null, rest + decoder.end());
    },
  });
}
