import { expect } from "@playwright/test";
import { modeCookie } from "@/components/shell/mode";
import { createApiKey } from "@/lib/auth/keys";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { payAt } from "@/tests/support/checkout";
import { baseUrl } from "@/tests/support/http";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

test("shows a link's history, updates it, and sends the link again", async ({ page, baseURL }) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  const { key } = await createApiKey({ businessId: staff.businessId, livemode: false, name: "Web shop" });
  const body = { email: "grace@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
  const expires_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const created = await fetch(`${baseURL}/api/payment-links`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ ...body, expires_at }),
  });
  const { _id: id } = (await created.json()).data;
  await openAs(page, staff, `/payment-links/${id}`);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("list", { name: "Next" })).toContainText("Expires");
  const past = timeline.getByRole("list", { name: "History" });
  await expect(past.getByRole("listitem")).toHaveCount(2);
  await expect(past).toContainText("by the key “Web shop”");
  await expect(past.locator("time").first()).toHaveAttribute("title", /UTC/);
  await expectNoViolations(page);

  await page.getByRole("button", { name: "Actions for Order 1001" }).click();
  await page.getByRole("menuitem", { name: "Send by e-mail" }).click();
  const question = page.getByRole("alertdialog", { name: "Send this link by e-mail?" });
  await expect(question).toContainText("grace@example.com");
  await expect(question).toContainText("Test mode sends no e-mail");
  await expectNoViolations(page);
  await question.getByRole("button", { name: "Send" }).dblclick();
  await expect(past.getByRole("listitem")).toHaveCount(3);
  await expect(past.getByRole("listitem").first()).toContainText("for grace@example.com not sent (test mode)");
  expect(await db.email.count({ where: { payment_link_id: id } })).toBe(2);

  await page.getByRole("button", { name: "Actions for Order 1001" }).click();
  await page.getByRole("menuitem", { name: "Send by e-mail" }).click();
  await question.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Something went wrong")).toBeVisible();
  expect(await db.email.count({ where: { payment_link_id: id } })).toBe(2);

  await past.getByRole("link", { name: "Payment link for €10.50 created" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("payment_link.created");
});

test("shows how far the payer has come, one line for a charge, and the attempts before a payment", async ({
  page,
  baseURL,
}) => {
  const staff = await makeStaff();
  const { key } = await createApiKey({ businessId: staff.businessId, livemode: false, name: "Web shop" });
  const created = await fetch(`${baseURL}/api/payment-links`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ email: "grace@example.com", currency: "EUR", amount: "1050", title: "Order 1001" }),
  });
  const { _id: id } = (await created.json()).data;
  await openAs(page, staff, `/payment-links/${id}`);
  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress.getByRole("listitem")).toHaveText([
    /^Sent.*Kept, not sent \(test mode\)/,
    /^Opened.*Not opened yet/,
    /^Tried.*No attempt yet/,
    /^Paid.*Not paid yet/,
  ]);
  await payAt(`/pay?id=${id}`, "4000000000009995");
  await payAt(`/pay?id=${id}`);
  await page.reload();
  await expect(progress.getByRole("listitem")).toHaveText([/^Sent/, /^Opened\d/, /^TriedTwice, last \d/, /^Paid\d/]);
  await expectAccessibleAtBothWidths(page);

  const past = page.getByRole("list", { name: "History" });
  const charges = past.getByRole("listitem").filter({ hasText: /Payment of|^Paid/ });
  await expect(charges).toHaveText([/Payment of €10.50 succeeded.*Visa ending in 4242/, /Payment of €10.50 failed/]);
  await expect(charges.first().getByRole("link")).toHaveAttribute("href", /^\/payments\/pay_/);
  const time = charges.first().locator("time");
  await expect(time).toHaveText(/\d\d:\d\d:\d\d$/);
  await expect(time).toHaveAttribute("title", /day,? \d+ \w+ \d{4} at \d\d:\d\d:\d\d \(.* UTC\)$/);

  await page
    .getByRole("row", { name: /Succeeded/ })
    .getByRole("link")
    .click();
  const money = page.getByRole("region", { name: "Money" });
  await expect(money).toContainText("Amount€10.50");
  await expect(money).toContainText("DisputeNone");
  // Who paid for what comes first.
  await expect(page.getByRole("region", { name: /^(Payment|Money)$/ }).first()).toHaveAccessibleName("Payment");
  // An event of the payment has no other page than its own; the link's leads to the link.
  const line = (name: string) => past.getByRole("link", { name });
  await expect(line("Payment of €10.50 succeeded")).toHaveAttribute("href", /^\/developers\/events\/evt_/);
  await expect(line("Payment link for €10.50 created")).toHaveAttribute("href", `/payment-links/${id}`);
  const earlier = page.getByRole("region", { name: "Earlier attempts on this link" });
  await expect(earlier.getByRole("row").filter({ has: page.getByRole("rowheader") })).toHaveText([/Failed/]);
  await earlier.getByRole("link", { name: "Order 1001" }).click();
  await expect(page.getByRole("region", { name: "Payment", exact: true })).toContainText("Insufficient funds.");
  await expect(money).toHaveCount(0); // a failed payment has moved none
  await expect(earlier).toHaveCount(0);
});

test("says that a live link's e-mail was kept, not sent, where no mail server is set up", async ({ page }) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { livemode: true });
  await db.email.create({
    data: {
      id: newId("eml"),
      business_id: staff.businessId,
      livemode: true,
      payment_link_id: link.id,
      template: "payment_link",
      to: link.email,
      status: "outbox",
      props: {},
      next_attempt_at: null,
      created_at: new Date(),
    },
  });
  await page.context().addCookies([{ name: modeCookie, value: "live", url: baseUrl() }]);
  await openAs(page, staff, `/payment-links/${link.id}`);
  const sent = page.getByRole("region", { name: "Progress" }).getByRole("listitem").first();
  await expect(sent).toHaveText(/^Sent.*Kept, not sent \(no mail server\)/);
});

test("shows a long history page by page", async ({ page }) => {
  const staff = await makeStaff();
  const link = await db.paymentLink.create({
    data: {
      id: newId("pl"),
      business_id: staff.businessId,
      livemode: false,
      email: "grace@example.com",
      currency: "EUR",
      amount_cents: 1050,
      title: "Order 1001",
    },
  });
  await db.linkVisit.createMany({
    data: Array.from({ length: 30 }, (_, hours) => {
      const at = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - hours * 3_600_000);
      return { payment_link_id: link.id, hour: at, visits: 1, last_at: at };
    }),
  });
  await openAs(page, staff, `/payment-links/${link.id}`);
  const entries = page.getByRole("list", { name: "History" }).getByRole("listitem");
  await expect(entries).toHaveCount(25);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(entries).toHaveCount(30);
  await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
});
