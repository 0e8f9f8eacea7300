import { expect, type Page } from "@playwright/test";
import { expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow } from "@/tests/support/layout";
import { makeAttempt, makePastPayment } from "@/tests/support/money-rows";
import { insertRefund } from "@/tests/support/paid";
import { sidePeek } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const views = (page: Page) => page.getByRole("button", { name: /^Views/ });
const rows = (page: Page) => page.locator("[data-row]");

async function choose(page: Page, item: string): Promise<void> {
  await views(page).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("a view is saved, opened from the menu and the palette, is the list's default, renamed and deleted", async ({
  page,
}) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Oak table", amount_cents: 124_950 });
  await makeLink(staff.businessId, { title: "Walnut chair" });
  await openAs(page, staff, "/payment-links");
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("textbox", { name: "Amount, at least" }).fill("500");
  await expect(rows(page)).toHaveCount(1);

  await choose(page, "Save view…");
  const form = page.getByRole("form", { name: "Save view" });
  await form.getByLabel("Name").fill("Unpaid over €500");
  await expectNoViolations(page, "the form of a view");
  await form.getByRole("button", { name: "Save view" }).click();
  await expect(views(page)).toHaveAccessibleName("Views: Unpaid over €500");

  // By keyboard: the whole list, and the view again.
  await views(page).press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "No view: all rows" })).toBeFocused();
  await expectNoViolations(page, "the menu of views");
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await expect(views(page)).toHaveAccessibleName("Views");
  await choose(page, "Unpaid over €500");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/\/payment-links\?amount_from=500$/);

  await choose(page, "Make default");
  await expect(page.getByText("The list opens with “Unpaid over €500”")).toBeVisible();
  await page.goto("/payment-links");
  await expect(page).toHaveURL(/\/payment-links\?amount_from=500$/);
  for (const showAll of [
    () => choose(page, "No view: all rows"),
    () => page.getByRole("button", { name: "Remove filter: Amount, at least" }).click(),
  ]) {
    await showAll();
    await expect(rows(page)).toHaveCount(2);
    await page.reload();
    await expect(rows(page)).toHaveCount(2);
    await page.goto("/payment-links");
    await expect(rows(page)).toHaveCount(1);
  }

  await page.goto("/customers");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or create" }).fill("unpaid over");
  await page.getByRole("option", { name: /View: Unpaid over €500/ }).click();
  await expect(page).toHaveURL(/\/payment-links\?amount_from=500$/);

  await choose(page, "Rename…");
  await page.getByRole("form", { name: "Rename view" }).getByLabel("Name").fill("Large ones");
  await page.getByRole("button", { name: "Rename view" }).click();
  await expect(views(page)).toHaveAccessibleName("Views: Large ones");
  await expectNoOverflow(page, 390);
  await choose(page, "Delete view");
  await page.getByRole("button", { name: "Delete view" }).click();
  await expect(views(page)).toHaveAccessibleName("Views");
  await page.goto("/payment-links");
  await expect(rows(page)).toHaveCount(2);
});

test("saving a view under a name that exists replaces its filters", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/payments?status=failed");
  const save = async (action: string) => {
    await choose(page, "Save view…");
    await page.getByRole("form", { name: "Save view" }).getByLabel("Name").fill("Mine");
    await page.getByRole("button", { name: action }).click();
    await expect(views(page)).toHaveAccessibleName("Views: Mine");
  };
  await save("Save view");
  await page.goto("/payments?status=succeeded");
  await expect(views(page)).toHaveAccessibleName("Views");
  await save("Replace view");
  await page.goto("/payments?status=failed");
  await views(page).click();
  await page.getByRole("menuitem", { name: "Mine" }).click();
  await expect(page).toHaveURL(/status=succeeded$/);
});

test("of payments of all statuses, only those that succeeded are summed up", async ({ page }) => {
  const staff = await makeStaff();
  await makePastPayment(staff, 2, { title: "Oak table" });
  await makeAttempt(await makeLink(staff.businessId, { title: "Oak bench" }), {
    status: "failed",
    reason: "card_declined",
  });
  await openAs(page, staff, "/payments?q=oak");
  await expect(page.getByText("2 results; succeeded: €10.50")).toBeVisible();
  await page.getByRole("button", { name: "Failed", exact: true }).click();
  await expect(page.getByText("1 result: €10.50")).toBeVisible();
});

test("refunds are listed with their reason, filtered, summed up and open their payment beside the list", async ({
  page,
}) => {
  const staff = await makeStaff();
  const { id } = await makeLink(staff.businessId, { title: "Oak table" });
  await insertRefund({ _id: id });
  await openAs(page, staff, "/refunds");
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Failed", exact: true }).click();
  await expect(page.getByText("No refund has the status Failed.")).toBeVisible();
  await page.getByRole("button", { name: "Refunded", exact: true }).click();
  await expect(page.getByText("1 result: €1.00")).toBeVisible();
  await page.getByRole("link", { name: "Oak table" }).click();
  await expect(page).toHaveURL(/\/refunds\?status=succeeded&peek=pay_\w+$/);
  await expect(sidePeek(page).getByRole("heading", { name: "Refunds" })).toBeVisible();
  await sidePeek(page).getByRole("link", { name: "Open page" }).click();
  await expect(page).toHaveURL(/\/payments\/pay_\w+$/);
  await expect(page.getByRole("heading", { name: "Refunds" })).toBeVisible();
});
