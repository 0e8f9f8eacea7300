import { expect, type Page, test } from "@playwright/test";
import { phone } from "@/tests/support/layout";
import { makeBusiness, makeLink, makeTokenization } from "@/tests/support/payer-rows";
import { connectStripe } from "@/tests/support/stripe-merchant";

test.use(phone);

let business: number;
test.beforeAll(async () => {
  business = await makeBusiness("Blue Bottle Books");
  await connectStripe(business);
});

const octet = () => Math.floor(Math.random() * 254) + 1;
test.beforeEach(({ context }) =>
  context.setExtraHTTPHeaders({ "X-Forwarded-For": `10.${octet()}.${octet()}.${octet()}` }),
);

async function fill(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry").fill("12 / 34");
  await page.getByLabel("CVC").fill("123");
  await page.getByLabel("Name on card").fill("Ada Lovelace");
}

test("pays on Stripe's page, after returning once without a payment", async ({ page }) => {
  const { id } = await makeLink(business);
  await page.goto(`/pay?id=${id}`);
  await expect(page.getByLabel("Card number")).toHaveCount(0);
  await page.getByRole("button", { name: "Continue to pay €10.50" }).click();
  await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("heading", { name: "Your payment isn’t finished" })).toBeVisible();
  await page.getByRole("link", { name: "Continue to payment" }).click();
  await fill(page, "4000000000000002");
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
  await fill(page, "4242424242424242");
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
});

test("saves a card on Stripe's page", async ({ page }) => {
  const { token } = await makeTokenization(business);
  await page.goto(`/activate/${token}?test=1`);
  await page.getByRole("button", { name: "Continue to save your card" }).click();
  await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
  await fill(page, "4242424242424242");
  await page.getByRole("button", { name: "Save card" }).click();
  await expect(page.getByText("Your card is saved")).toBeVisible();
  await page.goto(`/activate/${token}`);
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
});
