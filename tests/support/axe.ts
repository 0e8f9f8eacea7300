import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * In the page: waits until nothing slides or fades any more, which would be a contrast of its own.
 */
export async function settled(): Promise<void> {
  const ending = document
    .getAnimations()
    // What goes by the scrolling of something ends nowhere, nor does what repeats.
    .filter(
      ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
    );
  await Promise.allSettled(ending.map((one) => one.finished));
}

/**
 * What axe finds wrong with a page, once it stands still: the rule, and the elements with what is the matter.
 * Of the page alone (a frame is a mail, which runs no script), which is why axe need not open a second page to put frames
 * together: that is its "legacy mode", and three times as fast.
 */
export async function violations(page: Page, options: { without?: string[] } = {}): Promise<unknown[]> {
  const found = await look(page, options);
  // A toast may have begun to fade meanwhile; a contrast that is wrong stays so.
  const fading = found.length > 0 && found.every(([id]) => id === "color-contrast");
  return fading ? look(page, options) : found;
}

async function look(page: Page, options: { without?: string[] }): Promise<[id: string, nodes: unknown[]][]> {
  await page.evaluate(settled);
  const axe = new AxeBuilder({ page }).setLegacyMode(true).exclude(["iframe", "*"]);
  const found = await axe
    .options({ resultTypes: ["violations"] })
    .disableRules(options.without ?? [])
    .analyze();
  return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
}

export async function expectNoViolations(page: Page, where?: string): Promise<void> {
  expect.soft(await violations(page), where && `axe: ${where}`).toEqual([]);
}
