import { expect } from "@playwright/test";
import { pseudoLanguage } from "@/messages/languages";
import { isAccented } from "@/messages/pseudo";
import { expectAccessible, expectNoViolations } from "@/tests/support/axe";
import { clickEverything, deadLinks } from "@/tests/support/clicks";
import { expectNoOverflow, expectTablesFit, phoneWidth } from "@/tests/support/layout";
import { type ListedPage, pages } from "@/tests/support/pages";
import { firstData, recordResponses, textsOf, untranslated } from "@/tests/support/texts";
import { test } from "@/tests/support/visits";

test.describe.configure({ timeout: 120_000 });

/** What pages of the navigation may call when they open; the others call nothing (decision 72). */
const calls: Record<string, string[]> = {
  // The forecast is slow.
  overview: ["reports/forecast"],
  "overview-empty": ["reports/forecast"],
  // The total of what is filtered, and the customers who match.
  "payment-links-none": ["payment-links", "customers"],
  // The names of all packages for a filter, when the browser is idle.
  subscriptions: ["packages"],
  "subscriptions-empty": ["packages"],
};

/** They come with the HTML if the server reads them within a second, which a busy one may not. */
const ofFrame = ["account/businesses", "notifications"];

/** One component shows every missing row, with other words. */
const looksLikeAnother = ({ name }: ListedPage) => name.endsWith("-missing") && name !== "payment-link-missing";

for (const listed of pages) {
  // Accented English shows which texts are not in the catalogue. The payers' pages are in English alone.
  const translated = /^\((dashboard|auth)\)/.test(listed.file);
  const looks = !looksLikeAnother(listed);
  const claims = [
    ...(looks ? ["accessible in both colours", "fits every width"] : []),
    "no faults",
    ...(translated ? ["all texts in the catalogue"] : []),
  ];
  test(`${listed.name}: ${claims.join(", ")}`, async ({ visit, shop }) => {
    const visitor = await visit.prepare(listed, translated ? pseudoLanguage : "en");
    const { page } = visitor;
    const responses = recordResponses(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.open(page, listed);
    if (/^\(dashboard\)[^[]*$/.test(listed.file)) {
      const may = [...ofFrame, ...(calls[listed.name] ?? [])].map((path) => `/api/${path}`);
      expect(visitor.called.filter((path) => !may.includes(path))).toEqual([]);
    }
    await expect(page).toHaveTitle(/\S/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    if (looks) {
      await expectNoViolations(page, `${listed.name}, 390 px`);
      await expectNoOverflow(page);
      await expectNoOverflow(page, phoneWidth, 2560);
      await expectTablesFit(page, 1024);
      await expectNoOverflow(page, 1280);
      await expectAccessible(page, `${listed.name}, 1280 px`);
    }
    expect(visitor.faults).toEqual([]);
    if (!translated) return;

    await expect(page.locator("html")).toHaveAttribute("lang", pseudoLanguage);
    const said = [...(await responses()), ...(await firstData(page))];
    const texts = await textsOf(page);
    expect(await untranslated(page, { name: listed.name, texts, said, shop })).toEqual([]);
    expect(texts.some(isAccented)).toBe(true);
  });
}

test("a text that is not in the catalogue is found", async ({ visit, shop }) => {
  const listed = pages.find(({ name }) => name === "account");
  if (!listed) throw new Error("there is no page of the account");
  const { page } = await visit.prepare(listed, pseudoLanguage);
  await visit.open(page, listed);
  // React may drop what it has not written while it hydrates the page.
  await expect(async () => {
    await page.evaluate(() => document.querySelector("main")?.append("Written into a component"));
    const texts = await textsOf(page);
    const found = await untranslated(page, { name: listed.name, texts, said: [], shop });
    expect(found.join(" ")).toContain("Written into a component");
  }).toPass();
});

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
