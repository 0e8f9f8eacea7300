import type { Page } from "@playwright/test";

interface Counted {
  /** Mouse clicks, without those that a key causes. */
  clicks: number;
  /** Key presses, including repetitions of a held key. */
  keys: number;
}

/** Counts clicks and keys as the page receives them, also across pages without a full load. @returns the counts so far */
export async function countInput(page: Page): Promise<() => Promise<Counted>> {
  await page.evaluate(() => {
    const counted = { clicks: 0, keys: 0 };
    Object.assign(window, { counted });
    window.addEventListener(
      "click",
      // A click that a key causes has the detail 0.
      ({ isTrusted, detail }) => {
        if (isTrusted && detail > 0) counted.clicks++;
      },
      true,
    );
    window.addEventListener(
      "keydown",
      ({ isTrusted }) => {
        if (isTrusted) counted.keys++;
      },
      true,
    );
  });
  return () => page.evaluate(() => (window as unknown as { counted: Counted }).counted);
}
