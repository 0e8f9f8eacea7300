import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { expectNoViolations } from "@/tests/support/axe";
import { makeAttempt } from "@/tests/support/money-rows";
import { payAtSandbox } from "@/tests/support/open-attempt";
import { makeLink, makeStaff, openAs, type Staff, test } from "@/tests/support/staff";

const account = ({ businessId }: Staff): string => String(businessId);

/** A payment whose outcome the sandbox knows and the ledger does not: the sandbox is away until its faults are cleared. */
async function makeUnknown(staff: Staff, number: string): Promise<string> {
  const id = newId("pay");
  await payAtSandbox(staff.businessId, id, number);
  await setFault(account(staff), "away", 1);
  const link = await makeLink(staff.businessId, { status: "Processing" });
  await makeAttempt(link, { id, gateway_key: id, status: "unknown", started_at: new Date(Date.now() - 60_000) });
  return id;
}

/** Lets the worker settle it now. */
async function settleSoon(staff: Staff, id: string): Promise<void> {
  await clearFaults(account(staff));
  await db.payment.update({ where: { id }, data: { asked_at: null } });
}

for (const { number, words, status } of [
  { number: "4242424242424242", words: "Payment received", status: "Succeeded" },
  { number: "4000000000000002", words: "The payment failed. Nothing was charged.", status: "Failed" },
])
  test(`a check that finds ${status.toLowerCase()} says so, and the heading gets the focus`, async ({ page }) => {
    const staff = await makeStaff();
    const id = await makeUnknown(staff, number);
    await openAs(page, staff, `/payments/${id}`);
    await page.route("**/reconcile", async (route) => {
      await clearFaults(account(staff));
      await route.continue();
    });
    await page.getByRole("button", { name: "Check status at the gateway" }).press("Enter");
    await expect(page.getByRole("region", { name: "Notifications" }).getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByRole("main").getByText(status, { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Check status at the gateway" })).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await expectNoViolations(page, "a payment after its check");
  });

for (const focused of ["its button", "an item of its menu"] as const)
  test(`a payment that settles by itself while ${focused} has the focus gives it to the heading`, async ({ page }) => {
    const staff = await makeStaff();
    const id = await makeUnknown(staff, "4242424242424242");
    await openAs(page, staff, `/payments/${id}`);
    if (focused === "its button") await page.getByRole("button", { name: "Check status at the gateway" }).focus();
    else {
      await page.getByRole("button", { name: "More actions" }).press("Enter");
      await expect(page.getByRole("menuitem", { name: "Settle by hand…" })).toBeFocused();
    }
    await settleSoon(staff, id);
    await expect(page.getByRole("main").getByText("Succeeded", { exact: true })).toBeVisible();
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  });

test("a payment that settles by itself leaves the focus elsewhere alone", async ({ page }) => {
  const staff = await makeStaff();
  const id = await makeUnknown(staff, "4242424242424242");
  await openAs(page, staff, `/payments/${id}`);
  await page.getByRole("button", { name: "Check status at the gateway" }).focus();
  const title = page.getByRole("main").getByRole("link", { name: "Order 1001" });
  await title.focus();
  await settleSoon(staff, id);
  await expect(page.getByRole("main").getByText("Succeeded", { exact: true })).toBeVisible();
  await expect(title).toBeFocused();
});

test("a check without an answer can be repeated, and the list and its total settle together", async ({ page }) => {
  const staff = await makeStaff();
  const id = newId("pay");
  const link = await makeLink(staff.businessId, { status: "Processing" });
  // The gateway does not know this attempt. While it is young, that is no answer, not a lost attempt.
  const started_at = new Date(Date.now() + 3_600_000);
  await makeAttempt(link, { id, gateway_key: id, status: "unknown", started_at });
  await openAs(page, staff, "/");
  const check = page.getByRole("button", { name: /^Check now/ });
  await expect(check).toBeEnabled();
  await check.press("Enter");
  await expect(page.getByText("Still no answer from the gateway")).toBeVisible();
  await expect(check).toBeFocused();

  await page.getByRole("link", { name: "1 payment with an unknown outcome" }).click();
  await expect(page.getByText(/^1 result/)).toBeVisible();
  await payAtSandbox(staff.businessId, id, "4242424242424242");
  await db.payment.update({ where: { id }, data: { started_at: new Date(Date.now() - 60_000), asked_at: null } });
  await expect(page.getByText("No results")).toBeVisible();
  await expect(page.getByText(/^1 result/)).toHaveCount(0);
});
