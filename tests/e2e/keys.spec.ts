import { expect, type Page } from "@playwright/test";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

const sheet = (page: Page, name: string) => page.getByRole("dialog", { name });
const palette = (page: Page) => page.getByRole("combobox", { name: "Search or create" });

test("keys list themselves, open pages, and create what the list is of", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId);
  await openAs(page, staff, "/customers");
  await page.keyboard.press("?");
  await expect(sheet(page, "Keyboard shortcuts").getByText("Payment links")).toBeVisible();
  await expect(sheet(page, "Keyboard shortcuts").getByRole("checkbox")).toBeFocused();
  await expect(sheet(page, "Keyboard shortcuts").getByText("Ctrl", { exact: true }).first()).toBeInViewport();
  for (const row of ["Next row", "Previous row", "Open the row", "Select the row"])
    await expect(
      sheet(page, "Keyboard shortcuts").getByRole("region", { name: "In a list" }).getByText(row),
    ).toBeVisible();
  await expectAccessibleAtBothWidths(page, "the list of keys");
  await page.keyboard.press("g"); // not with a dialog open
  await page.keyboard.press("p");
  await page.keyboard.press("Escape");
  await expect(sheet(page, "Keyboard shortcuts")).toHaveCount(0);
  await expect(page).toHaveURL(/\/customers$/);

  for (const [key, path] of [
    ["p", "/payments"],
    ["s", "/subscriptions"],
    ["c", "/customers"],
    ["k", "/packages"],
    ["x", "/exports"],
    ["i", "/developers/reference"],
    ["h", "/settings/audit-log"],
    [",", "/settings"],
    ["o", "/"],
    ["l", "/payment-links"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }

  await page.keyboard.press("c");
  await expect(sheet(page, "Create payment link")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/payment-links$/);
  await page.goto("/packages?status=active");
  await page.keyboard.press("c");
  await expect(sheet(page, "Create package").getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/packages\?status=active$/);
  await page.goto(`/payment-links/${link.id}`);
  await expect(page.getByRole("heading", { name: link.title })).toBeVisible();
  await page.keyboard.press("c");
  await expect(sheet(page, "Create payment link")).toBeVisible();
});

test("keys type in fields and choose in menus, and each person can turn them off", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId); // an empty list has no search
  await openAs(page, staff, "/customers");
  await page.getByRole("searchbox").fill("");
  await page.keyboard.type("c?/gp");
  await expect(page.getByRole("searchbox")).toHaveValue("c?/gp");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("/");
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press("Escape");

  await page.goto("/account");
  const single = page.getByRole("checkbox", { name: "Shortcuts without Ctrl" });
  await expect(single).toBeChecked();
  await single.uncheck();
  await page.goto("/payments");
  await expect(page.getByRole("heading", { name: "No payments yet" })).toBeVisible();
  for (const key of ["c", "?", "/", "g", "l"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/payments$/);
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
  await page.keyboard.type("keyboard");
  await page.keyboard.press("Enter");
  await expect(single).not.toBeChecked();
  await single.check();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("/");
  await expect(palette(page)).toBeFocused();
  await expectNoViolations(page, "the palette");
});

test("e edits the focused row, else what the side peek or the page shows", async ({ page }) => {
  const staff = await makeStaff();
  const [first, second] = [
    await makeLink(staff.businessId, { title: "First" }),
    await makeLink(staff.businessId, { title: "Second" }),
  ];
  await openAs(page, staff, "/payment-links");
  const edited = sheet(page, "Edit payment link");
  const opener = page.getByRole("link", { name: first.title, exact: true });
  await expect(opener).toBeVisible();
  await page.keyboard.press("e"); // nothing is selected
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await opener.focus();
  await page.keyboard.press("e");
  await expect(edited.getByLabel("Title")).toHaveValue("First");
  await page.keyboard.press("Escape");
  await expect(edited).toHaveCount(0);
  await expect(opener).toBeFocused();

  await page.goto(`/payment-links?peek=${second.id}`);
  await expect(page.locator("[data-peek]").getByRole("heading", { name: "Second" })).toBeVisible();
  await page.locator("[data-peek]").focus();
  await page.keyboard.press("e");
  await expect(edited.getByLabel("Title")).toHaveValue("Second");

  await page.goto(`/payment-links/${first.id}`);
  await expect(page.getByRole("heading", { name: "First" })).toBeVisible();
  await page.getByRole("heading", { name: "First" }).click();
  await page.keyboard.press("e");
  await expect(edited.getByLabel("Title")).toHaveValue("First");
  await edited.getByLabel("Title").fill("e is typed here: e");
  await page.keyboard.type("e");
  await expect(edited.getByLabel("Title")).toHaveValue("e is typed here: ee");
});

test("e does nothing for a role that may not edit", async ({ page }) => {
  const viewer = await makeStaff("viewer");
  const link = await makeLink(viewer.businessId, { title: "First" });
  await openAs(page, viewer, `/payment-links/${link.id}`);
  await expect(page.getByRole("heading", { name: "First" })).toBeVisible();
  await page.keyboard.press("e");
  await page.keyboard.press("?");
  await expect(sheet(page, "Keyboard shortcuts").getByText("Edit what is open or selected")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});
