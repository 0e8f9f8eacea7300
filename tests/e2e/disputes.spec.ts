import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { payAt } from "@/tests/support/checkout";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

async function payDisputed(linkId: string, number: string): Promise<void> {
  await payAt(`/pay?id=${linkId}`, number);
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
  await payDisputed(open.id, "4000000000000259");
  await payDisputed(won.id, "4000000000005134");
  await openAs(page, staff, "/");
  await expect(page.getByRole("link", { name: /dispute(s)? need/ })).toBeVisible();
  await expect(page.getByText("Next deadline:")).toBeVisible();
  await shoot(page, "overview");
  await page.setViewportSize({ width: 390, height: 844 });
  const see = page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "See disputes" });
  await expect(see).toBeVisible();
  expect(await see.evaluate((shown) => shown.clientHeight)).toBe(44); // a link, as high as a button
  await page.setViewportSize({ width: 1280, height: 800 });
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
  await page.setViewportSize({ width: phoneWidth, height: 800 });
  await expect(page.getByText("Needs response").first()).toBeVisible();
  await expectNoOverflow(page);
  await shoot(page, "list-phone");
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(table).toBeVisible();
  await openPageOf(page.getByRole("link", { name: "Fraudulent" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("€10.50");
  await expect(page.getByText("You don’t need to do anything: a sandbox dispute closes by itself.")).toBeVisible();
  await expect(page.getByText("The payer says they didn’t make this payment.")).toBeVisible();
  await expect(page.getByText("€15.00")).toBeVisible();
  await expect(page.getByText("Disputed: €10.50").first()).toBeVisible();
  await shoot(page, "dispute");
  await page.setViewportSize({ width: phoneWidth, height: 800 });
  await expectNoOverflow(page);
  await shoot(page, "dispute-phone");
  await page.setViewportSize({ width: 1280, height: 800 });
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

test("a payment with a raised risk: marked and found in the list, with advice on its page", async ({ page }) => {
  const staff = await makeStaff();
  const titles = { elevated: "Espresso beans", disputed: "Grinder", blocked: "Kettle", normal: "Filter papers" };
  const links = {} as Record<keyof typeof titles, string>;
  for (const [name, title] of Object.entries(titles))
    links[name as keyof typeof titles] = (await makeLink(staff.businessId, { title })).id;
  await payAt(`/pay?id=${links.elevated}`, "4000000000009235");
  await payDisputed(links.disputed, "4000000000001976");
  await payAt(`/pay?id=${links.blocked}`, "4100000000000019");
  await payAt(`/pay?id=${links.normal}`);

  await openAs(page, staff, "/payments");
  const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows.filter({ hasText: titles.elevated })).toContainText("Elevated risk");
  await expect(rows.filter({ hasText: titles.normal })).toBeVisible();
  await expect(rows.filter({ hasText: titles.normal })).not.toContainText("risk");
  await expect(rows.filter({ hasText: titles.blocked })).toContainText("The bank or the gateway has blocked the card.");
  const money = page.getByRole("region", { name: "Money" });
  const advice = "If you doubt this order, refund the payment before it becomes a dispute.";
  await openPageOf(page.getByRole("link", { name: titles.normal }));
  await expect(money).toContainText("DisputeNoneRiskNormal");
  await page.goto("/payments?risk=highest");
  await expect(rows).toHaveText([/Kettle/]);
  await openPageOf(page.getByRole("link", { name: titles.blocked }));
  await expect(page.getByRole("region", { name: "Payment", exact: true })).toContainText("RiskHighest");
  await expect(page.getByText(advice)).toHaveCount(0);
  await page.goto("/payments?risk=elevated");
  await expect(rows).toHaveText([/Grinder/, /Espresso beans/]);
  await openPageOf(page.getByRole("link", { name: titles.elevated }));
  await expect(money).toContainText(`DisputeNoneRiskElevated${advice}`);
  await shoot(page, "risk");
  await expectAccessibleAtBothWidths(page);
  // The dispute's own page says what to do about it.
  const disputed = await db.payment.findFirstOrThrow({ where: { payment_link_id: links.disputed } });
  await page.goto(`/payments/${disputed.id}`);
  await expect(money).toContainText("RiskElevated");
  await expect(money).not.toContainText(advice);
});
