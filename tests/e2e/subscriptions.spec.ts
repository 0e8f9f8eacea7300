import { expect, type Locator, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { saveCardAt } from "@/tests/support/checkout";
import { makePeriod, makeSubscription } from "@/tests/support/form-rows";
import { gate } from "@/tests/support/gate";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeTokenization, saved } from "@/tests/support/package-rows";
import { makeStaff, openAs, plantIn, type Staff, test } from "@/tests/support/staff";

const berlin = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "Europe/Berlin",
});

interface Period {
  period_start: string;
  period_end: string;
  amount: number;
  status: string;
  attempt_count: number;
}

/** Advances the test clock to midnight of a day, as somebody at the desk does, and waits until it has arrived. */
async function advanceTo(page: Page, day: string): Promise<void> {
  await page.getByRole("button", { name: "Test mode" }).click();
  const clock = page.getByRole("dialog", { name: "Test clock", exact: true });
  await clock.getByLabel("Advance to", { exact: true }).fill(`${day}T00:00`);
  await clock.getByRole("button", { name: "Advance", exact: true }).click();
  const shown = berlin.format(new Date(`${day}T12:00:00Z`));
  await expect(page.getByRole("banner")).toContainText(`Test clock: ${shown}`);
  await page.keyboard.press("Escape");
  await expect(clock).toHaveCount(0);
}

/** Saves a card by the payer’s request. packages.spec.ts requests one in a browser, payer.spec.ts saves one. */
async function saveCard(staff: Staff, email: string, number: string): Promise<void> {
  const expires_at = new Date("2099-12-31T00:00:00Z"); // also for a test clock that is ahead
  const { token } = await makeTokenization(staff, { email, title: "Card for the reading club", expires_at });
  await saveCardAt(`/activate/${token}`, number);
}

async function makePackage(staff: Staff, over: Record<string, unknown> = {}): Promise<string> {
  const row = await db.package.create({
    data: {
      id: newId("pkg"),
      business_id: staff.businessId,
      livemode: false,
      name: "Reading club",
      amount_cents: 1500,
      currency: "EUR",
      frequency: "monthly",
      ...over,
    },
  });
  return row.id;
}

const noCard = (when: string): string =>
  `No usable saved card. The customer gets a payment link for €15.00 ${when}. Test mode sends no e-mail.`;

/** Through the form, which says what is charged, and so does its toast. It then shows the subscription's page. */
async function subscribe(page: Page, email: string, before = noCard("now"), after = before): Promise<string> {
  await page.goto("/subscriptions");
  await page.getByRole("button", { name: "Create subscription" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create subscription" });
  await sheet.getByLabel("Customer’s e-mail").fill(email);
  await expect(sheet.getByText(before, { exact: true })).toBeVisible();
  await expect(sheet.getByText("We charge the card saved for this e-mail.")).toHaveCount(0);
  await sheet.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByRole("region", { name: "Notifications" }).getByText(after, { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: email })).toBeVisible();
  return new URL(page.url()).pathname;
}

async function choose(page: Page, item: string, action: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: action, exact: true }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
}

test("a year of a subscription: created, charged, past due, recovered, every period as in the API", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const staff = await makeStaff();
  const email = "ada@example.com";
  const year = new Date().getUTCFullYear() + 1;
  const monthEnd = (month: number): string => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const badge = (name: string) => page.getByRole("main").getByText(name, { exact: true }).first();
  await makePackage(staff, { date_charge_start: new Date(`${year}-01-31`) });
  await plantIn(page.context(), staff);

  const path = await subscribe(page, email, noCard(`on 31 Jan ${year}`));
  await expect(page.getByText(`Due on 31 Jan ${year}. Waiting for the payer: no saved card.`)).toBeVisible();
  await saveCard(staff, email, "4242424242424242");
  await page.goto(path);
  await expect(
    page.getByText(`First charge of €15.00 on 31 Jan ${year} to Visa ending in 4242 (12/40).`),
  ).toBeVisible();
  await expect(page.getByText("Visa ending in 4242").last()).toBeVisible();

  await advanceTo(page, `${year}-01-31`);
  await expect(badge("Active")).toBeVisible();
  await expect(
    page.getByText(`Charges €15.00 on ${berlin.format(new Date(`${monthEnd(2)}T12:00Z`))} to Visa`),
  ).toBeVisible();
  await advanceTo(page, monthEnd(6));
  await expect(page.getByRole("main").getByText("Paid", { exact: true })).toHaveCount(6);

  // The card is replaced by one without funds: July fails.
  await saveCard(staff, email, "4000000000009995");
  await page.goto(path);
  await advanceTo(page, monthEnd(7));
  await expect(badge("Past due")).toBeVisible();
  await expect(
    page.getByText(`Retries €15.00 on 2 Aug ${year}, 00:00 with Visa ending in 9995 (12/40).`),
  ).toBeVisible();
  await expect(page.getByText("(1 failed attempt)")).toBeVisible();
  await expect(page.getByRole("main").getByText("Overdue", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText("Active", { exact: true })).toHaveCount(0);
  await page.goto("/subscriptions?status=past_due");
  await expect(page.getByRole("row", { name: /ada@example.com/ })).toContainText(`Retries on 2 Aug ${year}`);

  // A good one is saved: what is owed is charged at once.
  await saveCard(staff, email, "5555555555554444");
  await page.goto(path);
  await expect(badge("Active")).toBeVisible();
  await expect(page.getByText("Mastercard ending in 4444").first()).toBeVisible();
  await advanceTo(page, monthEnd(14));

  const id = path.split("/").at(-1);
  const answer = await page.request.get(`/api/payment-links?subscription_id=${id}&per_page=100`);
  const { data: periods } = (await answer.json()) as { data: Period[] };
  expect(periods).toHaveLength(14);
  await page.getByRole("button", { name: "Show older periods (2)" }).click();
  const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveCount(14);
  const seen = await rows.evaluateAll((lines) =>
    lines.map((line) => [...line.children].slice(0, 4).map((cell) => cell.textContent?.trim())),
  );
  const day = (at: string): string => berlin.format(new Date(at));
  expect(seen).toEqual(
    periods.map(({ period_start, period_end, amount, status, attempt_count }) => [
      `${day(period_start)} – ${day(period_end)}`,
      `€${amount.toFixed(2)}`,
      status,
      String(attempt_count),
    ]),
  );
  const starts = Array.from({ length: 15 }, (_, i) => day(`${monthEnd(i + 1)}T12:00Z`));
  expect(seen.map(([span]) => span).reverse()).toEqual(
    starts.slice(0, -1).map((from, i) => `${from} – ${starts[i + 1]}`),
  );
  expect(seen.map((cells) => cells.slice(1)).reverse()).toEqual(
    starts.slice(0, -1).map((_, i) => ["€15.00", "Paid", i === 6 ? "2" : "1"]),
  );
});

test("the form’s first field has the focus when its packages arrive late, and its e-mail field finds customers", async ({
  page,
}) => {
  const staff = await makeStaff();
  await makePackage(staff);
  await makeTokenization(staff, { ...saved, email: "grace@example.com" });
  await db.customer.updateMany({ where: { business_id: staff.businessId }, data: { name: "Grace Hopper" } });
  const { opened: arrived, open: arrive } = gate();
  await page.route(/\/api\/packages/, async (route) => {
    await arrived;
    await route.continue();
  });
  await openAs(page, staff, "/subscriptions");
  await page.getByRole("button", { name: "Create subscription" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create subscription" });
  await expect(sheet).toBeFocused();
  arrive();
  await expect(sheet.getByLabel("Package")).toBeFocused();
  const email = sheet.getByLabel("Customer’s e-mail");
  await email.fill("hopp");
  const offered = page.locator("datalist option");
  await expect(offered).toHaveAttribute("label", "Grace Hopper · grace@example.com");
  await email.fill((await offered.getAttribute("value")) ?? "");
  await expect(sheet.getByText(/^Charges €15\.00 now to Visa ending in 4242/)).toBeVisible();
});

test("pauses, resumes, ends at the period's end or at once, each after a confirmation", async ({ page }) => {
  const staff = await makeStaff();
  await makePackage(staff);
  await plantIn(page.context(), staff);
  await saveCard(staff, "grace@example.com", "4242424242424242");
  await db.customer.updateMany({ where: { business_id: staff.businessId }, data: { name: "Grace Hopper" } });
  const card = "Visa ending in 4242 (12/40)";
  const queued = `First charge of €15.00 to ${card} queued. This page shows its result.`;
  await subscribe(page, "grace@example.com", `Charges €15.00 now to ${card}.`, queued);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Grace Hopper · grace@example.com");
  await expect(page.getByRole("main")).toBeFocused(); // the button that opened the form is left behind
  expect(await page.evaluate(() => window.scrollY)).toBe(0); // the heading is not below the bars
  const state = (name: string) => expect(page.getByRole("main").getByText(name, { exact: true }).first()).toBeVisible();
  await state("Active");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Nothing is charged until you resume it.");
  await page.getByRole("button", { name: "Go back" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await state("Active");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Pause" }).click();
  await state("Paused");
  await expect(page.getByText("Nothing is charged while paused.")).toBeVisible();
  await page.goto("/subscriptions");
  await expect(page.getByRole("row", { name: /grace@example.com/ })).toContainText("No charges while paused");
  await page.goBack();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Resume" }).click();
  await state("Active");
  await choose(page, "Cancel at period end", "Cancel at period end");
  await expect(page.getByText(/^Ends on .* No more charges\.$/)).toBeVisible();
  await choose(page, "Don’t cancel at period end", "Keep subscription");
  await expect(page.getByText(/^Charges .* to Visa ending in \d{4} \(12\/40\)\.$/)).toBeVisible();
  await choose(page, "Cancel now", "Cancel now");
  await expect(page.getByText("No more charges: the subscription is cancelled.")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Delete"]);
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No subscriptions yet" })).toBeVisible();
});

test("says that a dispute has paused it, and when it resumes", async ({ page }) => {
  const staff = await makeStaff();
  const id = await makeSubscription(staff, { status: "paused", paused_reason: "dispute" });
  await openAs(page, staff, `/subscriptions/${id}`);
  await expect(page.getByText("Paused: a payment is disputed.")).toBeVisible();
  await expect(page.getByText("It resumes when you win the dispute.")).toBeVisible();
});

test("moves to another e-mail with its open period; adds and removes a phone number", async ({ page }) => {
  const staff = await makeStaff();
  await makePackage(staff);
  await plantIn(page.context(), staff);
  await subscribe(page, "old@example.com");
  await expect(page.getByText("Waiting for the payer: no saved card.")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Change e-mail or phone" }).click();
  const sheet = page.getByRole("dialog", { name: "Change e-mail or phone" });
  await sheet.getByLabel("Customer’s e-mail").fill("new@");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(sheet.getByLabel("Customer’s e-mail")).toHaveAccessibleDescription(
    "Enter an e-mail address, such as anna@example.com.",
  );
  await sheet.getByLabel("Customer’s e-mail").fill("new@example.com");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "new@example.com" })).toBeVisible();
  expect((await db.paymentLink.findFirst({ where: { business_id: staff.businessId } }))?.email).toBe("new@example.com");

  const change = async (phone: string): Promise<void> => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Change e-mail or phone" }).click();
    await sheet.getByRole("textbox", { name: "Phone" }).fill(phone);
    await sheet.getByRole("button", { name: "Save changes" }).click();
  };
  const fact = page.getByRole("definition").filter({ hasText: /1555|Not given/ });
  await change("+49 1555 0001");
  await expect(fact).toHaveText("+49 1555 0001");
  await expect(sheet).toHaveCount(0);
  await change("");
  await expect(fact).toHaveText("Not given");
  await expect(sheet).toHaveCount(0);
  expect(await db.subscription.findFirst({ where: { business_id: staff.businessId } })).toMatchObject({
    email: "new@example.com",
    phone_no: null,
  });

  // The new e-mail has a saved card: the open period is charged to it at once, so that is asked first.
  await saveCard(staff, "card@example.com", "4242424242424242");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Change e-mail or phone" }).click();
  await sheet.getByLabel("Customer’s e-mail").fill("card@example.com");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  const question = page.getByRole("alertdialog", { name: "Charge €15.00 now?" });
  await expect(question).toContainText(/Visa ending in 4242.* of card@example\.com is charged €15\.00/);
  await expectNoViolations(page);
  await question.getByRole("button", { name: "Go back" }).click();
  await expect(question).toHaveCount(0);
  expect((await db.subscription.findFirst({ where: { business_id: staff.businessId } }))?.email).toBe(
    "new@example.com",
  );
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await question.getByRole("button", { name: "Change e-mail and charge €15.00" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "card@example.com" })).toBeVisible();
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
});

test("asks before a subscription moves to an e-mail that has its package", async ({ page }) => {
  const staff = await makeStaff();
  const package_id = await makePackage(staff);
  await makeSubscription(staff, { package_id, email: "eve@example.com" });
  const id = await makeSubscription(staff, { package_id, email: "adam@example.com" });
  await openAs(page, staff, `/subscriptions/${id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Change e-mail or phone" }).click();
  const sheet = page.getByRole("dialog", { name: "Change e-mail or phone" });
  await sheet.getByLabel("Customer’s e-mail").fill("eve@example.com");
  const save = sheet.getByRole("button", { name: "Save changes" });
  await save.click();
  const question = page.getByRole("alertdialog", { name: "Change to this e-mail?" });
  await expect(question).toContainText("eve@example.com already has a subscription to this package.");
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  expect((await db.subscription.findUniqueOrThrow({ where: { id } })).email).toBe("adam@example.com");
  await save.click();
  await question.getByRole("button", { name: "Change e-mail" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "eve@example.com" })).toBeVisible();
  await expect(sheet).toHaveCount(0);
});

/** Opens the menu of what the page is about and what a period is asked there. */
async function askPeriod(page: Page, item: string): Promise<Locator> {
  await page.getByRole("button", { name: "Actions for Reading club" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  return page.getByRole("alertdialog");
}

test("links to its customer and its periods, where each confirmation names the amount", async ({ page }) => {
  const staff = await makeStaff();
  await makePackage(staff);
  await plantIn(page.context(), staff);
  const path = await subscribe(page, "grace@example.com");
  await page.getByRole("heading", { level: 1 }).getByRole("link", { name: "grace@example.com" }).click();
  await expect(page).toHaveURL(/\/customers\/grace(@|%40)example\.com$/);
  await page.goBack();
  const attempts = page.getByRole("columnheader", { name: "Attempts" });
  await expect(attempts).toBeVisible();
  expect(await attempts.evaluate((heading) => heading.scrollWidth - heading.clientWidth)).toBe(0);
  await page.getByRole("rowheader").getByRole("link").click();
  await expect(page).toHaveURL(/\/payment-links\/pl_\w+$/);
  const period = new URL(page.url()).pathname;
  await expect(page.getByRole("heading", { level: 1, name: "Reading club" })).toBeVisible();

  const close = await askPeriod(page, "Deactivate");
  await expect(close).toContainText("the period is waived, and no card is charged for it.");
  await expectNoViolations(page);
  await close.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("It can’t be paid until you activate it.")).toBeVisible();
  const remove = await askPeriod(page, "Delete");
  await expect(remove).toContainText("stays waived: no card is charged for it.");
  await remove.getByRole("button", { name: "Go back" }).click();
  const without = await askPeriod(page, "Activate");
  await expect(without).toContainText(
    "The customer has no saved card, so the period stays open until the payer pays the link.",
  );
  await expect(without.getByRole("button", { name: "Activate", exact: true })).toBeVisible();
  await without.getByRole("button", { name: "Go back" }).click();

  await saveCard(staff, "grace@example.com", "4242424242424242");
  await page.goto(period);
  const open = await askPeriod(page, "Activate");
  await expect(open).toContainText(
    "This link is a subscription period: Visa ending in 4242 (12/40) is charged €15.00 now.",
  );
  await expectNoViolations(page);
  await open.getByRole("button", { name: "Activate and charge €15.00" }).click();
  await expect(page.getByText("Paid. It can’t be paid again.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Refund" })).toBeVisible();
  await page.getByRole("link", { name: "View subscription" }).click();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(page.getByRole("main").getByText("Active", { exact: true }).first()).toBeVisible();
});

test("a card that its bank has declined for good is named; a deletion removes the open period, too", async ({
  page,
}) => {
  const staff = await makeStaff();
  const email = "reader@example.com";
  await makeTokenization(staff, { email, ...saved, declined_at: new Date(), decline_reason: "expired_card" });
  const { id } = await fallenBehind(staff, email);
  await openAs(page, staff, `/subscriptions/${id}`);
  await expect(page.getByText("Waiting for the payer: the bank permanently declined the saved card.")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Permanently declined by the bank.");
  await expect(page.getByRole("main").getByText("No saved card")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Request another card" })).toBeVisible();
  await expectNoOverflow(page, phoneWidth);

  await page.getByRole("heading", { level: 1 }).getByRole("link", { name: email }).click();
  const links = page.getByRole("region", { name: "Payment links" });
  await expect(links).toContainText("Reading club");
  await page
    .getByRole("region", { name: "Subscriptions" })
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(links).toContainText("No payment links.");
  await expect(page.getByRole("region", { name: "Open", exact: true })).toHaveCount(0);
});

/** Behind with its first period, for good; its calendar is far ahead, so that nothing falls due meanwhile. */
async function fallenBehind(staff: Staff, email: string): Promise<{ id: string; oldest: string }> {
  const id = await makeSubscription(staff, { email, status: "past_due", next_period: 120 });
  const failed_at = new Date("2026-01-31T00:00:00Z");
  const oldest = await makePeriod(staff, id, { email, failed_at, failure: "card_declined", attempt_count: 5 });
  return { id, oldest: oldest.id };
}

const secondMonth = {
  period_index: 1,
  period_start: new Date("2026-02-27T23:00:00Z"),
  period_end: new Date("2026-03-30T22:00:00Z"),
};

test("waiving a period continues with the next one or reactivates the subscription, and says so", async ({ page }) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  await plantIn(page.context(), staff);
  await saveCard(staff, "reader@example.com", "4242424242424242");
  const statusOf = async (id: string) => (await db.paymentLink.findUniqueOrThrow({ where: { id } })).status;
  const states = async (id: string) => (await db.subscription.findUniqueOrThrow({ where: { id } })).status;

  const first = await fallenBehind(staff, "reader@example.com");
  const next = await makePeriod(staff, first.id, secondMonth);
  await page.goto(`/payment-links/${first.oldest}`);
  const waive = await askPeriod(page, "Deactivate");
  await expect(waive).toContainText("the period is waived, and no card is charged for it.");
  await expect(waive).toContainText("If no other period has failed, the subscription is active again");
  await expect(waive).toContainText("The next unpaid period is charged to Visa ending in 4242 (12/40) now.");
  await waive.getByRole("button", { name: "Deactivate" }).click();
  await expect.poll(() => statusOf(next.id)).toBe("Paid");
  expect([await statusOf(first.oldest), await states(first.id)]).toEqual(["Inactive", "active"]);

  const second = await fallenBehind(staff, "reader@example.com");
  const closed = await makePeriod(staff, second.id, { ...secondMonth, status: "Inactive" });
  await page.goto(`/payment-links/${closed.id}`);
  const open = await askPeriod(page, "Activate");
  await expect(open).toContainText(
    "Visa ending in 4242 (12/40) is charged now for the oldest unpaid period, then for this one.",
  );
  await open.getByRole("button", { name: "Activate and charge", exact: true }).click();
  await expect(page.getByText("Paid. It can’t be paid again.")).toBeVisible();
  expect(await statusOf(second.oldest)).toBe("Paid");

  const third = await fallenBehind(staff, "ada@example.com");
  await page.goto(`/payment-links/${third.oldest}`);
  const remove = await askPeriod(page, "Delete");
  await expect(remove).toContainText("The subscription then owes nothing and is active again.");
  await remove.getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/\/payment-links$/);
  await page.goto(`/subscriptions/${third.id}`);
  await expect(page.getByRole("main").getByText("Active", { exact: true }).first()).toBeVisible();
});

test("filters by status, words and package, and keeps the filters in the address", async ({ page }) => {
  const staff = await makeStaff();
  const club = await makePackage(staff);
  const plan = await makePackage(staff, { name: "Coffee plan" });
  const add = (package_id: string, email: string, status: string) =>
    db.subscription.create({
      data: {
        id: newId("sub"),
        business_id: staff.businessId,
        livemode: false,
        package_id,
        email,
        status,
        anchor: "2026-01-31T00:00:00",
        timezone: "Europe/Berlin",
      },
    });
  await add(club, "ada@example.com", "unpaid");
  await add(club, "grace@example.com", "paused");
  await add(plan, "ada@example.com", "completed");
  await openAs(page, staff, "/subscriptions");
  const rows = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(rows).toHaveCount(3);
  await page.getByRole("combobox", { name: "Package" }).selectOption("Reading club");
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Unpaid" }).click();
  await expect(rows).toHaveText([/ada@example.com/]);
  await page.getByRole("searchbox").fill("grace");
  await expect(
    page.getByText(/No subscription has the status Unpaid, the package Reading club and “grace”/),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("grace");
  await expect(page.getByRole("link", { name: "Subscriptions of grace@example.com" })).toHaveAttribute(
    "href",
    "/subscriptions?email=grace%40example.com",
  );
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(3);
});

test("says that the saved card expires before the next charge, and keeps an open period's payer and currency", async ({
  page,
}) => {
  const staff = await makeStaff();
  const [soon, later] = [40, 80].map((days) => new Date(Date.now() + days * 86_400_000)) as [Date, Date];
  const thisMonth = { card_exp_month: new Date().getUTCMonth() + 1, card_exp_year: new Date().getUTCFullYear() };
  const due = async (next_charge_at: Date, over: object) => {
    const email = `${newId("cus")}@example.com`;
    await makeTokenization(staff, { ...saved, ...over, email });
    return makeSubscription(staff, { email, next_charge_at, current_period_end: next_charge_at });
  };
  await openAs(page, staff, `/subscriptions/${await due(soon, thisMonth)}`);
  await expect(page.getByText("The card will have expired by then. Request another card.")).toBeVisible();
  await page.goto(`/subscriptions/${await due(later, {})}`);
  await expect(page.getByText(`Charges €15.00 on ${berlin.format(later)} to Visa`)).toBeVisible();
  await expect(page.getByText("The card will have expired by then.")).toHaveCount(0);

  const { id } = await makePeriod(staff, await makeSubscription(staff));
  await page.goto(`/payment-links/${id}`);
  await page.getByRole("button", { name: "Actions for Reading club" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit payment link" });
  for (const name of ["Payer’s e-mail", "Currency"]) await expect(sheet.getByLabel(name)).not.toBeEditable();
  await sheet.getByLabel("Title").fill("Reading club, with a discount");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet).toHaveCount(0);
  expect(await db.paymentLink.findUnique({ where: { id } })).toMatchObject({
    ...{ title: "Reading club, with a discount", currency: "EUR", email: "reader@example.com" },
  });
});

test("a viewer sees the subscriptions without actions and without the test clock", async ({ page }) => {
  const staff = await makeStaff("viewer");
  await makePackage(staff);
  await openAs(page, staff, "/subscriptions");
  await expect(page.getByRole("heading", { name: "No subscriptions yet" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create subscription" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Test mode" })).toHaveCount(0);
});

test("the test clock advances by steps, and explains why it does not go back", async ({ page }) => {
  await openAs(page, await makeStaff());
  await page.getByRole("button", { name: "Test mode" }).click();
  const clock = page.getByRole("dialog", { name: "Test clock", exact: true });
  await clock.getByRole("button", { name: "Advance by 1 week" }).click();
  const week = berlin.format(new Date(Date.now() + 7 * 86_400_000));
  await expect(page.getByRole("banner")).toContainText(`Test clock: ${week}`);
  await clock.getByLabel("Advance to", { exact: true }).fill("2020-01-31T00:00");
  await clock.getByRole("button", { name: "Advance", exact: true }).click();
  await expect(clock.getByLabel("Advance to", { exact: true })).toHaveAccessibleDescription(
    "The time must be later than what the clock shows.",
  );
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Advance the test clock" }).click();
  await expect(clock).toBeVisible();
});

test("shows the test clock's progress, and reloads the data when it has arrived", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/packages");
  await expect(page.getByRole("heading", { name: "No packages yet" })).toBeVisible();
  // A clock that is half way, however fast it would be.
  const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  const halfway = { _id: "test_clock", livemode: false, created_at: at(0), updated_at: at(0), status: "advancing" };
  const target = at(60);
  let advanced = false;
  await page.route("**/api/test-clock", (route) => {
    const reads = route.request().method() === "GET";
    if (reads && !advanced) return route.continue();
    advanced = true;
    return route.fulfill({
      json: { success: true, data: { ...halfway, now: at(reads ? 30 : 0), advancing_to: target } },
    });
  });
  await page.getByRole("button", { name: "Test mode" }).click();
  await page.getByRole("button", { name: "Advance by 1 month" }).click();
  await expect(page.getByRole("banner")).toContainText(`Test clock: advancing to ${berlin.format(new Date(target))}`);
  await expect(page.getByRole("banner").getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
  await expect(page.getByRole("button", { name: "Advancing" })).toHaveAttribute("aria-disabled", "true");
  await expectNoViolations(page);
  await makePackage(staff);
  await page.unroute("**/api/test-clock");
  await expect(page.getByRole("rowheader", { name: "Reading club" })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
});

test("long texts fit on a phone and a desktop, and axe finds no violations in dialogs in either colour scheme", async ({
  page,
}) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  await makePackage(staff, { name: "W".repeat(50) });
  const check = () => expectAccessibleAtBothWidths(page);
  const fits = () => expectNoOverflow(page, phoneWidth, 1280);
  await openAs(page, staff, "/subscriptions");
  await page.getByRole("button", { name: "Create subscription" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create subscription" });
  await sheet.getByRole("button", { name: "Create subscription" }).click();
  await expect(sheet.getByText("Enter an e-mail address, such as anna@example.com.")).toBeVisible();
  await check();
  await sheet.getByLabel("Customer’s e-mail").fill(`${"long.".repeat(10)}address@example.com`);
  await sheet.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^long\..*address@example\.com$/ })).toBeVisible();
  await expect(page.getByText("Waiting for the payer: no saved card.")).toBeVisible();
  const path = new URL(page.url()).pathname;
  await advanceBy(page, "1 week");
  await fits();
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Cancel now" })).toBeVisible();
  await check();
  await page.getByRole("menuitem", { name: "Cancel now" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await check();
  await page.goto("/subscriptions");
  await expect(page.getByRole("link", { name: /long/ })).toHaveAttribute("href", path);
  await fits();
});

async function advanceBy(page: Page, step: string): Promise<void> {
  await page.getByRole("button", { name: "Test mode" }).click();
  await page.getByRole("button", { name: `Advance by ${step}` }).click();
  await expect(page.getByText(/^Test clock: \d/)).toBeVisible();
  await expectAccessibleAtBothWidths(page);
  await page.keyboard.press("Escape");
}
