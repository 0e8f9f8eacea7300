import { expect, type Page } from "@playwright/test";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { exampleOf } from "@/lib/resources/events/examples";
import { expectNoViolations } from "@/tests/support/axe";
import { saveCardAt } from "@/tests/support/checkout";
import { countInput } from "@/tests/support/counted";
import { makeEndpoint, makeFailedDelivery, makePeriod, makeSubscription } from "@/tests/support/form-rows";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeAttempt, makePaidLink } from "@/tests/support/money-rows";
import { makeTokenization } from "@/tests/support/package-rows";
import { makeLink, makeStaff, openAs, test } from "@/tests/support/staff";

/** How many keys and clicks the commonest tasks take. To create and send a link: create.spec.ts. From the overview: overview.spec.ts. */

const mostKeys = 8;
const mostClicks = 2;

const palette = (page: Page) => page.getByRole("combobox", { name: "Search or create" });

test(`a payment is found by its card, its amount or its payer with at most ${mostKeys} keys`, async ({ page }) => {
  const staff = await makeStaff();
  const paid = { title: "Oak table", email: "anna.berg@example.com", amount_cents: 6420 };
  const { id: payment_link_id } = await makePaidLink(staff, paid);
  const { id } = await db.payment.findFirstOrThrow({ where: { payment_link_id } });
  await makeLink(staff.businessId, { title: "Ash bench", email: "zoe@example.com", amount_cents: 1250 });
  await openAs(page, staff, "/customers");
  for (const [text, further] of [
    ["4242", []], // the last four digits of the card
    ["64.20", []],
    // The customer is found first, then the payment.
    ["berg", ["ArrowDown"]],
  ] as const) {
    const counted = await countInput(page);
    await page.keyboard.press("/");
    await expect(palette(page)).toBeFocused();
    await page.keyboard.type(text);
    await expect(page.getByRole("option", { name: "Oak table" }).first()).toBeVisible();
    for (const key of further) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/payments/${id}$`));
    expect(await counted(), text).toEqual({ clicks: 0, keys: 1 + text.length + further.length + 1 });
    expect((await counted()).keys, text).toBeLessThanOrEqual(mostKeys);
    await page.goBack();
    await expect(page).toHaveURL(/\/customers$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test(`a failed subscription is charged from its page with ${mostClicks} clicks`, async ({ page }) => {
  const staff = await makeStaff();
  // Before the subscription owes: saving a card would charge the period.
  const cards: string[] = [];
  for (const number of ["4000000000009995", "5555555555554444", "4242424242424242"]) {
    const { id, token } = await makeTokenization(staff, { email: "reader@example.com", title: "Card" });
    await saveCardAt(`/activate/${token}`, number);
    cards.push(id);
  }
  const id = await makeSubscription(staff, { status: "past_due", next_period: 120 }); // far ahead: nothing falls due
  const period = await makePeriod(staff, id, { attempt_count: 1 });
  // Staff have chosen the oldest card: the newest has not been tried.
  await makeAttempt(period, { status: "failed", reason: "insufficient_funds", tokenization_id: cards[0] ?? null });
  await openAs(page, staff, `/subscriptions/${id}`);
  const counted = await countInput(page);
  await page.getByRole("button", { name: "Charge saved card" }).click();
  const question = page.getByRole("alertdialog", { name: "Charge €15.00 now?" });
  await expect(question).toContainText("Visa ending in 4242 (12/40) of reader@example.com is charged");
  await expect(question.getByRole("status")).toBeEmpty();
  await question.getByRole("button", { name: "Charge €15.00" }).click();
  await expect(page.getByText("Paid: €15.00").first()).toBeVisible();
  expect((await counted()).clicks).toBe(mostClicks);
  await expect(page.getByRole("button", { name: "Charge saved card" })).toHaveCount(0);
  expect(await db.paymentLink.findUnique({ where: { id: period.id } })).toMatchObject({ status: "Paid" });
  await expectNoOverflow(page, phoneWidth);
});

test(`a failed delivery is redelivered from its endpoint's page with ${mostClicks} clicks`, async ({ page }) => {
  const staff = await makeStaff();
  const { data } = exampleOf("package.created");
  await transaction(db, (tx) =>
    record(tx, { businessId: staff.businessId, livemode: false }, [
      { type: "package.created", data: { ...data, _id: newId("pkg") } as never },
    ]),
  );
  const { id: event_id } = await db.event.findFirstOrThrow({ where: { business_id: staff.businessId } });
  const endpoint_id = await makeEndpoint(staff); // only now, so that nothing is on its way to it
  const id = await makeFailedDelivery(staff, endpoint_id, { event_id });
  await openAs(page, staff, `/developers/webhooks/${endpoint_id}`);
  const counted = await countInput(page);
  await page.getByRole("button", { name: "package.created" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Redeliver" }).click();
  await expect(page.getByText("Redelivery queued").first()).toBeVisible();
  expect((await counted()).clicks).toBe(mostClicks);
  expect(await db.webhookDelivery.findUnique({ where: { id } })).not.toMatchObject({ status: "failed" });
});

test("a first subscription leads to its package, and a card is requested by a link", async ({ page }) => {
  const staff = await makeStaff();
  await makeLink(staff.businessId, { email: "zoe@example.com" });
  await openAs(page, staff, "/subscriptions");
  await page.getByRole("button", { name: "Create subscription" }).first().click();
  await page.getByRole("dialog").getByRole("link", { name: "Create package" }).click();
  const sheet = page.getByRole("dialog", { name: "Create package" });
  await expect(sheet.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expectNoViolations(page);
  await page.goto("/customers/zoe%40example.com");
  await page.getByRole("button", { name: "Request a card" }).click();
  const request = page.getByRole("dialog", { name: "Request a card" });
  const payer = request.getByLabel("Payer’s e-mail");
  await expect(payer).toHaveValue("zoe@example.com");
  await payer.fill("zo");
  await expect(page.locator("datalist option")).toHaveAttribute("value", "zoe@example.com");
  await payer.fill("zoe@example.com");
  await expect(request.getByRole("textbox", { name: "Title" })).toHaveValue("Card for your payments");
  await request.getByRole("button", { name: "Create activation link" }).click();
  await expect(request.getByText("Activation link ready")).toBeVisible();
  await expectNoViolations(page);
});
