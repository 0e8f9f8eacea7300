import { expect, type Page, test } from "@playwright/test";
import { declineReasons, isDeclineReason } from "@/lib/gateways/reasons";
import { type Behaviour, testCards } from "@/lib/gateways/sandbox/cards";
import { attempts, makeBusiness, makeLink } from "@/tests/support/payer-rows";

// Every test card that the page offers, as a payer would type it.

let business: number;
test.beforeAll(async () => {
  business = await makeBusiness();
});

const octet = () => Math.floor(Math.random() * 254) + 1;
test.beforeEach(({ context }) =>
  context.setExtraHTTPHeaders({ "X-Forwarded-For": `10.${octet()}.${octet()}.${octet()}` }),
);

const asksFirst = new Set<Behaviour>(["challenge", "challenge_once", "challenge_always"]);

async function thanked(page: Page, last4: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(`ending in ${last4}`)).toBeVisible();
  await page.getByRole("link", { name: "Receipt" }).click();
  await expect(page.getByText("€10.50").first()).toBeVisible();
}

for (const { number, brand, last4, behaviour, label } of testCards)
  test(`${number}: ${label}`, async ({ page }) => {
    const { id } = await makeLink(business);
    await page.goto(`/pay?id=${id}`);
    await page.getByLabel("Card number").fill(number);
    await page.getByLabel("Expiry date").fill("12 / 40");
    await page.getByLabel("Security code").fill(brand === "amex" ? "1234" : "123");
    await page.getByRole("button", { name: "Pay €10.50" }).click();
    if (asksFirst.has(behaviour)) {
      await expect(page).toHaveTitle(/Sandbox Bank/);
      await page.getByRole("button", { name: "Approve" }).click();
    }
    const reason = behaviour === "late_decline" || behaviour === "saved_declined" ? "card_declined" : behaviour;
    if (isDeclineReason(reason)) {
      await expect(page.getByRole("alert")).toContainText(declineReasons[reason].text, { timeout: 30_000 });
      await expect(page.getByRole("alert")).toContainText("You have not been charged.");
      expect(await attempts(id)).toMatchObject([{ status: "failed", reason }]);
    } else {
      await thanked(page, last4);
      expect(await attempts(id)).toMatchObject([{ status: "succeeded" }]);
    }
  });
