import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { maxChecked } from "@/lib/http/list";
import { expectNoViolations } from "@/tests/support/axe";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

test("a list that has checked many rows without a match says so, and goes on from there", async ({ page }) => {
  const staff = await makeStaff();
  const email = "grace@example.com";
  const day = 86_400_000;
  const oldest = { email, status: "Inactive", title: "The oldest order", created_at: new Date(Date.now() - 9 * day) };
  await makeLink(staff.businessId, oldest);
  await db.$executeRaw`
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title)
    SELECT 'pl_' || lpad(n::text, 10, '0') || left(md5(${staff.userId} || n), 26), ${staff.businessId}, false, ${email}, 'EUR', 1050, 'Order ' || n
      FROM generate_series(1, ${maxChecked}::int) AS n`;
  await openAs(page, staff, `/payment-links?email=${email}&status=Inactive`);
  await expect(page.getByText("No results so far")).toBeVisible();
  await expectNoViolations(page, "a list without a match so far");
  await page.getByRole("button", { name: "Keep searching" }).click();
  await expect(page.getByRole("link", { name: "The oldest order", exact: true })).toBeVisible();
  await expect(page.getByText("No results so far")).toHaveCount(0);
});
