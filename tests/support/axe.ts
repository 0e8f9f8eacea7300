import { expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** In the page: waits until all animations have ended, because a fading element has another contrast. */
export async function settled(): Promise<void> {
  const ending = document
    .getAnimations()
    // Scroll-driven and repeating animations never end.
    .filter(
      ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
    );
  await Promise.allSettled(ending.map((one) => one.finished));
}

interface Rules {
  without?: string[];
  only?: string[];
}

type Violation = [rule: string, elements: unknown[]];

/**
 * The violations that axe finds once the page is settled: the rule and the elements. Skips frames: ours are mails and
 * previews without scripts.
 */
async function violations(page: Page, rules: Rules = {}): Promise<Violation[]> {
  const found = await runAxe(page, rules);
  // A toast may be fading. A real contrast violation persists.
  const fading = found.length > 0 && found.every(([rule]) => rule === "color-contrast");
  return fading ? runAxe(page, rules) : found;
}

/**
 * In the page: caches parsed colours. axe parses the colours of every element again for each text above it, and oklch()
 * is slow to parse. Halves the time of the contrast rule.
 */
function rememberColours(): void {
  interface Colour {
    r: number;
    g: number;
    b: number;
    alpha: number;
    parseString: (text: string) => Colour;
  }
  const { axe: here } = window as unknown as { axe: { commons: { color: { Color: { prototype: Colour } } } } };
  const colour = here.commons.color.Color.prototype;
  const parse = colour.parseString;
  const known = new Map<string, Pick<Colour, "r" | "g" | "b" | "alpha">>();
  colour.parseString = function (text) {
    const found = known.get(text);
    if (found) return Object.assign(this, found);
    const { r, g, b, alpha } = parse.call(this, text);
    known.set(text, { r, g, b, alpha });
    return this;
  };
}

async function runAxe(page: Page, { without = [], only }: Rules): Promise<Violation[]> {
  await page.evaluate(settled);
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source); // once per document
    await page.evaluate(rememberColours);
  }
  const options: RunOptions = {
    resultTypes: ["violations"],
    iframes: false,
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    ...(only && { runOnly: { type: "rule", values: only } }),
  };
  return page.evaluate(async (run): Promise<Violation[]> => {
    const { axe: here } = window as unknown as { axe: typeof axe };
    const { violations: all } = await here.run(document, run);
    return all.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
  }, options);
}

export async function expectNoViolations(page: Page, where?: string, rules?: Rules): Promise<void> {
  expect.soft(await violations(page, rules), where && `axe: ${where}`).toEqual([]);
}

/** The rules that depend on colours, for the second colour scheme. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Expects no violations in both colour schemes. Leaves the page in the light one. */
export async function expectAccessible(page: Page, where = page.url(), rules?: Rules): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectNoViolations(page, `${where}, dark`, { only: colourRules });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectNoViolations(page, `${where}, light`, rules);
}

/** The phone width of the dashboard's checks in px: lists show cards, dialogs are sheets. */
const phoneWidth = 360;

/**
 * Expects no violations and no horizontal overflow: at the current width in both colour schemes, then at phone width.
 * Restores the window.
 */
export async function expectSound(page: Page, where = page.url()): Promise<void> {
  const before = page.viewportSize();
  await expectAccessible(page, where);
  await expectNoSidewaysScroll(page, where);
  if (!before || before.width === phoneWidth) return;
  await page.setViewportSize({ width: phoneWidth, height: 740 });
  await expectNoViolations(page, `${where}, ${phoneWidth} px`);
  await expectNoSidewaysScroll(page, `${where}, ${phoneWidth} px`);
  await page.setViewportSize(before);
}

async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  await page.evaluate(settled);
  const beyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(beyond), `${where}: px to scroll sideways`).toBe(0);
}
