/**
 * An inline script at the end of a page. It loads the scripts which server/scripts-after-paint.ts has changed, so that they leave the network
 * to the page itself until then, and runs them when the page is parsed and painted. A page in a background tab is never painted, and an old
 * browser does not report it.
 */
export const scriptsAfterPaint = `(() => {
  const waiting = () => document.querySelectorAll('script[type="after-paint"]');
  for (const { src, nonce } of waiting()) {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "preload", as: "script", fetchPriority: "low", nonce, href: src }));
  }
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    new Worker("/load-formats.js");
    for (const script of waiting()) {
      const copy = script.cloneNode();
      copy.removeAttribute("type");
      script.replaceWith(copy);
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes("paint")) return start();
    setTimeout(start, 1000);
    // React puts large parts of a page behind it, and would show them 300 ms after the rest.
    if (window.$RB?.length > 0) window.$RV?.(window.$RB);
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
    }).observe({ type: "paint", buffered: true });
  });
})()`;
