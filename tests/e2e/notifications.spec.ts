import { type APIResponse, expect, type Page } from "@playwright/test";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { exampleOf } from "@/lib/resources/events/examples";
import type { EventType, Happening } from "@/lib/resources/events/types";
import { expectNoViolations } from "@/tests/support/axe";
import { gate } from "@/tests/support/gate";
import { expectNoOverflow, phoneWidth } from "@/tests/support/layout";
import { makeStaff, openAs, test } from "@/tests/support/staff";

async function happen(businessId: number, type: EventType): Promise<void> {
  const [prefix] = exampleOf(type).resource_id.split("_");
  const event = { type, data: { ...exampleOf(type).data, _id: newId(prefix as "pay") } } as Happening;
  await transaction(db, (tx) => record(tx, { businessId, livemode: false }, [event]));
}

/** Screenshots to look at, when SHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Holds the response to the read of the bell that `begin` causes. @returns lets it arrive */
async function holdRead(page: Page, begin: () => Promise<void>): Promise<() => Promise<void>> {
  let response: APIResponse | undefined;
  const { opened: held, open: release } = gate();
  await page.route("**/api/notifications", async (route) => {
    response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await begin();
  await expect.poll(() => response?.status()).toBe(200);
  return async () => {
    release();
    await page.evaluate(() => fetch("/api/notifications").then((later) => later.text())); // arrives after the held one
  };
}

const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });

test("the bell: empty, its settings, unread, on a phone, read one by one and all at once", async ({ page }) => {
  test.slow();
  const staff = await makeStaff();
  await openAs(page, staff);
  await bell(page).click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await expect(panel.getByText("No notifications")).toBeVisible();
  await expectNoViolations(page, "the empty panel");
  await shoot(page, "empty");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(bell(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await panel.getByRole("link", { name: "Notification settings" }).click();

  const settings = page.getByRole("form", { name: "Choose notifications" });
  await expect(settings.getByRole("checkbox", { name: "Dispute opened: by e-mail" })).toBeChecked();
  for (const kind of ["Payment received", "Payment failed", "Dispute opened"])
    await settings.getByRole("checkbox", { name: `${kind}: in the bell` }).check();
  await settings.getByRole("checkbox", { name: /^Daily digest/ }).check();
  await expectNoViolations(page, "the settings");
  await shoot(page, "settings");
  await expectNoOverflow(page, phoneWidth, 390, 1280);
  await settings.getByRole("button", { name: "Save notifications" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  for (const type of ["payment.succeeded", "payment.failed", "dispute.created", "payout.paid"] as const)
    await happen(staff.businessId, type);
  await page.reload();
  await expect(page.getByRole("button", { name: "Notifications, 3 unread" })).toBeVisible();
  await expect(page.getByText("3 unread notifications")).toHaveAttribute("aria-live", "polite");
  await expect(settings.getByRole("checkbox", { name: /^Daily digest/ })).toBeChecked();

  await bell(page).click();
  await expect(panel.getByRole("listitem")).toHaveText([/Disputed: €10\.50/, /Payment of €10\.50 failed/, /succeeded/]);
  await expectNoViolations(page, "the panel");
  await shoot(page, "panel");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await page.setViewportSize({ width: phoneWidth, height: 740 });
  await bell(page).click();
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await expectNoViolations(page, "the panel on a phone");
  await expectNoOverflow(page);
  await shoot(page, "phone");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  const release = await holdRead(page, () => settings.getByRole("button", { name: "Save notifications" }).click());
  await bell(page).click();
  await panel.getByRole("button", { name: /^Mark as read: Disputed/ }).click();
  await expect(page.getByRole("button", { name: "Notifications, 2 unread" })).toBeVisible();
  await release();
  await expect(page.getByRole("button", { name: "Notifications, 2 unread" })).toBeVisible();
  await expect(panel.getByRole("region", { name: "Latest notifications" })).toBeFocused();
  await panel.getByRole("link", { name: /Payment of €10\.50 failed/ }).click();
  await expect(page).toHaveURL(/\/payments\/pay_/);
  await expect(page.getByRole("button", { name: "Notifications, 1 unread" })).toBeVisible();
  await bell(page).click();
  await panel.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
  await expect(panel.getByRole("button", { name: /Mark/ })).toHaveCount(0);
});
