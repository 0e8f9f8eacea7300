const delayMs = 2500;
const queued = new Set<() => Promise<unknown>>();
const waiting: (() => Promise<unknown>)[] = [];

/** Loads the queued scripts one after another, each when the browser is idle. A failed one loads again when it is needed. */
function loadNext(): void {
  const idle = window.requestIdleCallback ?? setTimeout;
  idle(async () => {
    await waiting
      .shift()?.()
      .catch(() => undefined);
    if (waiting.length > 0) loadNext();
  });
}

/**
 * Loads a script a few seconds after the page, so that what needs it later works at once, without a network, and after an
 * upgrade, when the server no longer has it. Repeated calls with the same function count once.
 */
export function loadWhenIdle(load: () => Promise<unknown>): void {
  if (typeof window === "undefined" || queued.has(load)) return;
  queued.add(load);
  if (waiting.push(load) === 1) setTimeout(loadNext, delayMs);
}
