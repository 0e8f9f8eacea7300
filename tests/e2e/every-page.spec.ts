import { expect } from "@playwright/test";
import { clickEverything, deadLinks } from "@/tests/support/clicks";
import { pages } from "@/tests/support/pages";
import { expectAccessible, expectNoOverflow, test, whole } from "@/tests/support/visits";

test.describe.configure({ timeout: 120_000 });

/** Followed once for a worker. */
const followed = new Set<string>();

for (const listed of pages) {
  test(`${listed.name}: accessible in both colours, at every width, without a fault`, async ({ page, visit }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await visit.open(listed);
    await expect(page).toHaveTitle(/\S/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expectNoOverflow(page, 2560);
    await expectNoOverflow(page, 1280);
    await expectAccessible(page, `${listed.name}, 1280`);
    await expectNoOverflow(page, 360);
    await expectNoOverflow(page, 390);
    await page.reload(); // as a phone gets it from the server
    await whole(page);
    await expect(page.locator("body")).toContainText(listed.shows);
    await expectAccessible(page, `${listed.name}, 390`);
    expect(visit.faults.seen).toEqual([]);
  });
}

// What every page of the dashboard has around it is clicked on one of them. It takes minutes: only where it is asked for.
const clicked = process.env.EVERY_BUTTON ? pages.filter(({ who, status }) => who !== "nobody" && !status) : [];
for (const listed of clicked) {
  test(`${listed.name}: every button does something, and what it opens is accessible`, async ({
    page,
    visit,
    context,
  }) => {
    test.setTimeout(900_000);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await visit.open(listed);
    const part = page.locator(listed.name === "overview" ? "body" : "main");
    expect(await deadLinks(page, part, followed)).toEqual([]);
    expect(await clickEverything(page, part, listed.name)).toEqual([]);
  });
}
