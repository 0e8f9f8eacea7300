import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

async function payWith(page: Page, linkId: string, number: string): Promise<void> {
  await page.goto(`/pay?id=${linkId}`);
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: /^Pay / }).click();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await expect.poll(() => db.dispute.count({ where: { payment_link_id: linkId } })).toBe(1);
}

/** Screenshots to look at, when SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

test("a disputed payment: on the overview, in its list, on its page, and no refund meanwhile", async ({ page }) => {
  test.slow();
  const staff = await makeStaff();
  const open = await makeLink(staff.businessId, { title: "Espresso beans" });
  const won = await makeLink(staff.businessId, { title: "Grinder" });
  await payWith(page, open.id, "4000000000000259");
  await payWith(page, won.id, "4000000000005134");
  await openAs(page, staff, "/");
  await expect(page.getByRole("link", { name: /dispute(s)? need/ })).toBeVisible();
  await expect(page.getByText("Next deadline:")).toBeVisible();
  await shoot(page, "overview");
  await page.getByRole("link", { name: /dispute(s)? need/ }).click();
  await expect(page.getByRole("heading", { name: "Disputes" })).toBeVisible();
  await page.goto("/disputes");
  await expect(page.getByRole("row").filter({ has: page.getByRole("rowheader") })).toHaveText([
    /^Not recognised.*payer@example.com.*Grinder/,
    /^Fraudulent.*payer@example.com.*Espresso beans/,
  ]);
  const table = page.getByRole("table");
  expect(await table.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 0))).toBe(0);
  await shoot(page, "list");
  await openPageOf(page.getByRole("link", { name: "Fraudulent" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("€10.50");
  await expect(page.getByText("The payer says they didn’t make this payment.")).toBeVisible();
  await expect(page.getByText("€15.00")).toBeVisible();
  await expect(page.getByText("Disputed: €10.50").first()).toBeVisible();
  await shoot(page, "dispute");
  await page.setViewportSize({ width: phoneWidth, height: 800 });
  await expectNoOverflow(page);
  await shoot(page, "dispute-phone");
  await page.goto("/disputes");
  await expect(page.getByText("Needs response").first()).toBeVisible();
  await expectNoOverflow(page);
  await shoot(page, "list-phone");
  await page.setViewportSize({ width: 1280, height: 800 });
  await openPageOf(page.getByRole("link", { name: "Fraudulent" }));
  await expect(page.getByRole("link", { name: "payer@example.com", exact: true })).toHaveAttribute(
    "href",
    /^\/customers\//,
  );
  await page.getByRole("link", { name: "Espresso beans" }).click();
  await expect(page.getByRole("main").getByText("Disputed", { exact: true })).toBeVisible();
  const refund = page.getByRole("button", { name: "Refund" });
  await expect(refund).toBeDisabled();
  await expect(refund).toHaveAccessibleDescription(/the payer’s bank has the money while it decides/);
  await expect(page.getByRole("link", { name: "Fraudulent" })).toBeVisible();
  await shoot(page, "payment");

  // The bank decides the other one for the merchant, by itself.
  await expect
    .poll(async () => (await db.dispute.findFirst({ where: { payment_link_id: won.id } }))?.status)
    .toBe("won");
  await page.goto("/disputes?status=won");
  await openPageOf(page.getByRole("link", { name: "Not recognised" }));
  await expect(page.getByText("The money is back in your gateway balance.")).toBeVisible();
  await page.getByRole("link", { name: "Grinder" }).click();
  await expect(page.getByRole("main").getByText("Succeeded", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Refund" })).toBeEnabled();
});
