import { expect, type Page } from "@playwright/test";
import { createApiKey } from "@/lib/auth/keys";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { newSecret } from "@/lib/outbox/webhooks/sign";
import { exampleOf } from "@/lib/resources/events/examples";
import { maxEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { expectAccessibleAtBothWidths, expectNoViolations } from "@/tests/support/axe";
import { slowDoubleClick } from "@/tests/support/clicks";
import { gate } from "@/tests/support/gate";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { startReceiver, until } from "@/tests/support/receiver";
import { openPageOf } from "@/tests/support/rows";
import { makeStaff, openAs, type Staff, test } from "@/tests/support/staff";
import { createLinkEvent } from "@/tests/support/webhooks";

const keyOf = async ({ businessId }: Staff) => createApiKey({ businessId, livemode: false, name: "shop" });

test("creates an endpoint, receives a sample and an event, and redelivers a failed delivery", async ({
  page,
  context,
}) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  const receiver = await startReceiver();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openAs(page, staff);
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { name: "No webhook endpoints yet" })).toBeVisible();
  await page.getByRole("button", { name: "Create webhook endpoint" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create webhook endpoint" });
  await sheet.getByLabel("URL").fill("http://shop.example.com/hook");
  await sheet.getByLabel("Events").selectOption("Selected types");
  await sheet.getByRole("button", { name: "Create webhook endpoint" }).click();
  await expect(sheet.getByText("Choose at least one event type.")).toBeVisible();
  await sheet.getByRole("checkbox", { name: /^payment_link\.created/ }).check();
  await sheet.getByRole("checkbox", { name: /^payment_link\.paid/ }).check();
  await sheet.getByRole("button", { name: "Create webhook endpoint" }).click();
  await expect(sheet.getByLabel("URL")).toHaveAccessibleDescription(/^Enter an https address/);
  await sheet.getByLabel("URL").fill(receiver.url);
  await sheet.getByRole("button", { name: "Create webhook endpoint" }).dblclick();
  await expect(sheet.getByRole("heading", { name: "Endpoint ready" })).toBeFocused();
  await sheet.getByRole("button", { name: "Copy secret" }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await sheet.getByRole("button", { name: "Done" }).click();
  expect(await db.webhookEndpoint.count({ where: { business_id: staff.businessId } })).toBe(1);

  const row = page.getByRole("row", { name: new RegExp(receiver.url) });
  await expect(row).toContainText("2 event types");
  await openPageOf(row);
  await page.getByRole("button", { name: "Send test event" }).click();
  const sample = page.getByRole("dialog", { name: "Send test event" });
  await sample.getByLabel("Type").selectOption("subscription.renewed");
  await sample.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByRole("row", { name: /subscription.renewed \(sample\)/ })).toContainText("Delivered");
  expect(receiver.verify(secret, await until("the sample", () => receiver.received[0]))).toMatchObject({
    sample: true,
  });

  receiver.answer = (_, response) => response.writeHead(500).end("The shop is closed.");
  const key = await keyOf(staff);
  await createLinkEvent(key, "Order 1002");
  const failed = page.getByRole("row", { name: /payment_link.created/ });
  await expect(failed).toContainText("500");
  await expect(page.getByText("Failing", { exact: true })).toBeVisible();
  receiver.answer = (_, response) => response.end("Thank you.");
  await failed.getByRole("button", { name: "payment_link.created" }).click();
  const delivery = page.getByRole("dialog", { name: "Delivery" });
  await expect(delivery.getByText("The shop is closed.")).toBeVisible();
  const message = receiver.received.at(-1);
  await expect(delivery.getByLabel("Headers", { exact: true })).toContainText(
    `webhook-id: ${message?.headers["webhook-id"]}`,
  );
  expect(JSON.parse(await delivery.getByLabel("Payload", { exact: true }).innerText())).toEqual(
    JSON.parse(message?.body ?? ""),
  );
  await expectNoViolations(page);
  let redelivered = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/redeliver")) redelivered++;
  });
  // The second half of the double click comes after the answer to the first.
  const redeliver = delivery.getByRole("button", { name: "Redeliver" });
  await redeliver.dblclick({ delay: 60 });
  const toast = page.getByRole("listitem").filter({ hasText: "Redelivery queued" });
  const toastBottom = await toast.evaluate((shown) => shown.getBoundingClientRect().bottom);
  expect(toastBottom).toBeLessThan(await redeliver.evaluate((button) => button.getBoundingClientRect().top));
  await expect(page.getByText("1 event delivered")).toBeVisible();
  // Once more if the first retry was due meanwhile.
  await expect(delivery.getByText("Thank you.").first()).toBeVisible();
  await expect(delivery.getByText("Delivered", { exact: true })).toBeVisible();
  expect(redelivered).toBe(1);
  await delivery.getByRole("link", { name: "View event" }).click();
  await expect(page.getByRole("heading", { name: "payment_link.created", exact: true, level: 1 })).toBeVisible();
  await expect(page.getByLabel("Event as JSON")).toContainText('"title": "Order 1002"');
  const event = page.url();
  const delivered = page.getByRole("region", { name: "Deliveries" });
  await expect(delivered.getByRole("listitem")).toHaveCount(1);
  await expect(delivered).toContainText("Delivered");
  await delivered.getByRole("button", { name: receiver.url }).click();
  await expect(delivery.getByText("The shop is closed.")).toBeVisible();
  await delivery.getByRole("link", { name: "View endpoint" }).click();
  await expect(page.getByRole("heading", { name: receiver.url, level: 1 })).toBeVisible();
  await page.goto(event);
  await page.getByRole("link", { name: "All events of this resource" }).click();
  await expect(page).toHaveURL(/\/developers\/events\?resource_id=pl_/);
  await page.getByRole("link", { name: "payment_link.created" }).click();
  await page.getByRole("link", { name: /^pl_/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Order 1002");
  await page.getByRole("link", { name: "Events", exact: true }).first().click();
  await page.getByLabel("Event type").selectOption("payment_link.paid");
  await expect(page.getByText("No event has the type payment_link.paid.")).toBeVisible();
  await receiver.stop();
});

const more = async (page: Page, item: string) => {
  await page.getByRole("button", { name: "Actions for this endpoint" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("edits, rotates, disables, enables and deletes an endpoint; a viewer can only view it", async ({
  page,
  browser,
}) => {
  const staff = await makeStaff();
  const id = await makeEndpoint(staff, { url: "https://hooks.invalid/first" });
  await openAs(page, staff, `/developers/webhooks/${id}`);
  await more(page, "Edit");
  const edit = page.getByRole("dialog", { name: "Edit endpoint" });
  await edit.getByLabel("URL").fill("https://hooks.invalid/second");
  await edit.getByLabel("Description").fill("The shop");
  await edit.getByRole("button", { name: "Save endpoint" }).click();
  await expect(page.getByRole("heading", { name: "https://hooks.invalid/second" })).toBeVisible();
  await more(page, "Rotate secret");
  const rotate = page.getByRole("dialog", { name: "Rotate secret" });
  const kept = page.getByRole("alertdialog", { name: "Have you saved it?" });
  const { opened: held, open: answer } = gate();
  await page.route(/rotate/, async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await rotate.getByRole("button", { name: "Rotate secret" }).click();
  await page.keyboard.press("Escape"); // what is on its way would be lost
  await expect(kept).toBeVisible();
  answer();
  await expect(kept).toHaveCount(0);
  await page.unrouteAll({ behavior: "wait" });
  await expect(rotate.getByText(/^whsec_/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(kept).toBeVisible();
  await page.getByRole("button", { name: "Stay here" }).click();
  await expect(rotate.getByText(/^whsec_/)).toBeVisible();
  await rotate.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Rotated. The old secret also signs until")).toBeVisible();
  await more(page, "Disable");
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("Disabled by a member.")).toBeVisible();
  await slowDoubleClick(page.getByRole("button", { name: "Enable" }));
  await expect(page.getByText("Enabled", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toBeEnabled();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await more(page, "Redeliver failed events");
  await page.getByRole("dialog").getByRole("button", { name: "Redeliver" }).click();
  await expect(page.getByText("Nothing to redeliver")).toBeVisible();

  const viewer = await makeStaff("viewer");
  const theirs = await makeEndpoint(viewer, { url: "https://hooks.invalid/theirs" });
  const other = await browser.newPage({ extraHTTPHeaders: { "X-Forwarded-For": "10.9.8.7" } });
  await openAs(other, viewer, `/developers/webhooks/${theirs}`);
  await expect(other.getByRole("heading", { name: "https://hooks.invalid/theirs" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Actions for this endpoint" })).toHaveCount(0);
  await other.goto(`/developers/webhooks/${id}`);
  await expect(other.getByRole("heading", { name: "This endpoint does not exist" })).toBeVisible();
  await other.close();

  await more(page, "Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No webhook endpoints yet" })).toBeVisible();
});

test("the limit of endpoints is told, also where only the failing ones are listed", async ({ page }) => {
  const staff = await makeStaff();
  for (let n = 0; n < maxEndpoints; n++) await makeEndpoint(staff, { url: `https://hooks.invalid/${n}` });
  await openAs(page, staff, "/developers/webhooks?failing=true");
  await expect(page.getByText("No results")).toBeVisible();
  await expect(page.getByText(`Limit of ${maxEndpoints} endpoints reached`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Create webhook endpoint" })).toHaveCount(0);
});

async function makeEndpoint({ businessId: business_id }: Staff, over: object): Promise<string> {
  const id = newId("whe");
  const { sealed: secret } = newSecret(id);
  const row = { id, business_id, livemode: false, url: "https://hooks.invalid/", events: ["package.deleted"], secret };
  await db.webhookEndpoint.create({ data: { ...row, ...over } });
  return id;
}

/** An endpoint with deliveries in every state. */
async function populate(staff: Staff): Promise<{ endpoint: string; event: string }> {
  const url = `https://${"shop.".repeat(12)}example.com/webhooks/paydesk`;
  const endpoint = await makeEndpoint(staff, {
    url,
    description: "The shop’s orders ".repeat(5),
    failing_since: new Date(),
  });
  await makeEndpoint(staff, { status: "disabled", disabled_reason: "gone", url: "https://hooks.invalid/gone" });
  const tenant = { business_id: staff.businessId, livemode: false };
  const { data } = exampleOf("package.created");
  await transaction(db, (tx) =>
    record(tx, { businessId: staff.businessId, livemode: false }, [
      { type: "package.created", data: { ...data, _id: newId("pkg") } as never },
    ]),
  );
  const event = await db.event.findFirstOrThrow({ where: { business_id: staff.businessId } });
  // Only now, so that nothing is on its way to it.
  await makeEndpoint(staff, { events: ["*"] });
  for (const status of ["succeeded", "failed", "pending"]) {
    const id = newId("whd");
    const next_attempt_at = status === "pending" ? new Date(Date.now() + 3_600_000) : null;
    const event_id = status === "pending" ? event.id : null;
    await db.webhookDelivery.create({
      data: {
        ...tenant,
        id,
        endpoint_id: endpoint,
        event_id,
        type: "subscription.renewal_upcoming",
        status,
        next_attempt_at,
        attempt_count: 2,
      },
    });
    const answer = { delivery_id: id, response: "<html>".repeat(200) };
    await db.webhookAttempt.create({ data: { ...answer, id: newId("wha"), status: 503, latency_ms: 48 } });
    const error = "There was no complete answer within 15 seconds.";
    await db.webhookAttempt.create({ data: { delivery_id: id, id: newId("wha"), error, latency_ms: 15_004 } });
  }
  return { endpoint, event: event.id };
}

test("long texts fit on a phone and a desktop, and axe finds no violations in dialogs in either colour scheme", async ({
  page,
}) => {
  test.setTimeout(90_000);
  const staff = await makeStaff();
  const { endpoint, event } = await populate(staff);
  const check = () => expectAccessibleAtBothWidths(page);
  const fits = () => expectNoOverflow(page, phoneWidth, 1280);
  await openAs(page, staff, "/developers/webhooks");
  await expect(page.getByText("Failing")).toBeVisible();
  await fits();
  await page.getByRole("button", { name: "Create webhook endpoint" }).click();
  await page.getByLabel("Events").selectOption("Selected types");
  await page.getByRole("dialog").getByRole("button", { name: "Create webhook endpoint" }).click();
  await expect(page.getByText("Enter an https address, such as https://shop.example/hooks.")).toBeVisible();
  await check();
  await page.goto(`/developers/webhooks/${endpoint}`);
  await expect(page.getByText("All deliveries have failed since")).toBeVisible();
  await expect(page.getByRole("button", { name: /subscription.renewal_upcoming/ })).toHaveCount(3);
  // The pending one has failed before.
  for (const state of ["Delivered", "Failed", "Retrying"])
    await expect(page.getByRole("row").getByText(state, { exact: true })).toHaveCount(1);
  await fits();
  await page
    .getByRole("button", { name: /subscription.renewal_upcoming/ })
    .first()
    .click();
  await expect(page.getByText("503 in 48 ms")).toBeVisible();
  await check();
  await page.keyboard.press("Escape");
  await more(page, "Rotate secret");
  await check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for this endpoint" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await check();
  await page.goto("/developers/events");
  await expect(page.getByText("package.created").last()).toBeVisible();
  await fits();
  await page.goto(`/developers/events/${event}`);
  await expect(page.getByText("Payload")).toBeVisible();
  await fits();
});
