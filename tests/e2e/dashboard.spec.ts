import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeLink, makeStaff, openAs, plantIn, test } from "@/tests/support/staff";

const openForm = async (page: Page) => {
  await page.getByRole("button", { name: "Create payment link" }).first().click();
  return page.getByRole("dialog", { name: "Create payment link" });
};

const submit = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Create payment link" });

test("reads an amount as people type it, asks if it could be two, creates a link and shows its URL", async ({
  page,
}) => {
  const staff = await makeStaff();
  await openAs(page, staff);
  await expect(page.getByRole("heading", { name: "No payment links yet" })).toBeVisible();
  const dialog = await openForm(page);
  const amount = dialog.getByLabel("Amount");
  const currency = dialog.getByLabel("Currency");
  expect(await currency.locator("option").first().textContent()).toMatch(/^EUR/);
  await expect(currency.locator("option[value=UYI]")).toHaveCount(0);
  await amount.fill("€ 1.234,50");
  await expect(amount).toHaveAccessibleDescription("= €1,234.50");
  await amount.fill("1,050"); // €1.05 is less than a link may be over
  await expect(amount).toHaveAccessibleDescription("= €1,050.00");
  await amount.fill("10,050");
  const choices = dialog.getByRole("group", { name: "This can be two amounts. Choose the one you mean." });
  await expect(choices.getByRole("button")).toHaveText(["€10,050.00", "€10.05"]);
  await amount.press("Tab");
  await expect(amount).toHaveAccessibleDescription("This can be two amounts. Choose the one you mean.");
  await expectNoViolations(page);
  await choices.getByRole("button", { name: "€10,050.00" }).click();
  await expect(amount).toHaveValue("10050.00");
  await expect(choices).toHaveCount(0);
  await amount.fill("$12.50");
  await expect(amount).toHaveAccessibleDescription("This amount isn’t in EUR. Enter it in EUR.");

  await amount.fill("1234,5");
  await currency.selectOption("GBP");
  await dialog.getByLabel("Title").fill("Grinder repair");
  await dialog.getByLabel("Payer’s e-mail").fill("olivia@example.com");
  await dialog.getByRole("button", { name: /^More options/ }).click();
  await dialog.getByRole("textbox", { name: "Reference optional", exact: true }).fill("REP-7");
  await dialog.getByLabel("Redirect after payment").fill("https://shop.example/thanks?a=1");
  await dialog.getByLabel("Expires").fill("2099-12-24T18:30");
  await submit(page).dblclick();
  await expect(dialog.getByRole("heading", { name: "Payment link ready" })).toBeFocused();
  const [row, ...others] = await db.paymentLink.findMany({ where: { business_id: staff.businessId } });
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    amount_cents: 123_450,
    currency: "GBP",
    title: "Grinder repair",
    email: "olivia@example.com",
    reference: "REP-7",
    description: null,
    redirect_url: "https://shop.example/thanks?a=1",
    livemode: false,
  });
  expect(row?.expires_at?.toISOString()).toBe("2099-12-24T17:30:00.000Z"); // as clocks in Berlin show it
  await expect(dialog.getByText(`/pay?id=${row?.id}`)).toBeVisible();
  await dialog.getByRole("button", { name: "Create another like it" }).click();
  await expect(dialog.getByLabel("Amount")).toBeFocused();
  await expect(dialog.getByLabel("Amount")).toHaveValue("1234.50");
  await page.keyboard.press("Escape");
  const line = page.getByRole("row", { name: /Grinder repair/ });
  await expect(line).toContainText("£1,234.50");
  await expect(line).toContainText("Active");
  await expect(line.getByRole("link", { name: /Open the link/ })).toHaveAttribute("href", new RegExp(`id=${row?.id}$`));
});

test("filters by status and words, and keeps the filters in the address", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Espresso beans", reference: "WEB-1" });
  await makeLink(staff.businessId, { title: "Barista course", status: "Paid", paid_at: new Date() });
  await openAs(page, staff);
  const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Paid", exact: true }).click();
  await expect(rows).toHaveText([/Barista course/]);
  await page.getByRole("searchbox").fill("espresso");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("main")).toBeFocused();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await page.getByRole("searchbox").fill("WEB-1");
  await expect(rows).toHaveText([/Espresso beans/]);
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("WEB-1");
  await expect(rows).toHaveText([/Espresso beans/]);
});

test("shows the payer in every choice of columns, and scrolls when they need more room", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { email: "olivia.papadopoulos@example.com" });
  await plantIn(page.context(), staff);
  const all = "status,email,reference,reference_2,refunded_amount,expires_at,paid_at,subscription_id,created_at";
  const payer = page.getByRole("cell", { name: "olivia.papadopoulos@example.com" });
  for (const columns of [all, "email,reference,reference_2,expires_at,paid_at", "email", "status,email,created_at"]) {
    await page.goto(`/payment-links?columns=${columns}`);
    for (const width of [1024, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      const { width: room } = (await payer.boundingBox()) ?? { width: 0 };
      expect(room, `${columns} at ${width}`).toBeGreaterThan(200);
    }
  }
});

test("a right-to-left title keeps its order in the list, on its page and on the payer's page", async ({ page }) => {
  const staff = await makeStaff();
  const { id } = await makeLink(staff.businessId, { title: "כרטיס לקונצרט, 2 kg" });
  await plantIn(page.context(), staff);
  // Laid out from left to right, the words would stand between the number and its unit.
  const apart = (path: string) => async () => {
    await page.goto(path);
    return page.getByText("2 kg").evaluate((one) => {
      const text = [...one.childNodes].find((node) => node.textContent?.includes("2 kg"))?.firstChild ?? one.firstChild;
      const at = text?.textContent?.indexOf("2 kg") ?? -1;
      if (!text || at < 0) return null;
      const place = (from: number, to: number) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, to);
        return range.getBoundingClientRect();
      };
      const [number, unit] = [place(at, at + 1), place(at + 2, at + 4)];
      const gap = Math.max(unit.left - number.right, number.left - unit.right);
      return gap < number.width * 2 ? "together" : "apart";
    });
  };
  for (const path of ["/payment-links", `/payment-links/${id}`, `/pay?id=${id}`])
    await expect.poll(apart(path), path).toBe("together");
});

test("deactivates, activates and deletes from the row, once after a double click", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId);
  await openAs(page, staff);
  const line = page.getByRole("row", { name: /Order 1001/ });
  const question = page.getByRole("alertdialog");
  const act = async (name: string) => {
    await line.getByRole("button", { name: "Actions for Order 1001" }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/(de)?activate$/.test(new URL(request.url()).pathname)) sent++;
  });
  for (const [action, badge, words] of [
    ["Deactivate", "Inactive", "It can’t be paid until you activate it again."],
    ["Activate", "Active", "Anyone with the link can pay again."],
  ] as const) {
    await act(action);
    await expect(question).toContainText(words);
    await question.getByRole("button", { name: action, exact: true }).dblclick();
    await expect(line.getByText(badge, { exact: true })).toBeVisible();
    await expect(question).toHaveCount(0);
  }
  expect(sent).toBe(2);
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
  await act("Delete");
  await question.getByRole("button", { name: "Go back" }).click();
  await expect(line).toBeVisible();
  await act("Delete");
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No payment links yet" })).toBeVisible();
});

test("a toast's text does not overlap its button", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Wedding cake, three tiers, with raspberries" });
  await makeLink(staff.businessId, { title: "W".repeat(50) });
  await openAs(page, staff);
  for (const title of ["Wedding cake", "WWW"]) {
    await page.getByRole("button", { name: `Actions for ${title}` }).click();
    await page.getByRole("menuitem", { name: "Deactivate" }).click();
    await page.getByRole("button", { name: "Deactivate" }).click();
    const toast = page.getByRole("region", { name: "Notifications" }).getByRole("listitem").filter({ hasText: title });
    await expect(toast).toBeVisible();
    const words = await toast.getByText("Deactivated: ").evaluate((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return Math.max(...[...range.getClientRects()].map(({ right }) => right));
    });
    const close = await toast.getByRole("button", { name: "Close" }).boundingBox();
    expect(words, title).toBeLessThanOrEqual(close?.x ?? 0);
  }
});

test("says when the list cannot be loaded, and loads it on retry", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId);
  await openAs(page, staff);
  await page.route("**/api/payment-links*", (route) => route.fulfill({ status: 500, body: "<h1>Oops</h1>" }));
  // The first rows come with the page: what it asks for itself fails.
  await page.getByRole("button", { name: "Active", exact: true }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The payment links could not be loaded.");
  await expectNoViolations(page);
  await page.unroute("**/api/payment-links*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("rowheader", { name: "Order 1001" })).toBeVisible();
});

test("the first HTML has the rows, is not cached, and the page fetches nothing twice", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Espresso beans" });
  await openAs(page, staff);
  const html = await page.request.get("/payment-links?status=Active");
  expect(await html.text()).toContain("Espresso beans");
  expect(html.headers()["cache-control"]).toContain("no-store");
  expect(await (await page.request.get("/payment-links?status=Paid")).text()).not.toContain("Espresso beans");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/payment-links")) asked.push(request.url());
  });
  await page.goto("/payment-links?status=Active");
  await expect(page.getByRole("rowheader", { name: "Espresso beans" })).toBeVisible();
  await page.getByRole("button", { name: "Paid", exact: true }).click();
  await expect(page.getByText("No results")).toBeVisible();
  // A filtered list asks once for its total, beside its rows.
  const total = "&with_total=true&per_page=1";
  expect(asked.map((url) => new URL(url).search).sort()).toEqual([
    `?status=Active&subscription=none${total}`,
    "?status=Paid&subscription=none",
    `?status=Paid&subscription=none${total}`,
  ]);
});

test("the old addresses of e-mails lead to the new ones", async ({ page }) => {
  for (const path of ["", "/eml_1"]) {
    const answer = await page.request.get(`/outbox${path}?status=sent`, { maxRedirects: 0 });
    expect(answer.status()).toBe(308);
    expect(answer.headers().location).toBe(`/emails${path}?status=sent`);
  }
});

test("a viewer sees the links and no way to change them", async ({ page }) => {
  const staff = await makeStaff("viewer");
  await makeLink(staff.businessId);
  await openAs(page, staff, "/payment-links?create=1");
  await expect(page.getByRole("rowheader", { name: "Order 1001" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Create payment link" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Actions for/ })).toHaveCount(0);
});

/** Red, green, blue and opacity of the layer between the page and what is open above it, each from 0 to 255. */
const overlayOf = (page: Page): Promise<number[]> =>
  page.locator(".fixed.inset-0[data-open]").evaluate((layer) => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas) throw new Error("There is no canvas.");
    canvas.fillStyle = getComputedStyle(layer).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });

test("the page behind a sheet or a question is darkened, more in the dark colour scheme, chosen or the system's", async ({
  page,
}) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "Course" });
  await page.emulateMedia({ colorScheme: "light" });
  await openAs(page, staff);
  const overlays = async () => {
    await page.getByRole("button", { name: "Create payment link" }).click();
    await expect(page.getByRole("dialog", { name: "Create payment link" })).toBeVisible();
    const sheet = await overlayOf(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.getByRole("button", { name: "Actions for Course" }).click();
    await page.getByRole("menuitem", { name: "Deactivate" }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    const question = await overlayOf(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    return { sheet, question };
  };
  const expectDark = (found: Awaited<ReturnType<typeof overlays>>) => {
    const dark = [0, 0, 0, 153];
    expect(found).toEqual({ sheet: dark, question: dark });
  };
  const light = [0, 0, 0, 77];
  expect(await overlays()).toEqual({ sheet: light, question: light });
  await page.emulateMedia({ colorScheme: "dark" });
  expectDark(await overlays());
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.keyboard.press("Escape");
  await expect(page.locator("html")).toHaveAttribute("data-mode", "dark");
  expect(await (await page.request.get("/payment-links")).text()).toContain('data-mode="dark"'); // from the first byte
  expectDark(await overlays());
});

test("long texts fit on a phone and a desktop, and axe finds no violations in menus and after errors", async ({
  page,
}) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { title: "W".repeat(50), reference: "R".repeat(50) });
  await makeLink(staff.businessId, { status: "Paid", paid_at: new Date() });
  await makeLink(staff.businessId, { status: "Inactive", currency: "KWD", amount_cents: 3_000_000 });
  const check = () => expectAccessibleAtBothWidths(page);
  await openAs(page, staff);
  await expect(page.getByText("W".repeat(50))).toBeVisible();
  await expectNoOverflow(page, phoneWidth, 1280);
  await page.getByRole("button", { name: /Account of/ }).click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await check();
  await page.keyboard.press("Escape");
  await openForm(page);
  await submit(page).click();
  await expect(page.getByText("Enter a title.")).toBeVisible();
  await check();
  expect((await page.request.get("/no-such-page")).status()).toBe(404);
});
