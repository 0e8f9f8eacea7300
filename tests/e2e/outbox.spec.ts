import { expect } from "@playwright/test";
import { createApiKey } from "@/lib/auth/keys";
import { db } from "@/lib/core/db";
import { templateNames } from "@/lib/resources/emails/templates";
import { expectAccessible, expectNoViolations } from "@/tests/support/axe";
import { mailProps, queueEvery, writtenMails } from "@/tests/support/mails";
import { asOwner } from "@/tests/support/postgres";
import { openPageOf } from "@/tests/support/rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

test("every mail is readable on a phone and a desktop, light and dark", async ({ page }) => {
  test.setTimeout(90_000);
  const { businessId } = await makeStaff();
  await db.business.update({ where: { id: businessId }, data: { support_email: "help@shop.example" } });
  const mails = await writtenMails(await queueEvery(businessId, (template) => mailProps[template]));
  expect(mails).toHaveLength(templateNames.length);
  for (const { template, html } of mails) {
    await page.setContent(html ?? "");
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${template}: nothing is wider than ${width} px`).toBeLessThanOrEqual(width);
    }
    // Landmarks are of pages: mail programs have their own.
    await expectAccessible(page, template, { without: ["region", "landmark-one-main"] });
  }
});

test("the outbox shows each mail as its recipient sees it", async ({ page }) => {
  const staff = await makeStaff();
  const hostile = "<script>document['title']='run'</script>";
  const { id: _id } = await makeLink(staff.businessId, { title: hostile });
  const ids = await queueEvery(staff.businessId, (template) =>
    template === "payment_link"
      ? { link: { ...mailProps.payment_link.link, _id, title: hostile } }
      : mailProps[template],
  );
  await writtenMails(ids);
  await openAs(page, staff);
  await page.getByRole("link", { name: "E-mails" }).filter({ visible: true }).click();
  await expect(page.getByRole("row")).toHaveCount(templateNames.length + 1);
  await expectNoViolations(page);

  await openPageOf(page.getByRole("link", { name: "to pay" }));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("to pay");
  const frame = page.locator("iframe");
  expect(await frame.getAttribute("sandbox")).toBe("allow-popups allow-popups-to-escape-sandbox");
  const inside = page.frameLocator("iframe");
  await expect(inside.getByRole("heading", { name: "Please pay €10.50" })).toBeVisible();
  await expect(inside.getByText(hostile)).toBeVisible();
  await expect(page).toHaveTitle(/^E-mail/);
  await expectNoViolations(page);
  const widthOf = async () => (await frame.boundingBox())?.width;
  await expect(page.getByRole("button", { name: "Desktop" })).toHaveAttribute("aria-pressed", "true");
  expect(await widthOf(), "as wide as the page").toBeGreaterThan(600);
  await page.getByRole("button", { name: "Phone" }).click();
  await expect.poll(widthOf, "as wide as a phone").toBeLessThan(400);
  const heading = await inside.getByRole("heading", { level: 1 }).boundingBox();
  expect(heading?.width, "and no narrower").toBeGreaterThan(250);
  await page.getByRole("button", { name: "Plain text" }).click();
  await expect(page.getByText("Test mode: no money moves.")).toBeVisible();
  await expectNoViolations(page);

  const before = page.url();
  await page.getByRole("button", { name: "Resend" }).click();
  const question = page.getByRole("alertdialog", { name: "Resend this e-mail?" });
  await expect(question).toContainText("A copy to payer@example.com is kept here");
  await expectNoViolations(page);
  await question.getByRole("button", { name: "Go back" }).click();
  await expect(question).toHaveCount(0);
  expect(await db.email.count({ where: { business_id: staff.businessId } })).toBe(templateNames.length);
  await page.getByRole("button", { name: "Resend" }).click();
  await question.getByRole("button", { name: "Resend" }).click();
  await page.waitForURL((url) => url.href !== before);
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "Please pay €10.50" })).toBeVisible();
  await page.getByRole("link", { name: "E-mails" }).filter({ visible: true }).first().click();
  await expect(page.getByRole("row")).toHaveCount(templateNames.length + 2);

  await page.getByRole("button", { name: "Failed" }).click();
  await expect(page.getByText("No results")).toBeVisible();
});

test("selected mails are sent again, without those to staff", async ({ page }) => {
  const staff = await makeStaff();
  const { businessId: business_id } = staff;
  const { id: _id } = await makeLink(business_id);
  const ids = await queueEvery(business_id, (template) =>
    template === "payment_link" ? { link: { ...mailProps.payment_link.link, _id } } : mailProps[template],
  );
  await writtenMails(ids);
  const kept = "'payment_link', 'receipt', 'invitation'";
  await asOwner(`DELETE FROM email WHERE business_id = ${business_id} AND template NOT IN (${kept})`);
  await openAs(page, staff, "/emails");
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await expect(bar).toContainText("3 selected");
  await bar.getByRole("button", { name: "Resend" }).click();
  const question = page.getByRole("alertdialog", { name: "Resend 2 e-mails?" });
  await expect(question).toContainText("1 selected e-mail is to staff or still queued, and is left out.");
  await expectNoViolations(page);
  await question.getByRole("button", { name: "Resend" }).click();
  await expect(page.getByText("2 e-mails queued")).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole("row")).toHaveCount(1 + 3 + 2);
  const copies = await db.email.findMany({ where: { business_id, copy_of: { not: null } } });
  expect(copies.map(({ template }) => template).sort()).toEqual(["payment_link", "receipt"]);

  // The list finds whole addresses alone.
  await page.getByRole("searchbox").fill("payer");
  await expect(page.getByText("No e-mail has the full recipient address “payer”.")).toBeVisible();
  await expect(page.getByRole("link", { name: "E-mails to payer@example.com" })).toHaveAttribute(
    "href",
    "/emails?to=payer%40example.com",
  );
});

test("a mail leads to its link; a daily limit says when it ends", async ({ page, baseURL }) => {
  const staff = await makeStaff();
  const { key } = await createApiKey({ businessId: staff.businessId, livemode: false, name: "shop" });
  const post = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const reply = await fetch(`${baseURL}/api${path}`, { method: "POST", headers, body: body && JSON.stringify(body) });
    expect(reply.status).toBe(200);
    return (await reply.json()).data;
  };
  const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
  const { _id } = await post("/payment-links", link);
  const { id } = await db.email.findFirstOrThrow({ where: { payment_link_id: _id } });
  for (let copy = 0; copy < 5; copy++) await post(`/emails/${id}/resend`);
  await openAs(page, staff, `/emails/${id}`);
  await page.getByRole("button", { name: "Resend" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Resend" }).click();
  await expect(page.getByText(/^Too many attempts\. Try again at \d\d:\d\d, in 24 hours\.$/)).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("main").getByRole("link", { name: "Payment link" }).click();
  await expect(page).toHaveURL(new RegExp(`/payment-links/${_id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Order 1001");
});

test("the outbox on a phone: cards, an invitation without its link, no actions for a viewer", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const staff = await makeStaff("viewer");
  await writtenMails(await queueEvery(staff.businessId, (template) => mailProps[template]));
  await openAs(page, staff, "/emails");
  await expect(page.getByRole("list", { name: "E-mails, newest first" }).getByRole("listitem")).toHaveCount(
    templateNames.length,
  );
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Join Blue Bottle Books" }).click();
  await expect(page.frameLocator("iframe").getByText("the link is not stored")).toBeVisible();
  await expect(page.getByRole("button", { name: "Resend" })).toHaveCount(0);
  await expectNoViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
