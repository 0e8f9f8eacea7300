import { expect, type Locator, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectNoViolations } from "@/tests/support/axe";
import { makeEndpoint, makeFailedDelivery, makePeriod, makeSubscription } from "@/tests/support/form-rows";
import { gate } from "@/tests/support/gate";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeAttempt, makeManualPayment, makePaidLink } from "@/tests/support/money-rows";
import { startReceiver } from "@/tests/support/receiver";
import { sidePeek } from "@/tests/support/rows";
import { makeLink, makeStaff, moveToAnotherDay, openAs, type Staff, test } from "@/tests/support/staff";

const minute = 60_000;

/** Three links, newest first: Third, Second, First. */
async function makeThree(staff: Staff) {
  const at = (ago: number) => new Date(Date.now() - ago * minute);
  const make = (title: string, ago: number, amount_cents: number) =>
    makeLink(staff.businessId, {
      title,
      amount_cents,
      email: `${title.toLowerCase()}@example.com`,
      created_at: at(ago),
    });
  return {
    first: await make("First", 3, 1000),
    second: await make("Second", 2, 2000),
    third: await make("Third", 1, 3000),
  };
}

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const opener = (page: Page, name: string) =>
  page.getByRole("link", { name, exact: true }).and(page.locator("[data-row] a"));

/** Clicks at the middle of an element, whatever lies above it. */
async function clickAt(page: Page, target: Locator, button: "left" | "middle" = "left"): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error("It is not shown.");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button });
}

async function openThree(page: Page) {
  const staff = await makeStaff();
  const links = await makeThree(staff);
  await openAs(page, staff);
  return { staff, ...links };
}

test("a toast is above an open sheet, can be closed there and is not hidden from screen readers", async ({ page }) => {
  await openThree(page);
  await row(page, "First")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Deactivate" }).click();
  await page.getByRole("button", { name: "Deactivate", exact: true }).click();
  const toast = page.getByText("Deactivated: First");
  await expect(toast).toBeVisible();
  await page.getByRole("button", { name: "Create payment link" }).click();
  const sheet = page.getByRole("dialog", { name: "Create payment link" });
  await expect(sheet).toBeVisible();
  await toast.hover(); // fails if the sheet lies above it
  expect(await toast.evaluate((text) => text.closest("[aria-hidden=true], [inert]"))).toBeNull();
  expect(await toast.evaluate((text) => text.closest("[aria-live]")?.getAttribute("aria-live"))).toBe("polite");
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Close" }).click();
  await expect(toast).toHaveCount(0);
  await expect(sheet).toBeVisible();
});

test("a click anywhere in a row opens it, its controls keep their own work, and its text can be selected", async ({
  page,
  context,
}) => {
  const { second } = await openThree(page);
  await clickAt(page, row(page, "Second").getByText("€20.00"));
  await expect(sidePeek(page).getByRole("heading", { name: "Second" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sidePeek(page)).toHaveCount(0);

  await row(page, "Second").getByText("second@example.com").click(); // above the link, so that it can be selected
  await expect(sidePeek(page).getByRole("heading", { name: "Second" })).toBeVisible();
  await page.keyboard.press("Escape");

  await row(page, "Second")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sidePeek(page)).toHaveCount(0);

  for (const button of ["middle", "left"] as const)
    for (const text of ["€20.00", "second@example.com"]) {
      const opened = context.waitForEvent("page");
      if (button === "left") await page.keyboard.down("Control");
      await clickAt(page, row(page, "Second").getByText(text), button);
      await page.keyboard.up("Control");
      const tab = await opened;
      await tab.waitForURL(`**/payment-links/${second.id}`);
      await tab.close();
    }

  const box = await row(page, "Second").getByText("second@example.com").boundingBox();
  if (!box) throw new Error("The e-mail is not shown.");
  await page.mouse.move(box.x + 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => window.getSelection()?.toString())).toContain("second@example");
  await expect(page).toHaveURL(/\/payment-links$/);
});

test("keys go from row to row, not while typing; the side peek follows, is in the address, returns the focus", async ({
  page,
}) => {
  const { third, second } = await openThree(page);
  await page.keyboard.press("j");
  await expect(opener(page, "Third")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await expect(opener(page, "First")).toBeFocused();
  await page.keyboard.press("j"); // the last row
  await expect(opener(page, "First")).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowUp");
  await expect(opener(page, "Third")).toBeFocused();

  await opener(page, "Third").focus();
  await page.keyboard.press("Enter");
  await expect(sidePeek(page).getByRole("heading", { name: "Third" })).toBeVisible();
  await expect(sidePeek(page)).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`\\?peek=${third.id}$`));
  await expectNoViolations(page, "a list with its side peek");

  await page.keyboard.press("j");
  await expect(sidePeek(page).getByRole("heading", { name: "Second" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(sidePeek(page).getByRole("heading", { name: "First" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page).toHaveURL(new RegExp(`\\?peek=${second.id}$`));

  await page.reload();
  await expect(sidePeek(page).getByRole("heading", { name: "Second" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sidePeek(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/payment-links$/);

  await opener(page, "Second").click();
  await expect(sidePeek(page)).toBeVisible();
  await page.goBack();
  await expect(sidePeek(page)).toHaveCount(0);
  await expect(opener(page, "Second")).toBeFocused();

  const search = page.getByRole("searchbox", { name: "Search payment links" });
  await search.focus();
  await page.keyboard.type("jk");
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("jk");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await search.fill("");

  await opener(page, "Second").click();
  await sidePeek(page).getByRole("link", { name: "Open page" }).click();
  await expect(page).toHaveURL(new RegExp(`/payment-links/${second.id}$`));
  await expect(page.getByRole("heading", { level: 1, name: "Second" })).toBeVisible();
});

test("pages turn, also by Back; the bars of a list stay in reach beside the side peek, and get their room back", async ({
  page,
}) => {
  const staff = await makeStaff();
  const begun = Date.now() - 60 * minute;
  for (let n = 1; n <= 30; n++)
    await makeLink(staff.businessId, { title: `Link ${n}`, created_at: new Date(begun + n * 1000) });
  await openAs(page, staff);
  const pager = page.getByRole("navigation", { name: "Pages" });
  const titles = page.getByRole("rowheader");
  await expect(titles).toHaveCount(25);
  await expect(titles.first()).toHaveText("Link 30");
  await expect(pager.getByRole("button", { name: "Previous" })).toBeDisabled();
  await pager.getByRole("button", { name: "Next" }).click();
  await expect(titles).toHaveCount(5);
  await expect(titles.last()).toHaveText("Link 1");
  await expect(pager.getByRole("button", { name: "Next" })).toBeDisabled();
  await page.goBack();
  await expect(titles).toHaveCount(25);
  await page.goForward();
  await expect(titles).toHaveCount(5);
  await pager.getByRole("button", { name: "Previous" }).click();
  await expect(titles.first()).toHaveText("Link 30");

  await page.getByRole("checkbox", { name: "Select Link 30" }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  const edges = () =>
    Promise.all(
      [bar, pager, page.getByRole("table")].map(async (one) => {
        const box = await one.boundingBox();
        return box && [box.x, box.x + box.width];
      }),
    );
  const before = await edges();
  await opener(page, "Link 29").click();
  await expect(sidePeek(page).getByRole("heading", { name: "Link 29" })).toBeVisible();
  for (const width of [1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
    const left = (await sidePeek(page).boundingBox())?.x;
    for (const button of await bar.or(pager).getByRole("button").all()) {
      const box = await button.boundingBox();
      expect(box && box.x + box.width, `${await button.textContent()} at ${width} px`).toBeLessThanOrEqual(left ?? 0);
    }
    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Go back" }).click();
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const [barEdges, , tableEdges] = await edges();
  expect(tableEdges).toEqual(before[2]);
  expect(barEdges?.[0]).toBe(before[0]?.[0]);
  await sidePeek(page).getByRole("button", { name: "Close", exact: true }).click();
  await expect(sidePeek(page)).toHaveCount(0);
  expect(await edges()).toEqual(before);

  await opener(page, "Link 29").click();
  await expect(sidePeek(page)).toBeVisible();
  await pager.getByRole("button", { name: "Next" }).click();
  await expect(titles).toHaveCount(5);
  await expect(sidePeek(page)).toHaveCount(0);
});

test("an action in the side peek is that of the page, and a deletion goes on to the next row", async ({ page }) => {
  await openThree(page);
  await opener(page, "Third").click();
  await sidePeek(page)
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("Deleted: Third")).toBeVisible();
  await expect(sidePeek(page).getByRole("heading", { name: "Second" })).toBeVisible();
  await expect(row(page, "Third")).toHaveCount(0);
  await expect(sidePeek(page)).toBeFocused();
});

test("the focus returns from a sheet to its button, and goes to the next row after a deletion", async ({ page }) => {
  await openThree(page);
  const create = page.getByRole("button", { name: "Create payment link" });
  await create.click();
  await expect(page.getByRole("dialog", { name: "Create payment link" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(create).toBeFocused();
  const more = row(page, "Second").getByRole("button", { name: /^Actions for/ });
  await more.click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await more.click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(row(page, "Second")).toHaveCount(0);
  await expect(opener(page, "First")).toBeFocused();
});

test("a list is a table from 768 px on, and fits there; a row leads to its page where it has no side peek", async ({
  page,
}) => {
  const { second } = await openThree(page);
  await page.setViewportSize({ width: 768, height: 800 });
  const table = page.getByRole("table");
  await expect(table).toBeVisible();
  await expect(row(page, "Second").getByText("Active", { exact: true })).toBeInViewport();
  const beyond = () => table.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 0));
  expect(await beyond()).toBe(0);
  await expect(row(page, "Second").getByText("second@example.com")).toBeVisible();
  const created = page.getByRole("columnheader", { name: "Created" });
  for (const width of [1024, 1100, 1231]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole("columnheader", { name: "Payer" })).toBeVisible();
    await expect(created).toBeHidden();
    expect([width, await beyond()]).toEqual([width, 0]);
  }
  await page.setViewportSize({ width: 1232, height: 800 });
  await expect(created).toBeVisible();
  expect(await beyond()).toBe(0);
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(page.getByRole("table")).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: "second@example.com" })).toBeVisible();

  await page.setViewportSize({ width: 900, height: 800 });
  await clickAt(page, row(page, "Second").getByText("€20.00"));
  await expect(page).toHaveURL(new RegExp(`/payment-links/${second.id}$`));
  await page.goto(`/payment-links?peek=${second.id}`);
  await expect(page).toHaveURL(new RegExp(`/payment-links/${second.id}$`));
});

test("an endpoint opens beside its list with its actions, and its deliveries' filter leaves the address alone", async ({
  page,
}) => {
  const staff = await makeStaff();
  const id = await makeEndpoint(staff);
  await makeFailedDelivery(staff, id);
  await openAs(page, staff, "/developers/webhooks");
  await page.getByRole("button", { name: "Actions for https://shop.example.com/hook" }).click();
  const actions = ["Send test event", "Edit", "Rotate secret", "Redeliver failed events", "Disable", "Delete"];
  await expect(page.getByRole("menuitem")).toHaveText(actions);
  await page.keyboard.press("Escape");
  await opener(page, "https://shop.example.com/hook").click();
  const peek = sidePeek(page);
  await peek.getByRole("button", { name: "Delivered", exact: true }).click();
  await expect(peek.getByText(/No delivery has/)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/developers/webhooks\\?peek=${id}$`));
  await expectNoViolations(page, "an endpoint beside its list");
  await peek.getByRole("button", { name: "Actions for this endpoint" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(peek).toHaveCount(0);
  await expect(page).toHaveURL(/\/developers\/webhooks$/);
});

test("a payment's row offers what its page does, sends its receipt, refunds it, and copies or sends the link after a failure", async ({
  context,
  page,
}) => {
  const staff = await makeStaff();
  const link = await makePaidLink(staff, { title: "Espresso beans" });
  const manual = await makeManualPayment(staff, { title: "Course" });
  const course = await db.payment.findUniqueOrThrow({ where: { id: manual.id } });
  await makeAttempt(await makeLink(staff.businessId, { title: "Tea" }), { status: "unknown" });
  const failed = { status: "failed", reason: "card_declined" };
  const payable = await makeLink(staff.businessId, { title: "Easel" });
  await makeAttempt(payable, failed);
  await makeAttempt(await makeLink(staff.businessId, { title: "Nib", status: "Inactive" }), failed);
  await openAs(page, staff, "/payments");
  await page.setViewportSize({ width: 768, height: 800 });
  const widthOf = (part: Locator) => part.evaluate((shown) => shown.getBoundingClientRect().width);
  const share = async () =>
    (await widthOf(page.getByRole("columnheader").first())) / (await widthOf(page.getByRole("table")));
  await expect.poll(share).toBeGreaterThan(0.4);
  await page.setViewportSize({ width: 1280, height: 800 });
  const more = (title: string) => row(page, title).getByRole("button", { name: `Actions for ${title}, €10.50` });
  const offers = async (title: string, names: string[]) => {
    await more(title).click();
    await expect(page.getByRole("menuitem")).toHaveText(names);
    await page.keyboard.press("Escape");
  };
  await offers("Course", ["Send receipt", "Record refund", "Reverse", "Open receipt", "Open payment link"]);
  await offers("Tea", ["Check status at the gateway", "Settle by hand…", "Open payment link"]);
  await offers("Espresso beans", ["Send receipt", "Refund", "Open receipt", "Open payment link"]);
  await offers("Easel", ["Copy link", "Send link again", "Open payment link"]);
  await offers("Nib", ["Open payment link"]);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await more("Easel").click();
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(payable.id);
  await opener(page, "Nib").click();
  await expect(sidePeek(page).getByText("The bank declined the card.")).toBeVisible();
  await opener(page, "Easel").click();
  await expect(sidePeek(page).getByRole("button", { name: "Copy link" })).toBeVisible();
  await sidePeek(page).getByRole("button", { name: "Send link again" }).click();
  const send = page.getByRole("alertdialog", { name: "Send this link again?" });
  await send.getByRole("button", { name: "Send" }).click();
  await expect(
    page.getByText("Test mode sends no e-mail. You’ll find it under E-mails.", { exact: true }),
  ).toBeVisible();
  expect(await db.email.count({ where: { payment_link_id: payable.id, template: "payment_link" } })).toBe(1);
  await sidePeek(page).getByRole("button", { name: "Close", exact: true }).click();
  await expect(sidePeek(page)).toHaveCount(0);
  await more("Course").click();
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("menuitem", { name: "Open receipt" }).click(),
  ]);
  await tab.waitForURL(`**/receipt/${course.receipt_token}`);
  await tab.close();
  const holdMails = async () => {
    const { opened, open } = gate();
    await page.route("**/api/emails?*", (route) => opened.then(() => route.continue()));
    return open;
  };
  const askForReceipt = async () => {
    await more("Espresso beans").click();
    await page.getByRole("menuitem", { name: "Send receipt" }).click();
  };
  let release = await holdMails();
  await askForReceipt();
  await askForReceipt();
  release();
  const again = page.getByRole("alertdialog", { name: "Send the receipt again?" });
  await again.getByRole("button", { name: "Send" }).click();
  const receipts = () => db.email.count({ where: { payment_link_id: link.id, template: "receipt" } });
  await expect.poll(receipts).toBe(2);
  await expect(again).toHaveCount(0);
  await more("Espresso beans").click();
  await page.getByRole("menuitem", { name: "Refund" }).click();
  const sheet = page.getByRole("dialog", { name: "Refund" });
  await sheet.getByLabel("Amount in EUR").fill("2.50");
  await sheet.getByRole("button", { name: "Refund" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Refund" }).click();
  await expect(row(page, "Espresso beans")).toContainText("€2.50 refunded");
  await expect(page).toHaveURL(/\/payments$/);
  expect(await db.refund.findMany({ where: { payment_link_id: link.id } })).toMatchObject([{ amount_cents: 250 }]);
  release = await holdMails();
  await askForReceipt();
  await page.getByRole("link", { name: "Payment links", exact: true }).first().click();
  await expect(page).toHaveURL(/\/payment-links$/);
  const late = page.waitForResponse("**/api/emails?*");
  release();
  await late;
  await expect(row(page, "Espresso beans")).toContainText(/€10\.50\s*€2\.50 refunded/);
  await expect(again).toHaveCount(0);
  await page.getByRole("link", { name: "Payments", exact: true }).first().click();
  await expect(page).toHaveURL(/\/payments$/);
  for (const width of [768, phoneWidth]) {
    await page.setViewportSize({ width, height: 800 });
    const refunded = page.getByRole("main").getByText("€2.50 refunded");
    await expect(refunded.filter({ visible: true }), `${width} px`).toHaveCount(1);
  }
  await expect(page.getByRole("button", { name: "Actions for Course, €10.50" })).toBeVisible();
  await expectNoOverflow(page);
});

test("a viewer's row of a payment leads to its link, and copies it after a failure", async ({ page }) => {
  const staff = await makeStaff("viewer");
  await makeAttempt(await makeLink(staff.businessId, { title: "Easel" }), {
    status: "failed",
    reason: "card_declined",
  });
  await makeAttempt(await makeLink(staff.businessId, { title: "Tea" }), { status: "unknown" });
  await openAs(page, staff, "/payments");
  await expect(row(page, "Tea")).toBeVisible();
  await row(page, "Tea").getByRole("button").click();
  await expect(page.getByRole("menuitem")).toHaveText(["Open payment link"]);
  await page.keyboard.press("Escape");
  await row(page, "Easel").getByRole("button").click();
  await expect(page.getByRole("menuitem")).toHaveText(["Copy link", "Open payment link"]);
});

test("a subscription's row offers what its page does, and says what is unpaid", async ({ page }) => {
  const staff = await makeStaff();
  const { id: link } = await makePeriod(staff, await makeSubscription(staff));
  await openAs(page, staff, "/subscriptions");
  const more = page.getByRole("button", { name: "Actions for Reading club, reader@example.com" });
  const question = page.getByRole("alertdialog");
  const ask = async (item: string) => {
    await more.click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await more.click();
  await expect(page.getByRole("menuitem")).toHaveText([
    ...["Open unpaid payment link", "Pause", "Change e-mail or phone", "Cancel at period end", "Cancel now", "Delete"],
  ]);
  await page.keyboard.press("Escape");
  await ask("Open unpaid payment link");
  await expect(page).toHaveURL(new RegExp(`/payment-links/${link}$`));
  await page.goBack();
  await ask("Pause");
  await expect(question).toContainText("Unpaid periods can still be paid by link.");
  await question.getByRole("button", { name: "Go back" }).click();
  await ask("Cancel now");
  await question.getByRole("checkbox").check(); // keeps the unpaid period's link open
  await question.getByRole("button", { name: "Cancel now" }).click();
  await expect(row(page, "reader@example.com")).toContainText("Cancelled");
  expect(await db.paymentLink.findUnique({ where: { id: link } })).toMatchObject({ status: "Active" });
  await ask("Delete");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No subscriptions yet" })).toBeVisible();
  await expect(page).toHaveURL(/\/subscriptions$/);
});

test("a row within the side peek is reached by key, and leads to its own page", async ({ page }) => {
  const staff = await makeStaff();
  const subscription = await makeSubscription(staff);
  for (const period_index of [0, 1]) await makePeriod(staff, subscription, { period_index });
  await openAs(page, staff, "/subscriptions");
  await page.locator("[data-row] a.row-opener").click();
  const periods = sidePeek(page).locator("[data-row] a.row-opener");
  await expect(periods).toHaveCount(2);
  await periods.first().focus();
  await page.keyboard.press("j");
  await expect(periods.last()).toBeFocused();
  const address = (await periods.last().getAttribute("href")) ?? "";
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(address);
});

test("periods of subscriptions are hidden until asked for", async ({ page }) => {
  const { staff } = await openThree(page);
  await expect(row(page, "Third")).toBeVisible();
  await expect(page.getByText("Subscription periods are hidden.")).toHaveCount(0); // there are none
  const subscription = await makeSubscription(staff);
  await makePeriod(staff, subscription, { title: "A period" });
  await page.reload();
  await expect(row(page, "Third")).toBeVisible();
  await expect(row(page, "A period")).toHaveCount(0);
  await page.getByRole("button", { name: "Show them" }).click();
  await expect(row(page, "A period")).toBeVisible();
  await expect(row(page, "Third")).toBeVisible();
  await page.getByRole("button", { name: "Hide them" }).click();
  await expect(row(page, "A period")).toHaveCount(0);
  await page.goto(`/payment-links?subscription_id=${subscription}`);
  await expect(row(page, "A period")).toBeVisible();
});

test("selected links are deleted together, and the failures are named", async ({ page }) => {
  const { second, third } = await openThree(page);
  const bar = page.getByRole("region", { name: "Selected rows" });
  await page.getByRole("checkbox", { name: "Select First" }).check();
  await page.getByRole("checkbox", { name: "Select Third" }).click({ modifiers: ["Shift"] });
  await expect(bar.getByText("3 selected")).toBeVisible();
  await opener(page, "Second").focus();
  await page.keyboard.press("x");
  await expect(bar.getByText("2 selected")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Select Second" })).not.toBeChecked();
  await expect(opener(page, "Second")).toBeFocused();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(bar.getByText("3 selected")).toBeVisible();
  await expectNoViolations(page, "a list with selected rows");
  await page.getByRole("checkbox", { name: "Select First" }).uncheck();
  await bar.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete 2 payment links?" });
  await expect(question).toContainText("Total: €50.00");
  await db.paymentLink.update({ where: { id: third.id }, data: { status: "Paid", paid_at: new Date() } });
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(question).toContainText("1 succeeded, 1 failed");
  await expect(question.getByRole("listitem")).toHaveText(/^Third: .+/);
  await expectNoViolations(page, "the results of a bulk action");
  await question.getByRole("button", { name: "Close" }).click();
  await expect(row(page, "Second")).toHaveCount(0);
  await expect(opener(page, "Third")).toBeFocused();
  expect((await db.paymentLink.findUniqueOrThrow({ where: { id: second.id } })).deleted_at).not.toBeNull();
});

test("selected links are deactivated together, without those that are inactive already, and activated again", async ({
  page,
}) => {
  const staff = await makeStaff();
  const { first, second, third } = await makeThree(staff);
  await db.paymentLink.update({ where: { id: second.id }, data: { status: "Inactive" } });
  await openAs(page, staff);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await bar.getByRole("button", { name: "Deactivate" }).click();
  const question = page.getByRole("alertdialog", { name: "Deactivate 2 payment links?" });
  await expect(question).toContainText("Total: €40.00");
  await expect(question).toContainText("1 selected link isn’t active and is left out.");
  await expect(page.locator(".inset-0[data-open]")).toHaveCSS("background-color", /^rgba\(0, 0, 0, 0\.3/);
  await question.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("2 payment links deactivated")).toBeVisible();
  await expect(bar).toHaveCount(0);
  for (const name of ["First", "Second", "Third"]) await expect(row(page, name)).toContainText("Inactive");
  await expect(opener(page, "Third")).toBeFocused();
  const inactive = { business_id: staff.businessId, status: "Inactive", id: { in: [first.id, third.id] } };
  expect(await db.paymentLink.count({ where: inactive })).toBe(2);

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(bar.getByRole("button", { name: "Deactivate" })).toBeDisabled();
  await bar.getByRole("button", { name: "Activate", exact: true }).click();
  const activation = page.getByRole("alertdialog", { name: "Activate 3 payment links?" });
  await expect(activation).toContainText("Anyone with a link can pay again. Total: €60.00.");
  await activation.getByRole("button", { name: "Activate" }).click();
  await expect(page.getByText("3 payment links activated")).toBeVisible();
  expect(await db.paymentLink.count({ where: { business_id: staff.businessId, status: "Active" } })).toBe(3);
  await page.getByRole("checkbox", { name: "Select First" }).check();
  await expect(bar.getByRole("button", { name: "Activate", exact: true })).toBeDisabled();
  await bar.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("alertdialog", { name: "Deactivate 1 payment link?" })).toContainText(
    "It can’t be paid until you activate it again.",
  );
});

test("selected deliveries are redelivered together, and no others; only delivered ones with a question", async ({
  page,
}) => {
  const staff = await makeStaff();
  const endpoint = await makeEndpoint(staff);
  const receiver = await startReceiver();
  await db.webhookEndpoint.update({ where: { id: endpoint }, data: { url: receiver.url } });
  const ids: string[] = [];
  for (const type of ["package.created", "payment_link.created", "payment_link.paid"])
    ids.push(await makeFailedDelivery(staff, endpoint, { type }));
  const requested: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") requested.push(new URL(request.url()).pathname);
  });
  await openAs(page, staff, `/developers/webhooks/${endpoint}`);
  await page.getByRole("checkbox", { name: /^Select payment_link\.created/ }).check();
  await page.getByRole("checkbox", { name: /^Select payment_link\.paid/ }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await bar.getByRole("button", { name: "Redeliver" }).click();
  await expect(page.getByText("2 redeliveries queued")).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(page.locator("[data-row] .row-opener:focus")).toHaveText(/payment_link/);
  const redelivered = requested.filter((path) => path.endsWith("/redeliver"));
  expect(redelivered.map((path) => path.split("/").at(-2)).sort()).toEqual(ids.slice(1).sort());
  await expect(page.getByText("2 events delivered")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(2);

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar.getByRole("button", { name: "Redeliver" }).click();
  const question = page.getByRole("alertdialog", { name: "Redeliver 3 events?" });
  await expect(question).toContainText("2 events were already delivered. Your system gets them again");
  await expectNoViolations(page, "the question before a redelivery");
  await question.getByRole("button", { name: "Redeliver" }).click();
  await expect(page.getByText("3 events delivered")).toBeVisible();
  await expect(page.locator("[data-row] .row-opener:focus")).toHaveCount(1);
  const attempted = async () => {
    const attempts = await db.webhookAttempt.findMany({ where: { delivery_id: { in: ids } } });
    return attempts.map(({ delivery_id }) => delivery_id).sort();
  };
  expect(await attempted()).toEqual([...ids, ...ids.slice(1)].sort());
  await receiver.stop();
});

test("selected links are exported, and sent again with one e-mail each", async ({ page }) => {
  const staff = await makeStaff();
  const today = await moveToAnotherDay(staff);
  await makeThree(staff);
  await db.$executeRaw`
    UPDATE payment_link SET metadata = '{"order": "1001"}' WHERE business_id = ${staff.businessId} AND title = 'First'`;
  await openAs(page, staff);
  await page.getByRole("checkbox", { name: "Select First" }).check();
  await page.getByRole("checkbox", { name: "Select Third" }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  const saved = page.waitForEvent("download");
  await bar.getByRole("button", { name: "Export CSV" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`payment-links-${today}.csv`);
  const text = (await (await file.createReadStream()).toArray()).join("");
  expect(text.trim().split("\r\n").length).toBe(3);
  expect(text).toContain("first@example.com");
  expect(text).toContain('"{""order"":""1001""}"');
  expect(text).not.toContain("second@example.com");

  await bar.getByRole("button", { name: "Send by e-mail" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Send by e-mail" }).click();
  await expect(page.getByText("2 e-mails kept under E-mails: test mode sends none")).toBeVisible();
  await expect(bar).toHaveCount(0);
  expect(await db.email.count({ where: { business_id: staff.businessId } })).toBe(2);
});
