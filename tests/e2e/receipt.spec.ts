import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { PaymentLink } from "@/lib/generated/prisma/client";
import { expectAccessible } from "@/tests/support/axe";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeBusiness, makeLink } from "@/tests/support/payer-rows";

let business: number;
test.beforeAll(async () => {
  business = await makeBusiness();
});

async function makeReceipt(over: Partial<PaymentLink>, refunds: ["pending" | "succeeded", cents: number][] = []) {
  const paid_at = new Date("2026-11-21T13:05:00Z");
  const { id: payment_link_id, amount_cents } = await makeLink(business, { status: "Paid", paid_at, ...over });
  const of = { business_id: business, livemode: over.livemode ?? false, payment_link_id, currency: "EUR" };
  const [id, token] = [newId("pay"), randomBytes(32).toString("base64url")];
  const card = { card_brand: "visa", card_last4: "4242" };
  const state = { status: "succeeded", settled_at: paid_at, receipt_token: token };
  await db.payment.create({
    data: { ...of, ...card, ...state, id, gateway: "sandbox", gateway_key: id, amount_cents },
  });
  for (const [status, cents] of refunds) {
    const key = newId("ref");
    const asked_at = new Date("2999-01-01T00:00:00Z"); // the server, which settles what is open, leaves it alone
    const refund = { id: key, payment_id: id, gateway_key: key, amount_cents: cents, status, asked_at };
    await db.refund.create({ data: { ...of, ...refund } });
  }
  return { token, link: payment_link_id };
}

test("accessible in both colours, nothing wider than a desktop or a phone, one request", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const receipts = await Promise.all([
    makeReceipt({ livemode: true, description: "Three paperbacks", reference: "INV-2026-00173" }),
    makeReceipt({ amount_cents: 125_050 }, [
      ["succeeded", 25_000],
      ["pending", 50],
    ]),
    makeReceipt({ title: "W".repeat(50), description: "x".repeat(2_000), amount_cents: 3_000_000 }, [
      ["succeeded", 3_000_000],
    ]),
  ]);
  for (const { token } of receipts) {
    requests.length = 0;
    await page.goto(`/receipt/${token}`);
    for (const width of [1280, phoneWidth]) {
      await expectNoOverflow(page, width);
      await expectAccessible(page, `a receipt, ${width} px`);
    }
    expect(requests.filter((url) => !url.endsWith("/favicon.ico"))).toHaveLength(1);
  }
});

test("from the paid page to the downloaded PDF", async ({ page }) => {
  const { link } = await makeReceipt({});
  await page.goto(`/pay?id=${link}`);
  const receipt = page.getByRole("link", { name: "Receipt" });
  expect(await receipt.evaluate((shown) => shown.getBoundingClientRect().height)).toBeGreaterThanOrEqual(44);
  await receipt.click();
  await expect(page.getByRole("heading", { name: "Receipt" })).toBeVisible();
  await expect(page.getByText("Test payment, no money moved")).toBeVisible();
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download PDF" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^receipt-\w{8}\.pdf$/);
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
});

test("prints in dark ink without screen-only elements", async ({ page }) => {
  const { token } = await makeReceipt({}, [["succeeded", 250]]);
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  await page.goto(`/receipt/${token}`);
  await expect(page.getByRole("link", { name: "Download PDF" })).toBeHidden();
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await expect(page.getByText("Visa ending in 4242")).toHaveCSS("color", "rgb(0, 0, 0)");
});
