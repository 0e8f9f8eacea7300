import { expect, type Page } from "@playwright/test";
import Papa from "papaparse";
import { modeCookie } from "@/components/shell/mode";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { periodStart } from "@/lib/periods/calendar";
import { exampleOf } from "@/lib/resources/events/examples";
import { expectNoViolations } from "@/tests/support/axe";
import { saveCardAt } from "@/tests/support/checkout";
import { countInput } from "@/tests/support/counted";
import { makeEndpoint, makeFailedDelivery, makePeriod, makeSubscription } from "@/tests/support/form-rows";
import { gate } from "@/tests/support/gate";
import { baseUrl } from "@/tests/support/http";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeAttempt, makePastPayment, makePastRefund } from "@/tests/support/money-rows";
import { makeTokenization } from "@/tests/support/package-rows";
import { insertDispute } from "@/tests/support/paid";
import { startReceiver } from "@/tests/support/receiver";
import { expectHydrated, makeLink, makeStaff, openAs, plantIn, type Staff, test } from "@/tests/support/staff";

const problems = (page: Page) => page.getByRole("region", { name: "Needs attention" });
const tile = (page: Page, term: string) =>
  page.locator("dl > div").filter({ has: page.getByText(term, { exact: true }) });
const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("rowheader") });

const email = "reader@example.com";

/** A past-due subscription whose first period is unpaid. Its calendar is far ahead, so that nothing falls due when it is paid. */
async function makeOwing(staff: Staff, over: { email?: string } = {}): Promise<{ id: string; link: string }> {
  const id = await makeSubscription(staff, { status: "past_due", next_period: 120, ...over });
  const { id: link } = await makePeriod(staff, id, { attempt_count: 1, ...over });
  return { id, link };
}

/** A card that its payer has saved. @returns its id */
async function saveCard(staff: Staff, number?: string): Promise<string> {
  const { id, token } = await makeTokenization(staff, { email, title: "Card" });
  await saveCardAt(`/activate/${token}`, number);
  return id;
}

test("a failed subscription is paid with two clicks and the chosen card, and its line disappears", async ({ page }) => {
  const staff = await makeStaff();
  // The cards are saved before the subscription owes: saving one would charge the period.
  await saveCard(staff);
  const declined = await saveCard(staff, "4000000000009995");
  const { id, link } = await makeOwing(staff);
  const period = await db.paymentLink.findUniqueOrThrow({ where: { id: link } });
  await makeAttempt(period, { status: "failed", reason: "insufficient_funds", tokenization_id: declined });
  await openAs(page, staff, "/");
  const list = problems(page).getByRole("list", { name: "1 subscription past due" });
  const line = list.getByRole("listitem").filter({ hasText: "owes €15.00 for Reading club" });
  await expect(line).toContainText("1 failed charge. Saved card: Visa ending in 9995 (12/40).");
  await expectNoViolations(page);
  const counted = await countInput(page);
  await line.getByRole("button", { name: `Retry now: ${email}` }).click();
  const question = page.getByRole("alertdialog", { name: "Charge €15.00 now?" });
  await expect(question).toContainText(`Visa ending in 4242 (12/40) of ${email} is charged €15.00 for “Reading club”`);
  const laterPeriods = question.getByRole("status");
  await expect(laterPeriods).toContainText("Later charges still go to the newest card, Visa ending in 9995 (12/40)");
  const revoke = laterPeriods.getByRole("link", { name: "Revoke that card" });
  await expect(revoke).toHaveAttribute("href", `/tokenizations/${declined}`);
  await expectNoViolations(page);
  const chosen = question.getByLabel("Card");
  await chosen.selectOption("Visa ending in 9995 (12/40)");
  await expect(laterPeriods).toBeEmpty();
  await chosen.selectOption("Visa ending in 4242 (12/40)");
  await question.getByRole("button", { name: "Charge €15.00" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "€15.00 paid" }).first()).toBeVisible();
  expect((await counted()).clicks).toBe(2);
  await expect(problems(page)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  expect(await db.paymentLink.findUnique({ where: { id: link } })).toMatchObject({ status: "Paid" });
  expect(await db.subscription.findUnique({ where: { id } })).toMatchObject({ status: "active" });
});

test("after a decline the payer gets the link for a new card, and a second Enter presses no other button", async ({
  page,
}) => {
  const staff = await makeStaff();
  await saveCard(staff, "4000000000009995");
  await makeOwing(staff, { email: "other@example.com" });
  const { link } = await makeOwing(staff); // the newest comes first
  await openAs(page, staff, "/");
  const list = problems(page).getByRole("list", { name: "2 subscriptions past due" });
  const line = list.getByRole("listitem").filter({ hasText: email });
  const retry = line.getByRole("button", { name: `Retry now: ${email}` });
  const send = line.getByRole("button", { name: `Send a link for a new card: ${email}` });
  await expect(retry).toBeEnabled();
  await retry.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Charge €15.00 now?" });
  await expect(question.getByRole("button", { name: "Go back" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question).toHaveCount(0);
  await expect(retry).toBeFocused();
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Charge €15.00" }).press("Enter");
  await expect(line.getByText(`The card of ${email} was not charged: Insufficient funds.`)).toBeVisible();
  await expect(line.getByText("Visa ending in 9995 (12/40) was just declined.")).toBeVisible();
  await expect(line).toBeFocused();
  await expect(retry).toHaveCount(0);

  const before = await send.boundingBox();
  await send.press("Enter");
  await expect(line.getByText(/^Link of .* not sent: test mode sends no e-mail\.$/)).toBeVisible();
  await expect(page.getByText("test mode sends no e-mail")).toHaveCount(1);
  await expect(line).toBeFocused();
  await expect(send).toHaveCount(0);
  const copy = line.getByRole("button", { name: "Copy link" });
  expect(await copy.boundingBox()).toMatchObject({ x: before?.x, width: before?.width });
  await expectNoViolations(page);
  await copy.click();
  await expect(line.getByRole("button", { name: "Copied" })).toBeVisible();
  await expectNoOverflow(page, phoneWidth);
  const mails = await db.email.findMany({ where: { payment_link_id: link, template: "payment_link" } });
  expect(mails).toMatchObject([{ to: email }]);
});

test("a failing endpoint is redelivered to, and a disabled one enabled, in place", async ({ page }) => {
  const staff = await makeStaff();
  const { data } = exampleOf("package.created");
  await transaction(db, (tx) =>
    record(
      tx,
      { businessId: staff.businessId, livemode: false },
      [1, 2, 3].map(() => ({ type: "package.created", data: { ...data, _id: newId("pkg") } as never })),
    ),
  );
  const events = await db.event.findMany({ where: { business_id: staff.businessId } });
  const event = (index: number) => ({ event_id: events[index]?.id });
  // Only now, so that nothing is on its way to them.
  const failing = await makeEndpoint(staff);
  const disabled = await makeEndpoint(staff);
  const failing_since = new Date(Date.now() - 3_600_000);
  const receiver = await startReceiver();
  await db.webhookEndpoint.update({ where: { id: failing }, data: { url: receiver.url, failing_since } });
  await db.webhookEndpoint.update({
    where: { id: disabled },
    data: { url: "https://shop.example.com/old", status: "disabled", disabled_reason: "failing", failing_since },
  });
  const waits = { status: "pending", tries: 1, next_attempt_at: new Date(Date.now() + 3_600_000) };
  const created_at = new Date(failing_since.getTime() - 1_000); // before its first failure
  const delivery = await makeFailedDelivery(staff, failing, { ...event(0), created_at, ...waits });
  // Another event's attempt lasts all the time.
  await makeFailedDelivery(staff, failing, { ...event(1), ...waits, claim: "another worker's" });
  await openAs(page, staff, "/");
  await problems(page).getByRole("button", { name: "Enable endpoint: https://shop.example.com/old" }).click();
  await expect(page.getByText("Endpoint enabled").first()).toBeVisible();
  await expect(problems(page).getByRole("link", { name: "1 failing webhook endpoint" })).toBeVisible();
  expect(await db.webhookEndpoint.findUnique({ where: { id: disabled } })).toMatchObject({ status: "enabled" });
  const redeliver = page.getByRole("button", { name: `Redeliver failed events: ${receiver.url}` });
  // The line of the enabled endpoint has gone, and the focus has moved on.
  await expect(page.locator("[data-problem]:focus")).toContainText(receiver.url);
  const line = page.locator("[data-problem]").filter({ has: redeliver });
  const { opened, open } = gate();
  receiver.answer = (_, response) => void opened.then(() => response.writeHead(500).end());
  await redeliver.press("Enter");
  await expect(page.getByText("1 redelivery queued")).toBeVisible();
  await expect(line).toContainText("Redelivering 1 event…");
  // Another redelivery, before the outcome of the first is known: only this one's is said.
  const second = await makeFailedDelivery(staff, failing, { ...event(2), created_at, ...waits });
  await expect(redeliver).toBeEnabled();
  await redeliver.press("Enter");
  await expect(page.getByText("1 redelivery queued")).toHaveCount(2);
  open();
  await expect(line).toContainText(/Failed again at .+\. Your system answered 500\./);
  await expect(page.getByText("Failed again", { exact: true })).toBeVisible();
  await expect(redeliver).toBeFocused();
  // Their next attempts come later, also if one is under way now.
  const both = { id: { in: [delivery, second] } };
  const delay = { where: { ...both, claim: null }, data: { next_attempt_at: waits.next_attempt_at } };
  await expect.poll(async () => (await db.webhookDelivery.updateMany(delay)).count).toBe(2);
  // The line shows the last attempt, also one that comes by itself.
  const later = { status: null, error: "The connection was refused.", latency_ms: 1, created_at: new Date() };
  await db.webhookAttempt.create({ data: { id: newId("wha"), delivery_id: second, ...later } });
  await expect(line).toContainText(/Failed again at .+\. The connection was refused\./);
  receiver.answer = (_, response) => response.end();
  await redeliver.press("Enter");
  await expect(page.getByText("2 events delivered")).toBeVisible();
  await expect(line).toHaveCount(0);
  expect(await db.webhookDelivery.count({ where: { ...both, status: "succeeded" } })).toBe(2);
  await receiver.stop();
});

test("the e-mail about a new price is resent from the overview, and then the new price applies", async ({ page }) => {
  const staff = await makeStaff();
  const [package_id, id] = [newId("pkg"), newId("sub")];
  const live = { business_id: staff.businessId, livemode: true };
  const price = { amount_cents: 1700, currency: "EUR", frequency: "monthly" };
  await db.package.create({ data: { id: package_id, ...live, name: "Reading club", ...price } });
  const untold = { status: "active", amount_cents: 1500, announced_amount_cents: 1700 };
  const anchor = { anchor: "2026-01-31T00:00:00", timezone: "Europe/Berlin" };
  await db.subscription.create({ data: { id, ...live, package_id, email, ...untold, ...anchor } });
  const failed = { template: "price_changing", to: email, status: "failed", next_attempt_at: null };
  const props = { subscription: { price_change: { amount_cents: 1700 } } };
  const mail = { id: newId("eml"), ...live, subscription_id: id, ...failed, props, created_at: new Date() };
  await db.email.create({ data: mail });
  await page.context().addCookies([{ name: modeCookie, value: "live", url: baseUrl() }]);
  await openAs(page, staff, "/");
  const list = problems(page).getByRole("list", { name: "1 customer was not notified of a new price" });
  const line = list.getByRole("listitem");
  await expect(line).toHaveText(
    /^reader@example.com wasn’t notified of the new price of €17.00 for Reading club\..*couldn’t be sent/,
  );
  await expectNoViolations(page);
  await line.getByRole("button", { name: `Resend e-mail: ${email}` }).click();
  await expect(page.getByText(`E-mail queued to ${email}`).first()).toBeVisible();
  // Without a gateway and a saved card, the customer sees the price when they pay, so the e-mail counts as sent.
  const subscription = () => db.subscription.findUnique({ where: { id } });
  await expect.poll(subscription).toMatchObject({ announced_amount_cents: null, next_amount_cents: 1700 });
  await page.reload();
  await expect(tile(page, "Collected")).toBeVisible();
  await expect(problems(page)).toHaveCount(0);
});

test("an action leaves the focus on the next line, on no button, also once its own line is gone", async ({ page }) => {
  const staff = await makeStaff();
  for (const name of ["first", "second", "third"])
    await db.webhookEndpoint.update({
      where: { id: await makeEndpoint(staff) },
      data: { url: `https://${name}.example.com`, status: "disabled", disabled_reason: "failing" },
    });
  await openAs(page, staff, "/");
  const enable = (name: string) =>
    problems(page).getByRole("button", { name: `Enable endpoint: https://${name}.example.com` });
  await expect(enable("second")).toBeEnabled();
  await enable("second").press("Enter");
  await expect(problems(page).getByRole("link", { name: "2 failing webhook endpoints" })).toBeVisible();
  await expect(enable("second")).toHaveCount(0);
  const endpoints = problems(page).getByRole("list", { name: "failing webhook endpoints" });
  const next = endpoints.getByRole("listitem").filter({ hasText: "https://first.example.com" }); // newest first
  await expect(next).toBeFocused();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  await page.keyboard.press("Enter"); // by mistake, once more
  await expect(enable("first")).toBeEnabled();
  await enable("first").press("Enter");
  await expect(problems(page).getByRole("link", { name: "1 failing webhook endpoint" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  expect(await scrolled()).toBeLessThanOrEqual(before);

  // Not if the focus has moved on meanwhile.
  const { opened: held, open: release } = gate();
  await page.route("**/enable", async (route) => {
    await held;
    await route.continue();
  });
  await enable("third").press("Enter");
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search or create" });
  await search.fill("anna");
  release();
  await expect(page.locator("[data-problems]")).toHaveCount(0);
  await expect(search).toBeFocused();
});

test("a viewer sees the problems without their actions, and failing endpoints lead to their list", async ({ page }) => {
  const staff = await makeStaff("viewer");
  await makeOwing(staff);
  const failing = await makeEndpoint(staff);
  await db.webhookEndpoint.update({ where: { id: failing }, data: { failing_since: new Date() } });
  const well = await makeEndpoint(staff);
  await db.webhookEndpoint.update({ where: { id: well }, data: { url: "https://shop.example.com/well" } });
  await openAs(page, staff, "/");
  await expect(problems(page).getByText("owes €15.00 for Reading club")).toBeVisible();
  await expect(problems(page).getByText("No saved card can be charged.")).toBeVisible();
  await expect(
    problems(page)
      .getByRole("listitem")
      .filter({ hasText: /^https:\/\/shop\.example\.com\/hook\s*All deliveries have failed since/ }),
  ).toBeVisible();
  await expect(problems(page).getByText("https://shop.example.com/well")).toHaveCount(0);
  await expect(problems(page).getByRole("button")).toHaveCount(0);
  await expectNoViolations(page);
  await problems(page).getByRole("link", { name: "1 failing webhook endpoint" }).click();
  await expect(page).toHaveURL(/\/developers\/webhooks\?failing=true$/);
  await expect(page.getByRole("row", { name: /shop\.example\.com/ })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Remove filter: Needs attention" })).toBeVisible();
  await expect(page.getByRole("row", { name: /shop\.example\.com\/hook/ })).toContainText("Failing");
});

test("figures are of the business's currency, and lead to what they count", async ({ page }) => {
  const staff = await makeStaff();
  for (const [ago, currency] of [
    [2, "USD"],
    [3, "USD"],
    [4, "EUR"],
    [40, "EUR"],
  ] as const)
    await makePastPayment(staff, ago, { currency, title: `${currency} ${ago}` });
  const course = await makeLink(staff.businessId, { title: "Course" });
  for (const [reason, ago] of [
    ["insufficient_funds", 1],
    ["expired_card", 50],
  ] as const) {
    const at = new Date(Date.now() - ago * 86_400_000);
    await makeAttempt(course, { status: "failed", reason, created_at: at, settled_at: at });
  }
  await openAs(page, staff, "/");
  await expect(tile(page, "Collected")).toContainText("€10.50");
  await expect(tile(page, "Success rate")).toContainText("50%");
  await expect(page.getByRole("region", { name: "Why payments failed, EUR" }).getByRole("row")).toHaveText([
    /Reason/,
    /Insufficient funds\.\s*1\s*0/,
  ]);
  await tile(page, "Collected").click({ position: { x: 5, y: 5 } }); // the whole tile is the link
  await expect(rows(page)).toHaveText([/EUR 4/]);
  await page.goBack();
  await tile(page, "Success rate").getByRole("link", { name: "1 failed attempt" }).click();
  await expect(rows(page)).toHaveText([/Course.*Failed/]);
  await page.goBack();
  await page.getByLabel("Currency").selectOption("USD");
  await tile(page, "Collected").getByRole("link", { name: "2 payments" }).click();
  await expect(rows(page)).toHaveText([/USD 2/, /USD 3/]);
});

test("refunds of the period lead to exactly these", async ({ page }) => {
  const staff = await makeStaff();
  for (const [ago, currency] of [
    [2, "EUR"],
    [3, "USD"],
    [20, "EUR"],
    [40, "EUR"],
  ] as const)
    await makePastRefund(staff, ago, { currency, title: `${currency} ${ago}` });
  await openAs(page, staff, "/");
  await expect(tile(page, "Refunded")).toContainText("€2.00");
  await tile(page, "Refunded").getByRole("link", { name: "2 refunds" }).click();
  await expect(rows(page)).toHaveText([/EUR 2.*€1.00.*Refunded/, /EUR 20.*€1.00.*Refunded/]);
  await expect(page.getByText("€2.00")).toBeVisible(); // the total of the list
  await expectNoViolations(page);
  await expectNoOverflow(page, phoneWidth);
});

test("net and disputes link to the exports of the period, which add up to them", async ({ page }) => {
  const staff = await makeStaff();
  const { id: _id } = await makeLink(staff.businessId);
  await insertDispute({ _id });
  await makePastRefund(staff, 2); // of a second payment
  const fee = { fee_cents: 50, fee_currency: "EUR" };
  await db.payment.updateMany({ where: { business_id: staff.businessId }, data: fee });
  await makePastPayment(staff, 3);
  const payments = await db.payment.findMany({ where: { business_id: staff.businessId, fee_cents: 50 } });
  await db.posting.createMany({
    data: payments.map(({ id: payment_id, business_id, livemode, currency, settled_at }) => ({
      ...{ business_id, livemode, payment_id, currency, amount_cents: 50 },
      ...{ kind: "fee", debit: "fees", credit: "gateway", created_at: settled_at ?? new Date() },
    })),
  });
  /** The sum of a file of the period in cents. */
  const sumOf = async (file: string): Promise<number> => {
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: `Download ${file} as CSV` }).click();
    const text = (await (await (await saved).createReadStream()).toArray()).join("");
    const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
    const cents = data.map(({ kind, amount }) => {
      return Math.round(Number(amount) * 100) * (kind?.endsWith("_returned") ? -1 : 1);
    });
    return cents.reduce((sum, each) => sum + each, 0);
  };
  await openAs(page, staff, "/?days=7");
  await expect(tile(page, "Net")).toContainText("€4.00");
  await expect(tile(page, "Disputed")).toContainText("€10.50");
  await tile(page, "Disputed").getByRole("link", { name: "1 dispute · Export" }).click();
  await expect(page.getByRole("heading", { name: "Exports" })).toBeVisible();
  expect(await sumOf("Disputes")).toBe(1050);
  await page.goBack();
  await tile(page, "Net").getByRole("link", { name: "After refunds, disputes and €16.00 in fees · Export" }).click();
  await expect(page).toHaveURL(/\/exports\?from=/);
  const { searchParams } = new URL(page.url());
  await expect(page.getByLabel("Period")).toHaveValue("custom");
  await expect(page.getByLabel("First day")).toHaveValue(searchParams.get("from") ?? "");
  await expect(page.getByLabel("Last day")).toHaveValue(searchParams.get("to") ?? "");
  let left = await sumOf("Payments");
  for (const file of ["Refunds", "Disputes", "Fees"]) left -= await sumOf(file);
  expect(left).toBe(400);
  await page.getByLabel("Period").selectOption("Last month");
  await expect(page).toHaveURL(/\/exports$/);
});

test("on a phone, the most urgent problems are shown, and the figures below them", async ({ page }) => {
  const staff = await makeStaff();
  await makePastPayment(staff, 2); // without one, the first steps come first
  await makeOwing(staff);
  await makeOwing(staff);
  await makeSubscription(staff, { status: "unpaid" });
  const failing = await makeEndpoint(staff);
  const { url } = await db.webhookEndpoint.update({ where: { id: failing }, data: { failing_since: new Date() } });
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, staff, "/");
  const webhook = problems(page).getByText(url);
  const owed = problems(page).getByText(/owes €/);
  const all = problems(page).getByRole("button", { name: "Show more" });
  await expect(problems(page).getByRole("link", { name: "1 unpaid subscription" })).toBeVisible();
  await expect(owed.filter({ visible: true })).toHaveCount(1);
  await expect(webhook).toBeHidden();
  await expect(tile(page, "Collected")).toBeInViewport();
  await expectNoViolations(page);
  await all.click();
  await expect(webhook).toBeVisible();
  await expect(owed.filter({ visible: true })).toHaveCount(2);
  const fewer = problems(page).getByRole("button", { name: "Show fewer" });
  await expect(fewer).toHaveAttribute("aria-expanded", "true");
  await expect(fewer).toBeFocused();
  await expectNoOverflow(page, phoneWidth);
  await fewer.click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(webhook).toBeVisible();
  await expect(all).toBeHidden();
});

test("a kind with more problems than its lines leads to all of them", async ({ page }) => {
  const staff = await makeStaff();
  await makePastPayment(staff, 2);
  for (let n = 0; n < 4; n++) await makeOwing(staff);
  await makePastRefund(staff, 3);
  await db.refund.updateMany({
    where: { business_id: staff.businessId },
    data: { status: "failed", failure_reason: "declined" },
  });
  await openAs(page, staff, "/");
  const see = problems(page).getByRole("link", { name: "See all: 4 subscriptions past due" });
  await expect(
    problems(page)
      .getByText(/owes €/)
      .filter({ visible: true }),
  ).toHaveCount(3);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(see).toBeHidden();
  await problems(page).getByRole("button", { name: "Show more" }).click();
  await expect(see).toBeVisible();
  await expectNoViolations(page);
  await expectNoOverflow(page, phoneWidth);
  await page.setViewportSize({ width: 1280, height: 800 });
  await see.click();
  await expect(page).toHaveURL(/\/subscriptions\?status=past_due$/);
  await expect(rows(page)).toHaveCount(4);
  await page.goBack();
  await problems(page).getByRole("link", { name: "1 failed refund in 30 days" }).click();
  await expect(page).toHaveURL(/\/refunds\?unresolved=true$/);
  await expect(rows(page)).toHaveCount(1);
});

test("churn leads to the subscriptions that it counts", async ({ page }) => {
  const staff = await makeStaff();
  const make = (email: string, status = "active") => makeSubscription(staff, { email, status });
  const end = async (id: string, status: string) => {
    await db.subscription.update({ where: { id }, data: { status, ended_reason: "canceled_by_staff" } });
  };
  await end(await make("ada@example.com"), "cancel");
  await end(await make("bob@example.com"), "unpaid");
  await end(await make("never@example.com", "created"), "cancel");
  await end(await make("paused@example.com"), "paused");
  const long = await make("long-ago@example.com");
  await db.subscription.update({
    where: { id: long },
    data: { status: "cancel", ended_at: new Date(Date.now() - 100 * 86_400_000) },
  });
  await openAs(page, staff, "/");
  await tile(page, "Churn").getByRole("link", { name: "2 subscriptions ended, 0 started" }).click();
  await expect(rows(page)).toHaveText([
    /bob@example\.com.*Unpaid.*Stopped on/,
    /ada@example\.com.*Cancelled.*Ended on/,
  ]);
  await expect(page.getByText("Ended after a first payment")).toBeVisible();
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("group", { name: "Ended" }).getByRole("button", { name: "Last 7 days" }).click();
  await expect(page).toHaveURL(/churned=true/);
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel("Reason for ending").selectOption("All retries failed");
  await expect(page.getByText("No results")).toBeVisible();
  await expectNoViolations(page);
  await expectNoOverflow(page, phoneWidth);
  await page.goto("/subscriptions");
  const card = page.getByRole("main").getByRole("listitem").filter({ hasText: "paused@example.com" });
  await expect(card).toContainText("Paused");
  await expect(card).not.toContainText("–");
});

test("monthly recurring revenue leads to its subscriptions, and the forecast adds up", async ({ page }) => {
  const staff = await makeStaff();
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  const schedule = { anchor: `${day}T00:00:00`, timezone: "Europe/Berlin" };
  const next = { next_charge_at: periodStart({ ...schedule, frequency: "monthly" }, 0) };
  await makeSubscription(staff, { ...schedule, ...next });
  await makeSubscription(staff, { ...schedule, ...next, amount_cents: 2500 });
  await makeSubscription(staff, { status: "paused" });
  await openAs(page, staff, "/");
  await expect(tile(page, "Monthly recurring revenue")).toContainText("€40.00");
  const forecast = page.getByRole("region", { name: "Subscriptions: next 90 days, EUR" });
  const month = /^\w+ \d{4}\s*2\s*€40\.00$/;
  await expect(forecast.getByRole("row")).toHaveText([/^Month/, month, month, month, /^Total\s*6\s*€120\.00$/]);
  await expectNoViolations(page);
  await tile(page, "Monthly recurring revenue").getByRole("link", { name: "2 subscriptions" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("the overview says how many of the period's links were opened, tried and paid", async ({ page }) => {
  const staff = await makeStaff();
  const make = (title: string) => makeLink(staff.businessId, { title });
  const opened = await make("Opened");
  const now = new Date();
  const visit = { hour: new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000), last_at: now };
  await db.linkVisit.create({ data: { payment_link_id: opened.id, ...visit } });
  const failed = { status: "failed", reason: "expired_card", settled_at: now } as const;
  await makeAttempt(await make("Tried"), failed);
  await make("Unread");
  await makePastPayment(staff, 2, { title: "Paid" });
  await openAs(page, staff, "/");
  const table = page.getByRole("region", { name: "Payment links, EUR" });
  await expect(table.getByRole("row")).toHaveText([
    /^Payment links\s*Count\s*Share\s*Previous period$/,
    ...[/^Created\s*4\s*100%\s*–$/, /^Opened by the payer\s*3\s*75%\s*–$/],
    ...[/^Tried to pay\s*2\s*50%\s*–$/, /^Paid\s*1\s*25%\s*–$/],
  ]);
});

test("a range of days can be entered, and is refused if the overview cannot show it", async ({ page }) => {
  const staff = await makeStaff();
  await makePastPayment(staff, 40, { title: "Before" });
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await openAs(page, staff, "/");
  await expect(tile(page, "Collected")).toContainText("€0.00");
  await page.getByLabel("Period", { exact: true }).selectOption("Custom range");
  await page.getByLabel("Last day").fill(day(38));
  await expect(page.getByText("The last day must not be before the first.")).toBeVisible();
  await page.getByLabel("First day").fill(day(42));
  await expect(page).toHaveURL(new RegExp(`from=${day(42)}&to=${day(38)}`));
  await expect(tile(page, "Collected")).toContainText("€10.50");
  await expect(tile(page, "Collected")).toContainText("previous 5 days");
  await page.reload();
  await expect(tile(page, "Collected")).toContainText("€10.50");
  await page.getByLabel("Period", { exact: true }).selectOption("Last 7 days");
  await expect(page).toHaveURL(/\?days=7$/);
  await page.getByLabel("Period", { exact: true }).selectOption("Last month");
  await expect(page).toHaveURL(/\?days=lastMonth$/);
  await expect(page.getByLabel("Period", { exact: true })).toHaveValue("lastMonth");
  await expect(tile(page, "Collected")).toContainText(/previous (28|29|30|31) days/);
  await page.getByLabel("Period", { exact: true }).selectOption("Yesterday");
  await expect(page).toHaveURL(/\?days=yesterday$/);
  await expect(tile(page, "Collected")).toContainText("vs €0.00 the day before");
  await expect(page.getByRole("slider", { name: /Days of the chart/ })).toHaveAttribute("aria-valuemax", "1");
});

test("a period chosen before the page's scripts have loaded is applied", async ({ page }) => {
  await plantIn(page.context(), await makeStaff());
  const { opened: allowed, open: load } = gate();
  await page.route(/\/_next\/static\/.*\.js/, (route) => allowed.then(() => route.continue()));
  await page.goto("/", { waitUntil: "commit" });
  await page.getByLabel("Period", { exact: true }).selectOption("Last 7 days");
  load();
  await expect(page).toHaveURL(/\?days=7$/);
  await expect(tile(page, "Collected")).toContainText("previous 7 days");
});

test("the exports' days can be typed digit by digit, also by way of a day that does not exist", async ({ page }) => {
  await openAs(page, await makeStaff(), "/exports?from=2026-10-30&to=2026-10-31");
  const first = page.getByLabel("First day");
  await first.pressSequentially("02152025"); // the locale begins with the month, and 30 February is none
  await expect(first).toHaveValue("2025-02-15");
  await expect(page).toHaveURL(/\/exports\?from=2025-02-15&to=2026-10-31$/);
  await first.fill(""); // no day: the last one stays
  await first.blur();
  await expect(first).toHaveValue("2025-02-15");
});

test("the chart shows a day's values by pointer and keys, and opens its payments", async ({ page }) => {
  const staff = await makeStaff();
  await makePastPayment(staff, 2, { title: "Lately", amount_cents: 4200 });
  await makePastPayment(staff, 9, { title: "A week ago", amount_cents: 700 });
  await openAs(page, staff, "/?days=7");
  const chart = page.getByRole("slider", { name: /Days of the chart/ });
  await expect(chart).toHaveAttribute("aria-valuetext", /€0\.00 from 0 payments\./);
  await expectHydrated(page);
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /€42\.00 from 1 payment\. Previous period: €7\.00/);
  await expect(page.getByText(/€42\.00 from 1 payment\. Previous period/)).toBeVisible();
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuenow", "1");
  const box = await chart.boundingBox();
  if (!box) throw new Error("The chart has no place.");
  const x = box.x + (box.width * 4.5) / 7;
  await page.mouse.move(x, box.y + 20);
  await expect(chart).toHaveAttribute("aria-valuenow", "5");
  await page.mouse.click(x, box.y + 20);
  await expect(rows(page)).toHaveText([/Lately/]);
  await page.goBack();
  await page.getByText("Show as table").click();
  await expect(page.getByRole("table", { name: /Collected and refunded/ }).getByRole("row")).toHaveText([
    /When.*Previous period/,
    /€42\.00.*€0\.00.*€7\.00/,
  ]);
  await page.setViewportSize({ width: phoneWidth, height: 800 });
  await expectNoOverflow(page);
});
