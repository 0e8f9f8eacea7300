import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectAccessible, expectNoViolations } from "@/tests/support/axe";
import { makePeriod, makeSubscription } from "@/tests/support/form-rows";
import { phone } from "@/tests/support/layout";
import { insertSending } from "@/tests/support/open-attempt";
import { attempts, cards, makeBusiness, makeLink, makeTokenization } from "@/tests/support/payer-rows";

// A merchant's shop on other origins than ours, whose address redirects once more, as real ones do.
let shop: Server;
let shopUrl: string;
let business: number;

test.beforeAll(async () => {
  shop = createServer((request, response) => {
    const { port } = shop.address() as AddressInfo;
    if (request.url?.startsWith("/return")) response.writeHead(302, { Location: `http://localhost:${port}/landed` });
    else response.writeHead(200, { "Content-Type": "text/html" });
    response.end("<!doctype html><html lang=en><title>Shop</title><h1>Back at the shop</h1>");
  });
  await new Promise<void>((resolve) => shop.listen(0, resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/return?order=1001`;
  business = await makeBusiness();
});
test.afterAll(() => {
  shop.closeAllConnections();
  shop.close();
});

// Every test from an address of its own (the server runs with TRUST_PROXY=1): attempts are limited for each address.
const octet = () => Math.floor(Math.random() * 254) + 1;
test.beforeEach(({ context }) =>
  context.setExtraHTTPHeaders({ "X-Forwarded-For": `10.${octet()}.${octet()}.${octet()}` }),
);

async function fill(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
}

async function submit(page: Page, number: string): Promise<void> {
  await fill(page, number);
  await page.getByRole("button", { name: "Pay €10.50" }).click();
}

const succeeded = async (id: string) => (await attempts(id)).filter(({ status }) => status === "succeeded").length;

test("saves the card of a period's payment, if its payer agrees", async ({ page }) => {
  const staff = { businessId: business };
  const email = `reader-${octet()}-${octet()}@example.com`;
  const subscription = await makeSubscription(staff, { email, next_charge_at: new Date("2040-02-29T23:00:00Z") });
  const { id } = await makePeriod(staff, subscription, { email });
  await page.goto(`/pay?id=${id}`);
  const box = page.getByRole("checkbox", { name: "Save my card for future payments" });
  await expect(box).not.toBeChecked();
  await expect(box).toHaveAccessibleDescription(/^Next charge: €15\.00 for Reading club on March 1, 2040\./);
  await expectNoViolations(page, "save the card");
  await box.check();
  await fill(page, "1234");
  await page.getByRole("button", { name: "Pay €15.00" }).click();
  await expect(box).toBeChecked(); // also after a mistake
  await fill(page, cards.good);
  await page.getByRole("button", { name: "Pay €15.00" }).click();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Save a card" })).toHaveCount(0);
  const saved = await db.tokenization.findMany({ where: { business_id: business, email } });
  expect(saved).toMatchObject([{ status: "active", card_last4: "4242" }]);
});

test("pays and arrives at the shop, also through several redirects", async ({ page }) => {
  const { id } = await makeLink(business, { redirect_url: shopUrl });
  await page.goto(`/pay?id=${id}`);
  await submit(page, cards.good);
  await expect(page).toHaveURL(/localhost:\d+\/landed$/);
  await expect(page.getByRole("heading", { name: "Back at the shop" })).toBeVisible();
  // Back does not bounce: it leads to what was paid, not to the form.
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Already paid" })).toBeVisible();
  expect(await succeeded(id)).toBe(1);
});

test("a double click charges once and shows the thank-you page; a reload and Back change nothing", async ({ page }) => {
  const { id } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  await fill(page, cards.good);
  await page.getByRole("button", { name: "Pay €10.50" }).dblclick({ noWaitAfter: true });
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Already paid" })).toBeVisible();
  expect(await attempts(id)).toHaveLength(1);
});

for (const status of ["Processing", "Paid"] as const) {
  test(`leaves no form to send again in the history when the link was ${status} already`, async ({ page }) => {
    const { id } = await makeLink(business);
    await page.goto(`/pay?id=${id}`);
    await fill(page, cards.good);
    await insertSending(business, id, newId("pay"));
    const paid = () => db.paymentLink.update({ where: { id }, data: { status: "Paid", paid_at: new Date() } });
    if (status === "Paid") await paid();
    await page.getByRole("button", { name: "Pay €10.50" }).click();
    if (status === "Processing") {
      await expect(page.getByRole("heading", { name: "We are checking your payment" })).toBeVisible();
      await expect(page).toHaveURL(/&wait=1$/);
      await paid();
    }
    await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
    await expect(page.getByText("You have not been charged a second time.")).toBeVisible({
      visible: status === "Paid",
    });
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Already paid" })).toBeVisible();
    expect(await attempts(id)).toHaveLength(1);
  });
}

test("says why a card was declined, then accepts another one", async ({ page }) => {
  const { id } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  await submit(page, cards.poor);
  await expect(page.getByRole("alert")).toContainText("There is not enough money on the card.");
  // A reload asks again for the page, not for the money.
  await page.reload();
  await expect(page.getByRole("alert")).toBeVisible();
  expect(await attempts(id)).toHaveLength(1);
  await submit(page, cards.good);
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
});

test("leads through the bank's confirmation and on to the shop", async ({ page }) => {
  const { id } = await makeLink(business, { redirect_url: shopUrl });
  await page.goto(`/pay?id=${id}`);
  await submit(page, cards.challenged);
  await expect(page.getByText("Sandbox Bank")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page).toHaveURL(/\/landed$/);
  expect(await succeeded(id)).toBe(1);
});

test("comes back from a rejected confirmation and pays with another card", async ({ page }) => {
  const { id } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  await submit(page, cards.challenged);
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByRole("alert")).toContainText("was not confirmed with your bank");
  await submit(page, cards.good);
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
});

test("an abandoned confirmation can be continued or cancelled", async ({ page }) => {
  const { id, title } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  await submit(page, cards.challenged);
  await page.goto(`/pay?id=${id}`);
  await expect(page.getByText(title, { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Continue to your bank" }).click();
  await expect(page.getByText("Sandbox Bank")).toBeVisible();
  await page.goto(`/pay?id=${id}`);
  await page.getByRole("button", { name: "Use another card" }).click();
  await submit(page, cards.good);
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
});

test("the page waits for a lost response and then continues", async ({ page }) => {
  const { id } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  await submit(page, cards.replyLost);
  await expect(page.getByText("Please don’t pay again.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  expect(await attempts(id)).toHaveLength(1);
});

test("a second tab's form charges nothing more and ends on the first tab's page", async ({ page, context }) => {
  const { id } = await makeLink(business);
  const second = await context.newPage();
  await Promise.all([page.goto(`/pay?id=${id}`), second.goto(`/pay?id=${id}`)]);
  await submit(page, cards.good);
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await submit(second, cards.good);
  await expect(second.getByText("You have not been charged a second time.")).toBeVisible();
  await expect(second.getByRole("heading", { name: "Thank you" })).toBeVisible();
  expect(await attempts(id)).toHaveLength(1);
});

test("by keyboard alone, from the test cards to the thank-you page", async ({ page }) => {
  const { id } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  for (const value of [cards.good, "1240", "123", "Ada Lovelace"]) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(value);
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Pay €10.50" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("4000 0000 0000 0002")).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
});

test("errors are named, linked to their fields, and reachable from the summary", async ({ page }) => {
  const { id } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  await page.getByLabel("Card number").fill("4242 4242 4242 4241");
  await page.getByLabel("Expiry date").fill("13/40");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: "Pay €10.50" }).click();
  const number = page.getByLabel("Card number");
  await expect(number).toHaveAccessibleDescription(/a digit seems to be wrong/);
  await expect(number).toHaveValue("");
  await expect(page.getByLabel("Expiry date")).toHaveValue("13/40");
  await page.getByRole("alert").getByRole("link").first().click();
  await expect(number).toBeFocused();
});

test("a card is saved and the payer arrives at the shop", async ({ page }) => {
  const { token } = await makeTokenization(business, { redirect_url: shopUrl });
  await page.goto(`/activate/${token}?test=1`);
  await fill(page, cards.good);
  await page.getByRole("button", { name: "Save card" }).click();
  await expect(page).toHaveURL(/\/landed$/);
});

const testAppearance = () =>
  test("accessible in both colours, nothing wider than the screen, one request per page", async ({ page }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (/security policy|refused/i.test(message.text())) complaints.push(message.text());
    });
    const past = new Date("2020-01-01T00:00:00Z");
    const long = { title: "W".repeat(50), description: "x".repeat(2_000), amount_cents: 3_000_000 };
    const links = [{}, long, { status: "Processing" }, { status: "Paid", paid_at: past }, { expires_at: past }];
    const paths = await Promise.all(links.map(async (over) => `/pay?id=${(await makeLink(business, over)).id}`));
    const { token } = await makeTokenization(business);
    const challenged = await makeLink(business);
    await page.goto(`/pay?id=${challenged.id}`);
    await submit(page, cards.challenged);
    paths.push(new URL(page.url()).pathname, `/pay?id=${challenged.id}`, `/activate/${token}`, "/thank-you");
    for (const path of paths) {
      requests.length = 0;
      await page.goto(path);
      const summaries = await page.locator("summary").all();
      for (const summary of summaries) await summary.click();
      // every-page.spec.ts has these pages, but with what they hide.
      if (summaries.length > 0) await expectAccessible(page, path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      expect(requests.filter((url) => !url.endsWith("/favicon.ico"))).toHaveLength(1);
    }
    expect(complaints).toEqual([]);
  });

testAppearance();

// These pages have no scripts: on a phone only their widths and contrasts can differ. R3 pays on one.
test.describe("on a phone", () => {
  test.use(phone);
  testAppearance();
});
