import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { expectNoOverflow, phoneWidth, settled } from "./layout";

/** axe for the browser. Minified, because every document that is checked has to receive and parse it. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Rules {
  without?: string[];
  only?: string[];
}

type Violation = [rule: string, elements: unknown[]];

/**
 * The violations that axe finds once the page is settled: the rule and the elements. Skips frames: ours are mails and
 * previews without scripts.
 */
export async function violations(page: Page, rules: Rules = {}): Promise<Violation[]> {
  const found = await runAxe(page, rules);
  // A toast may be fading. A real contrast violation persists.
  const fading = found.length > 0 && found.every(([rule]) => rule === "color-contrast");
  return fading ? runAxe(page, rules) : found;
}

/** What this file uses of axe, also of its inside. */
interface Axe {
  run(context: Document, options: RunOptions): Promise<AxeResults>;
  _audit: {
    rules: {
      id: string;
      matches: (this: unknown, element: Element, virtual: VirtualNode, ...rest: unknown[]) => boolean;
    }[];
    /** Whether results are without the HTML of their elements. */
    noHtml: boolean;
  };
  commons: { color: { Color: { prototype: Colour } } };
  /** Ours: begins a run. */
  forgetChecked: () => void;
}

/** axe's copy of an element or of a text. */
interface VirtualNode {
  actualNode: Node;
  props: { nodeName: string };
  children: VirtualNode[];
}

interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString: (text: string) => Colour;
}

/**
 * In the page, once per document: makes the contrast rule three times as fast. axe parses the colours of every element
 * again for each text above it, and oklch() is slow to parse: parsed colours are cached. Of the texts with the same colour,
 * size, weight and backgrounds, such as those of a list's rows, axe checks the first in each run.
 */
function speedUpContrast(): void {
  const { axe: inside } = window as unknown as { axe: Axe };
  const colour = inside.commons.color.Color.prototype;
  const parse = colour.parseString;
  const parsed = new Map<string, Pick<Colour, "r" | "g" | "b" | "alpha">>();
  colour.parseString = function (text) {
    const found = parsed.get(text);
    if (found) return Object.assign(this, found);
    const { r, g, b, alpha } = parse.call(this, text);
    parsed.set(text, { r, g, b, alpha });
    return this;
  };

  const rule = inside._audit.rules.find(({ id }) => id === "color-contrast");
  if (!rule) throw new Error("axe has no rule color-contrast");
  const matches = rule.matches;
  const backgrounds = new Map<Element, string>();
  const checked = new Set<string>();
  inside.forgetChecked = () => {
    backgrounds.clear();
    checked.clear();
  };
  const backgroundsOf = (element: Element | null): string => {
    if (!element) return "";
    const known = backgrounds.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    const own = [backgroundColor, backgroundImage, opacity, position].join(" ");
    const shows = own !== "rgba(0, 0, 0, 0) none 1 static";
    const all = backgroundsOf(element.parentElement) + (shows ? `/${own}` : "");
    backgrounds.set(element, all);
    return all;
  };
  // axe asks this last, after slower questions about all ancestors.
  const hasOwnText = ({ props: { nodeName }, children }: VirtualNode): boolean =>
    ["input", "select", "textarea"].includes(nodeName) ||
    children.some(({ actualNode }) => actualNode.nodeType === Node.TEXT_NODE && /\S/.test(actualNode.nodeValue ?? ""));
  rule.matches = function (element, virtual, ...rest) {
    if (!hasOwnText(virtual)) return false;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const look = [color, fontSize, fontWeight, textShadow, backgroundsOf(element)].join();
    if (checked.has(look) || !matches.call(this, element, virtual, ...rest)) return false;
    checked.add(look);
    return true;
  };
}

async function runAxe(page: Page, { without = [], only }: Rules): Promise<Violation[]> {
  await page.evaluate(settled);
  // The router streams a page's title after its content.
  await expect(page).toHaveTitle(/\S/);
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axeSource); // once per document
    await page.evaluate(speedUpContrast);
  }
  const options: RunOptions = {
    resultTypes: ["violations"],
    iframes: false,
    selectors: false,
    preload: { assets: ["media"] }, // only an experimental rule reads the styles
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    ...(only && { runOnly: { type: "rule", values: only } }),
  };
  return page.evaluate(async (run): Promise<Violation[]> => {
    const { axe: here } = window as unknown as { axe: Axe };
    const check = (): Promise<AxeResults> => {
      here.forgetChecked();
      return here.run(document, run);
    };
    // The HTML of each checked element takes a tenth of the time. Only violations need it.
    here._audit.noHtml = true;
    let { violations: all } = await check();
    if (all.length > 0) {
      here._audit.noHtml = false;
      const { violations: named } = await check();
      if (named.length > 0) all = named; // else they have gone meanwhile: reported without HTML
    }
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

/**
 * Expects no violations and no horizontal overflow: at the current width in both colour schemes, then at phone width.
 * Restores the window.
 */
export async function expectAccessibleAtBothWidths(page: Page, where = page.url()): Promise<void> {
  const before = page.viewportSize();
  if (!before) throw new Error("The page has no viewport.");
  await expectAccessible(page, where);
  await expectNoOverflow(page, before.width, phoneWidth);
  await expectNoViolations(page, `${where}, ${phoneWidth} px`);
  await page.setViewportSize(before);
}
