import { expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { payAt } from "@/tests/support/checkout";
import { insertUnknownCharge } from "@/tests/support/samples";
import { makeLink, makeStaff, openAs, type Staff, test } from "@/tests/support/staff";
import { connectStripe, loseKey } from "@/tests/support/stripe-merchant";

/** A link whose payer has opened Stripe's page two minutes ago. */
async function openedLink(staff: Staff, title: string) {
  const { id } = await makeLink(staff.businessId, { title });
  await payAt(`/pay?id=${id}`);
  await db.$executeRaw`UPDATE payment SET started_at = started_at - interval '2 minutes' WHERE payment_link_id = ${id}`;
  return { id, payment: (await db.payment.findFirstOrThrow({ where: { payment_link_id: id } })).id };
}

const choose = async (page: Page, action: string) => {
  await page.getByRole("button", { name: /^More actions/ }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

test("edits a link whose payer has opened Stripe's page, after withdrawing the attempt", async ({ page }) => {
  const staff = await makeStaff();
  await connectStripe(staff.businessId);
  const { id } = await openedLink(staff, "Espresso beans");
  await openAs(page, staff, `/payment-links/${id}`);
  await page.getByRole("button", { name: "Withdraw payment attempt" }).click();
  await expectNoViolations(page, "withdraw");
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw payment attempt" }).click();
  await expect(page.getByText("Payment attempt withdrawn")).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw payment attempt" })).toHaveCount(0);
  await page.getByRole("button", { name: /Espresso beans/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("shows a broken account where it matters, and settles a payment by hand", async ({ page }) => {
  test.slow(); // three pages in two widths and both colours
  const staff = await makeStaff();
  const account = await connectStripe(staff.businessId);
  const { payment } = await openedLink(staff, "Espresso beans");
  await loseKey(account);
  await payAt(`/pay?id=${(await makeLink(staff.businessId, { title: "Grinder" })).id}`);

  await openAs(page, staff, "/");
  await page.getByRole("link", { name: "Stripe refuses your account’s key" }).click();
  await expect(page.getByText("Stripe has refused this key since")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reconnect" })).toBeVisible();
  await expectAccessibleAtBothWidths(page, "broken-account");

  await db.payment.update({ where: { id: payment }, data: { status: "unknown" } });
  await page.goto(`/payments/${payment}`);
  const check = page.getByRole("button", { name: "Check status at the gateway" });
  await check.press("Enter");
  await expect(page.getByText("The status could not be checked")).toBeVisible();
  await expect(check).toBeFocused(); // it was disabled in the meantime
  await choose(page, "Settle by hand…");
  const sheet = page.getByRole("dialog", { name: "Settle by hand" });
  await sheet.getByLabel("Outcome").selectOption("succeeded");
  await sheet.getByLabel("Reason").fill("Seen in Stripe’s dashboard");
  await sheet.getByRole("button", { name: "Settle payment" }).click();
  await expect(sheet.getByText("Fill in this field.")).toBeVisible();
  await sheet.getByLabel("Gateway’s reference").fill("pi_seen");
  await expectNoViolations(page, "settle");
  await sheet.getByRole("button", { name: "Settle payment" }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByText(/^Settled by .*: Seen in Stripe’s dashboard$/)).toBeVisible();
  await expectAccessibleAtBothWidths(page, "settled-by-hand");
});

test("acknowledges a charge that a restored database does not know, with a note", async ({ page }) => {
  test.slow(); // two widths and both colours
  const staff = await makeStaff();
  const { id } = await makeLink(staff.businessId, { title: "Espresso beans" });
  await page.clock.install();
  await openAs(page, staff, "/");
  await page.route("**/api/unknown-charges*", (route) => route.fulfill({ status: 500, body: "<h1>Oops</h1>" }));
  const charge = await insertUnknownCharge({ _id: id });
  await page.clock.fastForward(31_000); // the overview is read every 30 s
  await expect(page.getByText("The charges that Paydesk does not know could not be loaded.")).toBeVisible();
  await page.unroute("**/api/unknown-charges*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: /charge that Paydesk does not know/ }).click();
  await expect(page.getByText("Its payment link was created after the backup.")).toBeVisible();
  await expectAccessibleAtBothWidths(page, "unknown-charges");
  await page.getByRole("button", { name: "Acknowledge" }).click();
  const sheet = page.getByRole("dialog", { name: "Acknowledge the charge of €10.50" });
  await sheet.getByRole("button", { name: "Acknowledge" }).click();
  await expect(sheet.getByText("Fill in this field.")).toBeVisible();
  await sheet.getByLabel("What you did").fill("Refunded in Stripe’s dashboard");
  await expectNoViolations(page, "acknowledge");
  await sheet.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByText("Charge acknowledged")).toBeVisible();
  await expect(page.getByRole("button", { name: "Acknowledge" })).toHaveCount(0);
  const stored = await db.unknownCharge.findUniqueOrThrow({ where: { id: charge } });
  expect(stored).toMatchObject({ status: "acknowledged", note: "Refunded in Stripe’s dashboard" });
});
