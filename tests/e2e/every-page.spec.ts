import { expect } from "@playwright/test";
import { languageCookie, pseudoLanguage } from "@/messages/languages";
import { expectAccessible, expectNoViolations } from "@/tests/support/axe";
import { clickEverything, deadLinks } from "@/tests/support/clicks";
import { baseUrl } from "@/tests/support/http";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { pages } from "@/tests/support/pages";
import { firstRows, recordResponses, textsOf, untranslated } from "@/tests/support/texts";
import { loaded, test } from "@/tests/support/visits";

test.describe.configure({ timeout: 120_000 });

for (const listed of pages) {
  // The payers' pages are in English alone.
  const translated = /^\((dashboard|auth)\)/.test(listed.file);
  test(`${listed.name}: accessible in both colours, fits every width, no faults${
    translated ? ", all texts in the catalogue" : ""
  }`, async ({ visit, shop }) => {
    const visitor = await visit.prepare(listed);
    const { page } = visitor;
    const answers = recordResponses(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.open(page, listed);
    await expect(page).toHaveTitle(/\S/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expectNoViolations(page, `${listed.name}, 390 px`);
    await expectNoOverflow(page, phoneWidth, 390, 2560, 1280);
    await expectAccessible(page, `${listed.name}, 1280 px`);
    const english = await textsOf(page);
    expect(visitor.faults).toEqual([]);
    if (!translated) return;

    // A text that is the same in English and in accented English is data, or it is missing in the catalogue.
    await page.context().addCookies([{ name: languageCookie, value: pseudoLanguage, url: baseUrl() }]);
    await page.reload();
    await loaded(page);
    const accented = await textsOf(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(pseudoLanguage);
    await page.context().clearCookies({ name: languageCookie });
    const said = [...(await answers()), ...(await firstRows(page))];
    expect(await untranslated(page, { name: listed.name, english, accented, said, shop })).toEqual([]);
    // The language took effect: some texts are accented.
    expect(accented.length).toBeGreaterThan(english.filter((text) => accented.includes(text)).length);
    expect(visitor.faults).toEqual([]);
  });
}

/** Links that were followed already: each once for a worker. */
const followed = new Set<string>();

// What every page of the dashboard has around it is clicked on one of them. It takes minutes: only where it is asked for.
const clicked = process.env.EVERY_BUTTON ? pages.filter(({ who, status }) => who !== "anonymous" && !status) : [];
for (const listed of clicked) {
  test(`${listed.name}: every button does something, and what it opens is accessible`, async ({ visit }) => {
    test.setTimeout(900_000);
    const { page } = await visit.prepare(listed);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await visit.open(page, listed);
    const part = page.locator(listed.name === "overview" ? "body" : "main");
    expect(await deadLinks(page, part, followed)).toEqual([]);
    expect(await clickEverything(page, part, listed.name)).toEqual([]);
  });
}
