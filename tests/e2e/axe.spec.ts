import { expect, test } from "@playwright/test";
import { violations } from "@/tests/support/axe";

/** A list like ours: rows that look alike, one of which has another text colour or background. */
const list = (odd: string) => `<!doctype html><html lang="en"><title>Rows</title>
  <style>body { background: #fff; color: #333 } .faint { color: #aaa } .dim { background: #555 }
  @media (prefers-color-scheme: dark) { .night { color: #111; background: #222 } }</style>
  <main><h1>Rows</h1><ul><li>First</li><li>Second</li><li>${odd}</li><li>Last</li></ul></main>`;

test("finds the violations of a row that differs from the others", async ({ page }) => {
  for (const [what, odd, found] of [
    ["rows that look alike", "Third", []],
    ["a faint text", '<span class="faint">Third</span>', ["color-contrast"]],
    ["the same colour on a darker background", '<div class="dim"><span>Third</span></div>', ["color-contrast"]],
    ["half transparent text", '<div style="opacity: 0.4"><span>Third</span></div>', ["color-contrast"]],
    [
      "the same colours in small and in large",
      '<span style="color: #888; font-size: 40px">Third</span> <i style="color: #888">Third</i>',
      ["color-contrast"],
    ],
    ["a button without a name", "<button></button>", ["button-name"]],
  ] as const) {
    await page.setContent(list(odd));
    const rules = (await violations(page)).map(([rule]) => rule);
    expect.soft(rules, what).toEqual(found);
  }
});

test("names the elements of a violation", async ({ page }) => {
  const faint = '<span class="faint">Third</span>';
  await page.setContent(list(faint));
  const why = expect.stringContaining("insufficient color contrast");
  expect(await violations(page)).toEqual([["color-contrast", [[faint, why]]]]);
});

test("checks a text again in the other colour scheme", async ({ page }) => {
  await page.setContent(list('<span class="night">Third</span>'));
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await violations(page)).map(([rule]) => rule)).toEqual(["color-contrast"]);
});
