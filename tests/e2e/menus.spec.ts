import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { gate } from "@/tests/support/gate";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const more = (page: Page, title: string) => page.getByRole("button", { name: `Actions for ${title}` });
const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

/** Signs in and shows a list with these links. */
async function showLinks(page: Page, ...titles: string[]): Promise<number> {
  const staff = await makeStaff();
  for (const title of titles) await makeLink(staff.businessId, { title });
  await openAs(page, staff, "/payment-links");
  for (const title of titles) await expect(more(page, title)).toBeVisible();
  return staff.businessId;
}

/** Nothing is fetched ahead: what opens comes when it is pressed for. */
const neverIdle = (page: Page) => page.addInitScript("window.requestIdleCallback = () => 0");
const scripts = "**/_next/static/chunks/*.js";

for (const first of ["Enter", "ArrowDown", "ArrowUp", "pointer"] as const)
  test(`a menu opens with ${first} the first time as later, and returns the focus`, async ({ page }) => {
    await neverIdle(page);
    await showLinks(page, "Reading club");
    const button = more(page, "Reading club");
    for (const _ of ["the button alone", "with its menu"]) {
      await expect(button).toHaveAttribute("aria-haspopup", "menu");
      await expect(button).toHaveAttribute("aria-expanded", "false");
      if (first === "pointer") await button.click();
      else await button.press(first);
      await expect(button).toHaveAttribute("aria-expanded", "true");
      if (first === "pointer") await expect(page.getByRole("menu")).toBeFocused();
      else await expect(item(page, first === "ArrowUp" ? "Delete" : "Edit")).toBeFocused();
      await page.keyboard.press("ArrowDown");
      await expect(item(page, first === "Enter" || first === "ArrowDown" ? "Duplicate" : "Edit")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(button).toBeFocused();
    }
    await button.click();
    await expect(item(page, "Edit")).toBeVisible();
    await button.click({ force: true }); // the menu's backdrop lies above it
    await expect(page.getByRole("menu")).toHaveCount(0);
  });

test("a popover opens, traps the keyboard focus, and returns it", async ({ page }) => {
  await showLinks(page, "Reading club");
  const button = page.getByRole("button", { name: /^Test mode/ });
  for (const press of [() => button.press("Enter"), () => button.click()]) {
    await press();
    const clock = page.getByRole("dialog", { name: "Test clock" });
    await expect(clock).toBeVisible();
    await expect.poll(() => clock.evaluate((popup) => popup.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await expect(clock).toHaveCount(0);
    await expect(button).toBeFocused();
  }
});

/** Waits until the page has loaded ahead everything that it may open. */
async function preloaded(page: Page): Promise<void> {
  const countScripts = () => page.evaluate(() => performance.getEntriesByType("resource").length);
  await page.waitForTimeout(3_000);
  await expect
    .poll(async () => {
      const before = await countScripts();
      await page.waitForTimeout(1_000);
      return (await countScripts()) - before;
    })
    .toBe(0);
}

test("a page's menus and dialogs open without a network", async ({ page }) => {
  await showLinks(page, "Reading club");
  await preloaded(page);
  await page.context().setOffline(true);
  await more(page, "Reading club").click();
  await item(page, "Deactivate").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("could not be reached").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Test mode/ }).click();
  await expect(page.getByRole("dialog", { name: "Test clock" }).getByRole("button").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await more(page, "Reading club").click();
  await item(page, "Edit").click();
  await expect(page.getByRole("dialog", { name: "Edit" }).getByLabel("Title")).toHaveValue("Reading club");
});

test("a dialog that cannot be loaded says so, and opens at the next click", async ({ page }) => {
  await neverIdle(page);
  await showLinks(page, "Reading club");
  const failed = page.getByText("Couldn’t load this");
  await page.route(scripts, (route) => route.abort());
  await more(page, "Reading club").click();
  await expect(failed).toBeVisible();
  await expect(more(page, "Reading club")).toBeFocused();
  await page.unrouteAll({ behavior: "wait" });
  await more(page, "Reading club").click();
  await expect(item(page, "Deactivate")).toBeVisible();
  await expect(failed).toHaveCount(0); // said for a while

  await page.route(scripts, (route) => route.abort());
  await item(page, "Deactivate").click();
  await expect(failed).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.unrouteAll({ behavior: "wait" });
  await more(page, "Reading club").click();
  await item(page, "Deactivate").click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
});

test("a form that cannot be loaded says so in its sheet, and reloads from there", async ({ page }) => {
  await neverIdle(page);
  await openAs(page, await makeStaff(), "/packages");
  await page.getByRole("button", { name: "Create package" }).first().click();
  await page.getByRole("dialog", { name: "Create package" }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Team" }).click(); // a sheet is there now, what stands in this one is not
  await expect(page.getByRole("button", { name: "Invite teammate" })).toBeVisible();
  await page.route(scripts, (route) => route.abort());
  await page.getByRole("button", { name: "Invite teammate" }).click();
  const sheet = page.getByRole("dialog", { name: "Invite teammate" });
  await expect(sheet.getByRole("alert")).toContainText("Couldn’t load this");
  await sheet.getByRole("button", { name: "Try again" }).click();
  await expect(sheet.getByRole("alert")).toContainText("Couldn’t load this");
  await page.unrouteAll({ behavior: "wait" });
  await sheet.getByRole("button", { name: "Try again" }).click();
  await expect(sheet.getByLabel("E-mail")).toBeFocused();
});

/** Holds scripts back from now on. @returns what lets them come */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const { opened, open } = gate();
  await page.route(scripts, async (route) => {
    await opened;
    await route.continue();
  });
  return async () => {
    const come = page.waitForResponse(scripts);
    open();
    await come;
    await page.unrouteAll({ behavior: "wait" });
  };
}

test("a late dialog does not open on another page", async ({ page }) => {
  await neverIdle(page);
  await showLinks(page, "Reading club", "Book fair");
  const search = page.getByRole("searchbox").first();

  let come = await holdScripts(page);
  await more(page, "Reading club").click();
  await expect(more(page, "Reading club")).toHaveAttribute("aria-busy", "true");
  await search.click();
  await search.pressSequentially("R");
  await come();
  await expect(more(page, "Reading club")).not.toHaveAttribute("aria-busy");
  await expect(search).toBeFocused();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await more(page, "Reading club").click();

  come = await holdScripts(page);
  await item(page, "Deactivate").click();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await search.click();
  await search.pressSequentially("e");
  await come();
  await search.pressSequentially("a");
  await expect(search).toHaveValue("Rea");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await more(page, "Reading club").click();
  await item(page, "Deactivate").click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
});

test("after a lost response a changed link is sent as it is by then", async ({ page }) => {
  const business_id = await showLinks(page, "Reading club");
  const send = async () => {
    await more(page, "Reading club").click();
    await item(page, "Send by e-mail").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    // A link may be sent once a minute.
    const created_at = new Date(Date.now() - 120_000);
    await db.email.updateMany({ where: { business_id }, data: { created_at } });
  };
  const sentTo: string[] = [];
  for (const [change, text, shown] of [
    [{ email: "right@example.com" }, "right", "right@example.com"],
    [{ amount_cents: 2000 }, "Reading", "€20.00"],
  ] as const) {
    await page.route("**/send", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send();
    await expect(page.getByText("Something went wrong").first()).toBeVisible();
    await page.unroute("**/send");
    await db.paymentLink.updateMany({ where: { business_id }, data: change });
    await page.getByRole("searchbox").fill(text);
    await expect(page.getByRole("row", { name: /Reading club/ })).toContainText(shown);
    await send();
    await expect(
      page.getByText("Test mode sends no e-mail. You’ll find it under E-mails.", { exact: true }).first(),
    ).toBeVisible();
    sentTo.push(sentTo.at(-1) ?? "payer@example.com", "right@example.com");
    const mails = await db.email.findMany({ where: { business_id } });
    expect(mails.map(({ to }) => to).sort()).toEqual(sentTo);
  }
});

test("another person's change after a lost response is shown, and not taken for one's own", async ({ page }) => {
  await showLinks(page, "Reading club");
  const row = page.getByRole("row", { name: /Reading club/ });
  const deactivate = async () => {
    await more(page, "Reading club").click();
    await item(page, "Deactivate").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
  };
  await page.route("**/deactivate", async (route) => {
    await route.fetch();
    const [, id] = /payment-links\/([^/]+)\//.exec(route.request().url()) ?? [];
    await db.paymentLink.update({ where: { id }, data: { status: "Active" } });
    await route.abort();
  });
  await deactivate();
  await expect(page.getByText("Something went wrong").first()).toBeVisible();
  await page.unroute("**/deactivate");
  await expect(row.getByText("Active", { exact: true })).toBeVisible();
  await deactivate();
  await expect(page.getByText("Deactivated: Reading club").first()).toBeVisible();
  await expect(row.getByText("Inactive", { exact: true })).toBeVisible();
});

test("without a network a link stays on the page and says so", async ({ page }) => {
  await showLinks(page, "Reading club");
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Payments", exact: true }).first().click();
  await expect(page.getByText("Couldn’t load this")).toBeVisible();
  await expect(more(page, "Reading club")).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Payments", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Payments", exact: true })).toBeVisible();
});

test("input over a row survives a narrowed window", async ({ page }) => {
  await showLinks(page, "Reading club");
  await more(page, "Reading club").click();
  await item(page, "Duplicate").click();
  const title = page.getByRole("dialog", { name: "Duplicate" }).getByLabel("Title");
  await title.fill("Typed by hand");
  await page.setViewportSize({ width: 700, height: 800 });
  await expect(title).toHaveValue("Typed by hand");
});

test("a row's menu is visible, even when the table overflows", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Reading club" });
  await openAs(page, staff, "/payment-links?columns=status,email,reference,created_at");
  await expect(more(page, "Reading club")).toBeInViewport({ ratio: 1 });
  const sort = page.getByRole("columnheader", { name: "Created" }).getByRole("button");
  await sort.focus();
  await sort.click({ trial: true }); // nothing lies above it
});
