import { expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

/** In the page: waits until nothing slides or fades any more, because a half-faded element has a contrast of its own. */
export async function settled(): Promise<void> {
  const ending = document
    .getAnimations()
    // An animation of a scroll position never ends, and neither does one that repeats.
    .filter(
      ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
    );
  await Promise.allSettled(ending.map((one) => one.finished));
}

interface Rules {
  /** Rules that are left out. */
  without?: string[];
  /** The only rules that run. */
  only?: string[];
}

type Violation = [rule: string, elements: unknown[]];

/**
 * What axe finds wrong with a page once it stands still: the rule, and the elements with what is wrong. It does not look
 * into frames: a frame here is a mail or a preview, which runs no script.
 */
async function violations(page: Page, rules: Rules = {}): Promise<Violation[]> {
  const found = await runAxe(page, rules);
  // A toast may be fading. A real contrast violation persists.
  const fading = found.length > 0 && found.every(([rule]) => rule === "color-contrast");
  return fading ? runAxe(page, rules) : found;
}

/**
 * In the page: remembers each parsed colour. axe parses the colour and the background of every element anew for each text
 * above it, and an oklch() colour is slow to parse: this halves the time that the contrast rule takes.
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
    await page.evaluate(axe.source); // once for each document
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

/** The rules whose answer depends on colours: the other colour scheme needs no others. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Expects no violations in both colour schemes, and leaves the page in the light one. */
export async function expectAccessible(page: Page, where = page.url(), rules?: Rules): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectNoViolations(page, `${where}, dark`, { only: colourRules });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expectNoViolations(page, `${where}, light`, rules);
}

/** The width in px at which the dashboard is checked as on a phone: the lists are cards, the dialogs are sheets. */
const phoneWidth = 360;

/**
 * Expects no violations, and nothing that reaches out of the window sideways: in the window as it is, in both colour schemes,
 * then as narrow as a phone. Leaves the window as it was.
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
