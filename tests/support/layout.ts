import { expect, type Page } from "@playwright/test";

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

/** The phone width of the dashboard's checks in px: lists show cards, dialogs are sheets. */
export const phoneWidth = 360;

/** For `test.use`: a phone with a touch screen. */
export const phone = { viewport: { width: phoneWidth, height: 740 }, hasTouch: true, isMobile: true };

/** Expects no horizontal overflow at these widths in px, or at the present one. Scrolling containers may overflow. Leaves the last width. */
export async function expectNoOverflow(page: Page, ...widths: number[]): Promise<void> {
  if (widths.length === 0) await expectFits(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 800 : 900 });
    await expectFits(page);
  }
}

async function expectFits(page: Page): Promise<void> {
  await page.evaluate(settled);
  const wide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const out = [...document.body.querySelectorAll("*")].filter(
        (one) => one.getBoundingClientRect().right > clientWidth + 0.5,
      );
      return [`${scrollWidth} > ${clientWidth}`, ...out.slice(0, 5).map((one) => one.outerHTML.slice(0, 160))];
    });
  // An open menu moves a moment after its window has become narrower.
  await expect.poll(wide, { message: `${page.url()}: wider than its window` }).toEqual([]);
}

/** Expects that no table of the page scrolls sideways at this width in px. Leaves the width. */
export async function expectTablesFit(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(settled);
  const wide = await page.getByRole("table").evaluateAll((tables) =>
    tables.flatMap((table) => {
      const { scrollWidth = 0, clientWidth = 0 } = table.parentElement ?? {};
      return scrollWidth > clientWidth ? [`${table.textContent?.slice(0, 80)}: ${scrollWidth} > ${clientWidth}`] : [];
    }),
  );
  expect(wide, `${page.url()}: tables wider than their space at ${width} px`).toEqual([]);
}
