import { expect } from "@playwright/test";
import { db } from "@/lib/core/db";
import { expectNoViolations } from "@/tests/support/axe";
import { expectNoOverflow, phone } from "@/tests/support/layout";
import { insertDispute, insertRefund } from "@/tests/support/paid";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

test.use(phone);

test("on a phone: the palette by its button, its results uncut, its ways to close, and a link's timeline", async ({
  page,
}) => {
  const staff = await makeStaff();
  const link = await makeLink(staff.businessId, { expires_at: new Date(Date.now() + 86_400_000) });
  const email = "anna.berg@example.com";
  const make = (title: string) => makeLink(staff.businessId, { title, email });
  await insertRefund({ _id: (await make("Poetry evening")).id });
  await insertDispute({ _id: (await make("Poetry morning")).id });
  const where = { business_id: staff.businessId };
  await db.payment.updateMany({ where, data: { card_brand: "visa", card_last4: "4242" } });
  await db.customer.updateMany({ where: { ...where, email }, data: { name: "Anna Berg" } });
  await page.addInitScript(() => {
    const { CloseWatcher } = window;
    if (!CloseWatcher) return;
    const open: { requestClose: () => void }[] = [];
    window.CloseWatcher = class extends CloseWatcher {
      constructor() {
        super();
        open.push(this);
      }
      override destroy() {
        open.splice(open.indexOf(this), 1);
        super.destroy();
      }
    };
    window.addEventListener("androids-back", () => open.pop()?.requestClose());
  });
  await openAs(page, staff);
  const openPalette = page.getByRole("button", { name: "Search or create" });
  const field = page.getByRole("combobox", { name: "Search or create" });
  const options = page.getByRole("option");
  await openPalette.tap();
  await field.fill("poetry");
  const dated = String.raw`\d+ \w+ \d{4} · Anna Berg · anna\.berg@example\.com\s*€10\.50\s*`;
  const paid = String.raw`\s*Visa ending in 4242 · ${dated}`;
  await expect(options).toHaveText([
    new RegExp(`^Poetry morning${paid}Disputed$`),
    new RegExp(`^Poetry evening${paid}€1\\.00 refunded\\s*Partly refunded$`),
    "All payments with “poetry”",
    new RegExp(`^Poetry morning\\s*${dated}Paid$`),
    new RegExp(`^Poetry evening\\s*${dated}€1\\.00 refunded\\s*Paid$`),
    "All payment links with “poetry”",
  ]);
  // Without the address of a named payer, and without the year of this year.
  await expect(options.first()).toHaveText(/Visa ending in 4242 · \d+ \w+ · Anna Berg\s*€10\.50/, {
    useInnerText: true,
  });
  const isCut = (line: Element) => line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight + 2;
  expect(await options.first().getByText("Visa ending in 4242").evaluate(isCut)).toBe(false);
  await expectNoViolations(page, "the results on a phone");
  await expectNoOverflow(page);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await openPalette.tap();
  await expect(field).toBeFocused();
  const goBack = () => page.evaluate(() => void window.dispatchEvent(new Event("androids-back")));
  await goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await openPalette.tap();
  await field.fill(link.id);
  await expectNoViolations(page);
  await page.getByRole("option", { name: /Open the payment link/ }).tap();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("list", { name: "Next" })).toContainText("Expires");
  await expectNoViolations(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wide, "the page scrolls sideways").toBe(false);

  const edit = async () => {
    await page.getByRole("button", { name: /^Actions for/ }).tap();
    await page.getByRole("menuitem", { name: "Edit" }).tap();
  };
  await edit();
  const title = page.getByRole("dialog").getByLabel("Title");
  await expect(title).toBeVisible();
  await goBack();
  await expect(title).toHaveCount(0);
  await edit();
  await title.fill("Poetry slam");
  const question = page.getByRole("alertdialog", { name: "Discard unsaved changes?" });
  await goBack();
  await expect(question).toBeVisible();
  await goBack();
  await expect(question).toHaveCount(0);
  await expect(title).toHaveValue("Poetry slam");
  await goBack();
  await question.getByRole("button", { name: "Discard" }).tap();
  await expect(title).toHaveCount(0);
});
