import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expectNoOverflow } from "./layout";
import { loaded } from "./visits";

/** Buttons without a visible effect, and why. */
const withoutEffect: { name: RegExp; why: string }[] = [
  { name: /^(Test|System|Light|All|Phone)$/, why: "it is what is chosen already" },
  { name: /^(Save|Save changes|Change password)$/, why: "a form without changes has nothing to save" },
];

interface Button {
  /** The index among the page's buttons. */
  index: number;
  name: string;
}

const buttons = "button, [role=button], summary, [role=tab], [role=switch]";

/** The clickable buttons of a part of the page. Of a list, only those of the first two rows. */
async function findButtons(part: Locator): Promise<Button[]> {
  return part.locator(buttons).evaluateAll((all) =>
    all.flatMap((one, index) => {
      const row = one.closest("tbody tr, li");
      const nth = row?.parentElement ? [...row.parentElement.children].indexOf(row) : 0;
      const shown = one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1;
      const off = one.matches(":disabled, [aria-disabled=true]");
      const name = (one.getAttribute("aria-label") || one.textContent || "").trim().replace(/\s+/g, " ");
      return shown && !off && nth < 2 ? [{ index, name }] : [];
    }),
  );
}

/** Records every effect that a click can have. */
async function recordEffects(page: Page): Promise<{ happened: () => Promise<string[]> }> {
  const seen: string[] = [];
  const took = (what: string) => () => void seen.push(what);
  const [request, download, popup] = [took("a request"), took("a download"), took("a window")];
  const chooser = took("a question for a file");
  page.on("request", request);
  page.on("download", download);
  page.on("popup", popup);
  page.on("filechooser", chooser);
  await page.evaluate(() => {
    const changes = { count: 0 };
    Object.assign(window, { changes });
    const watched = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver((records) => {
      // The button's own pressed state is not an effect.
      const real = records.filter(
        ({ type, attributeName }) =>
          type !== "attributes" || !/^(class|style|data-focus|data-pressed)/.test(attributeName ?? ""),
      );
      changes.count += real.length;
    }).observe(document.body, watched);
  });
  const url = page.url();
  return {
    happened: async () => {
      for (let waited = 0; waited < 20 && seen.length === 0; waited++) {
        if (page.url() !== url) seen.push("a new address");
        const count = await page
          .evaluate(() => (window as { changes?: { count: number } }).changes?.count ?? 1)
          .catch(() => 1);
        if (count > 0) seen.push("a change");
        else await page.waitForTimeout(50);
      }
      page.off("request", request);
      page.off("download", download);
      page.off("popup", popup);
      page.off("filechooser", chooser);
      return seen;
    },
  };
}

/** Two clicks at one position, at the maximum interval of a double click. */
export async function slowDoubleClick(target: Locator): Promise<void> {
  await target.click({ trial: true }); // once it is settled: a sheet slides in
  const box = await target.boundingBox();
  if (!box) throw new Error("there is nothing to press");
  const { mouse } = target.page();
  for (const wait of [200, 0]) {
    await mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await target.page().waitForTimeout(wait);
  }
}

const layers = (page: Page) => page.locator("[role=dialog]:visible, [role=alertdialog]:visible");

async function closeAll(page: Page): Promise<void> {
  for (
    let tries = 0;
    tries < 4 &&
    (await page.locator("[role=dialog], [role=alertdialog], [role=menu]").filter({ visible: true }).count()) > 0;
    tries++
  ) {
    await page.keyboard.press("Escape");
    await page.waitForTimeout(60);
  }
}

/** Checks an open dialog or menu like a page, with axe in both colour schemes and at phone width. */
async function inspect(page: Page, where: string): Promise<void> {
  await loaded(page);
  await expectAccessible(page, where);
  if ((await layers(page).count()) === 0) return;
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await expectNoOverflow(page, 390);
  await page.setViewportSize(size);
}

/**
 * Clicks every visible button of a part of the page. Each must have an effect, and the opened element must pass the
 * checks. Writes do not reach the server.
 * @returns the buttons without an effect
 */
export async function clickEverything(page: Page, part: Locator, where: string): Promise<string[]> {
  const start = page.url();
  const dead: string[] = [];
  const back = async (force = false) => {
    await closeAll(page);
    if (!force && page.url() === start) return;
    await page.goto(start);
    await loaded(page);
  };
  await page.route("**/api/**", (route) =>
    route.request().method() === "GET"
      ? route.continue()
      : route.fulfill({ status: 409, json: { message: "Nothing is written here.", code: "conflict" } }),
  );
  const seen = new Set<string>();
  for (const { index, name } of await findButtons(part)) {
    if (seen.has(name)) continue;
    seen.add(name);
    const button = part.locator(buttons).nth(index);
    if ((await button.count()) === 0) continue;
    const { happened } = await recordEffects(page);
    await button.click({ timeout: 6_000 }).catch(() => button.click({ force: true, timeout: 3_000 }));
    const effects = await happened();
    if (effects.length === 0 && !withoutEffect.some((one) => one.name.test(name))) dead.push(name);
    const menu = page.getByRole("menu").filter({ visible: true });
    if ((await menu.count()) > 0) {
      await inspect(page, `${where}: ${name}`);
      dead.push(...(await clickMenu(page, button, `${where}: ${name}`, back)));
    } else if ((await layers(page).count()) > 0) await inspect(page, `${where}: ${name}`);
    await back(
      await page
        .locator("[role=dialog], [role=alertdialog], [role=menu]")
        .filter({ visible: true })
        .count()
        .then(Boolean),
    );
  }
  await page.unroute("**/api/**");
  return dead;
}

/** Clicks each item of the menu that a button opens. */
async function clickMenu(page: Page, button: Locator, where: string, back: () => Promise<void>): Promise<string[]> {
  const dead: string[] = [];
  const items = page.getByRole("menuitem").filter({ visible: true });
  const count = await items.count();
  for (let n = 0; n < count; n++) {
    if ((await items.count()) === 0) await button.click();
    await expect(items.nth(n)).toBeVisible();
    const item = items.nth(n);
    const name = (await item.innerText()).trim();
    if ((await item.getAttribute("aria-disabled")) === "true") continue;
    const { happened } = await recordEffects(page);
    await item.click();
    if ((await happened()).length === 0) dead.push(`${where} › ${name}`);
    await page.waitForTimeout(100);
    if ((await layers(page).count()) > 0) await inspect(page, `${where} › ${name}`);
    await back();
  }
  return dead;
}

/** The broken links among those that were not visited before. */
export async function deadLinks(page: Page, part: Locator, known: Set<string>): Promise<string[]> {
  const hrefs = await part.locator("a").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  const dead: string[] = [];
  for (const href of new Set(hrefs)) {
    if (href === "" || href === "#") dead.push(`a link without an address: ${href}`);
    const url = new URL(href, page.url());
    if (href.startsWith("#")) {
      if (href.length > 1 && (await page.locator(`[id="${href.slice(1)}"]`).count()) === 0) dead.push(href);
      continue;
    }
    if (url.origin !== new URL(page.url()).origin || known.has(url.pathname)) continue;
    known.add(url.pathname);
    const status = (await page.request.get(url.href, { maxRedirects: 0 })).status();
    if (status >= 400) dead.push(`${status} ${href}`);
  }
  return dead;
}
