import { expect, type Locator, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { expectAccessibleAtBothWidths } from "@/tests/support/axe";
import { baseUrl } from "@/tests/support/http";
import { png } from "@/tests/support/images";
import { makeLink, makeStaff, openAs, otherBrowser, plantIn, test } from "@/tests/support/staff";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Saves a section. Its toast alone would not tell: that of an earlier save may still be there. */
async function save(page: Page, part: Locator): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await part.getByRole("button", { name: "Save", exact: true }).click();
  expect((await answered).status()).toBe(200);
  await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
}

test("an owner changes name, colour, logo and dunning, and sees them on the pay page, in a mail and in the audit log", async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const staff = await makeStaff();
  await openAs(page, staff);
  await page.getByRole("link", { name: "Settings" }).click();

  const profile = section(page, "Profile");
  await profile.getByLabel("Name").fill("");
  await profile.getByLabel("Support e-mail").fill("help@harbour");
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(profile.getByText("Enter a name.")).toBeVisible();
  await expect(profile.getByText("Enter an e-mail address, such as anna@example.com.")).toBeVisible();
  await expect(profile.getByLabel("Name")).toBeFocused();
  await profile.getByLabel("Name").fill("Harbour Books");
  await profile.getByLabel("Support e-mail").fill("help@harbour.example");
  // Nothing that was typed is lost when the server cannot be reached.
  await page.route("**/api/settings", (route) => route.abort());
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(profile.getByRole("alert")).toContainText("could not be reached");
  await expect(profile.getByLabel("Name")).toHaveValue("Harbour Books");
  await page.unroute("**/api/settings");
  await save(page, profile);
  await expect(profile.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText("Harbour Books").first()).toBeVisible();

  const branding = section(page, "Branding");
  const colour = branding.getByPlaceholder("Default");
  const file = (name: string, mimeType: string, buffer: Buffer) =>
    branding.getByLabel("Logo file").setInputFiles({ name, mimeType, buffer });
  await file("logo.png", "image/png", png({ width: 120, height: 60 }));
  await branding.getByRole("button", { name: "Save logo" }).click();
  await expect(branding.getByRole("img", { name: "Your logo" })).toBeVisible();
  await colour.fill("orange");
  await branding.getByRole("button", { name: "Save" }).click();
  await expect(branding.getByText("must be a colour such as #1d4ed8")).toBeVisible();
  await colour.fill("#d95f02");
  await expect(branding.getByText(/Black text on it has a contrast of/)).toBeVisible();
  await branding.getByLabel("Thank-you text").fill("Your books leave our house tomorrow.");
  await save(page, branding);
  const preview = page.frameLocator("iframe");
  await expect(preview.getByText("Harbour Books", { exact: true })).toBeVisible();
  await expect(preview.locator("img.logo")).toHaveJSProperty("complete", true);
  expect(await preview.locator("button.button").evaluate((button) => getComputedStyle(button).backgroundColor)).toBe(
    "rgb(217, 95, 2)",
  );
  await page.reload(); // by its address, too
  await expect(preview.getByText("Harbour Books", { exact: true })).toBeVisible();

  const dunning = section(page, "Payments and dunning");
  await dunning.getByLabel("Retry a failed charge after").fill("7, 3");
  await dunning.getByRole("button", { name: "Save" }).click();
  await expect(dunning.getByText("Up to ten whole days from 1 to 365")).toBeVisible();
  await dunning.getByLabel("Retry a failed charge after").fill("3, 7");
  await expect(dunning.getByLabel("After the last retry")).toHaveAccessibleDescription(/cancels at period end/);
  await dunning.getByLabel("After the last retry").selectOption("cancel");
  await save(page, dunning);
  expect(await db.business.findUniqueOrThrow({ where: { id: staff.businessId } })).toMatchObject({
    ...{ name: "Harbour Books", brand_colour: "#d95f02", dunning_days: [3, 7], dunning_end: "cancel" },
  });
  await expectAccessibleAtBothWidths(page, "settings-branded");

  // What a payer sees, in a browser that has nothing to do with it.
  const { id } = await makeLink(staff.businessId);
  const payer = await (await otherBrowser(browser)).newPage();
  await payer.goto(`${baseUrl()}/pay?id=${id}`);
  await expect(payer.getByText("Harbour Books", { exact: true })).toBeVisible();
  const logo = payer.locator("img.logo");
  await expect(logo).toBeVisible();
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120);
  await expect(payer.getByRole("link", { name: "help@harbour.example" })).toBeVisible();
  const button = payer.getByRole("button", { name: "Pay €10.50" });
  await expect(button).toHaveCSS("background-color", "rgb(217, 95, 2)");
  await expectAccessibleAtBothWidths(payer, "pay");
  await payer.getByLabel("Card number").fill("4242 4242 4242 4242");
  await payer.getByLabel("Expiry").fill("12/40");
  await payer.getByLabel("Security code").fill("123");
  await button.click();
  await expect(payer.getByText("Your books leave our house tomorrow.")).toBeVisible();
  await expectAccessibleAtBothWidths(payer, "thank-you");
  await payer.getByRole("link", { name: "Receipt" }).click();
  await expect(payer.locator("img.logo")).toBeVisible();
  await expectAccessibleAtBothWidths(payer, "receipt");

  await page.goto("/emails");
  await page
    .getByRole("link", { name: /Receipt/ })
    .first()
    .click();
  const mail = page.frameLocator("iframe[title^='E-mail']");
  await expect(mail.getByText("Your books leave our house tomorrow.")).toBeVisible();
  await expect.poll(() => mail.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/mail.png`, fullPage: true });

  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("heading", { name: "Audit log" })).toBeVisible();
  const changes = page.getByRole("button", { name: "Changed the settings" });
  await expect(changes).toHaveCount(3);
  await changes.first().click();
  const detail = page.getByRole("dialog");
  await expect(detail.getByRole("row", { name: "dunning_days" })).toContainText("2, 7, 14, 21");
  await expect(detail.getByRole("row", { name: "dunning_days" })).toContainText("3, 7");
  await expect(detail).toContainText(staff.email);
  await expectAccessibleAtBothWidths(page, "audit-detail");
  await detail.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("What").selectOption("session.signed_in");
  await expect(page.getByRole("button", { name: "Signed in" })).toHaveCount(1);
  await expect(changes).toHaveCount(0);
});

test("an owner connects a Stripe account, sees the error for a wrong key, and disconnects it", async ({ page }) => {
  const staff = await makeStaff();
  await openAs(page, staff, "/settings");
  const gateway = section(page, "Gateway");
  await expect(gateway.getByText("Payments go to the built-in sandbox")).toBeVisible();
  await gateway.getByLabel("Secret key").fill("sk_live_0123456789abcdef");
  await gateway.getByRole("button", { name: "Connect" }).click();
  await expect(gateway.getByText("This is a live key: it cannot take test payments.")).toBeVisible();
  await expect(gateway.getByLabel("Secret key")).toHaveValue("sk_live_0123456789abcdef");
  const key = process.env.TEST_STRIPE_KEY ?? "";
  await gateway.getByLabel("Secret key").fill(key);
  await gateway.getByRole("button", { name: "Connect" }).click();
  await expect(gateway.getByText(`…${key.slice(-4)}`)).toBeVisible();
  expect(await page.content()).not.toContain(key);
  await expectAccessibleAtBothWidths(page, "gateway");
  await gateway.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(gateway.getByText("Payments go to the built-in sandbox")).toBeVisible();
  await page.goto("/settings/audit-log");
  await expect(page.getByRole("button", { name: "Disconnected a gateway account" })).toBeVisible();
});

const goLive = (page: Page) => page.getByRole("button", { name: "Live", exact: true }).click();
const cannotBePaid = "Live links can’t be paid yet: no payment gateway is connected.";

test("live mode says that payments need a Stripe account, and links to the setting", async ({ page }) => {
  test.slow(); // three pages in two widths and both colours
  const staff = await makeStaff();
  await openAs(page, staff);
  await expect(page.getByText(cannotBePaid)).toHaveCount(0);
  await goLive(page);
  const bar = page.getByRole("banner").getByText(cannotBePaid);
  await expect(bar).toBeVisible();
  await page.getByRole("button", { name: "Create payment link" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create payment link" });
  await expect(sheet.getByText(cannotBePaid)).toBeVisible();
  await expect(sheet.getByRole("link", { name: "Connect Stripe" })).toBeVisible();
  await expectAccessibleAtBothWidths(page, "live-form");
  await sheet.getByRole("link", { name: "Connect Stripe" }).click();
  const gateway = section(page, "Gateway");
  await expect(gateway.getByLabel("Secret key")).toBeInViewport();
  await page.reload();
  await expect(gateway.getByLabel("Secret key")).toBeInViewport();

  await page.goto("/");
  const steps = section(page, "Your first live payment");
  await expect(steps.getByRole("listitem")).toHaveText([
    /^Connect Stripe/,
    /^Create a payment link/,
    /^Open it as a payer/,
    /^Get paid/,
  ]);
  await expect(page.getByText(/test mode|test card|4242/i)).toHaveCount(0);
  await expectAccessibleAtBothWidths(page, "live-overview");
  await steps.getByRole("link", { name: "Connect in settings" }).click();
  await expect(gateway.getByLabel("Secret key")).toBeInViewport();

  const id = newId("gwa");
  const row = { gateway: "stripe", external_id: `acct_${id.slice(4)}`, secrets: "", hint: "rk_live_0000…0000" };
  await db.gatewayAccount.create({ data: { id, business_id: staff.businessId, livemode: true, ...row } });
  await page.goto("/");
  await expect(steps.getByRole("listitem").first()).toHaveText(/^Connect Stripe: done/);
  await expect(bar).toHaveCount(0);
  // What the page says follows what is done on it.
  await page.goto("/settings");
  await gateway.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(bar).toBeVisible();
});

test("support can view settings, neither the gateway nor the audit log, and sees who connects Stripe", async ({
  page,
}) => {
  const staff = await makeStaff("support");
  await openAs(page, staff, "/settings");
  await expect(page.getByText("Your role can view settings but not change them.")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeDisabled();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expect(section(page, "Gateway")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  expect(await (await page.request.get("/settings/audit-log")).text()).toContain("Your role doesn’t allow this page.");

  await page.getByRole("link", { name: "Payment links", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "No payment links yet" })).toBeVisible();
  await goLive(page);
  const bar = page.getByRole("banner").getByText(cannotBePaid);
  await expect(bar).toContainText("Ask an owner or admin to connect Stripe.");
  await page.getByRole("button", { name: "Create payment link" }).first().click();
  await expect(page.getByRole("dialog").getByText(cannotBePaid)).toBeVisible();
  await page.goto("/");
  await expect(section(page, "Your first live payment")).toContainText("Ask an owner or admin to connect it.");
  await expect(page.getByRole("link", { name: /Stripe|settings/ })).toHaveCount(0);
  await expectAccessibleAtBothWidths(page, "live-support");
});

test("the first HTML of settings and account has the values, and forms that wait for hydration", async ({ page }) => {
  const staff = await makeStaff();
  await plantIn(page.context(), staff);
  const { name } = await db.business.findUniqueOrThrow({ where: { id: staff.businessId } });
  for (const [path, value] of [
    ["/settings", name],
    ["/account", staff.email],
  ] as const) {
    const html = await (await page.request.get(path)).text();
    const forms = html.slice(html.indexOf('<div inert=""'));
    expect(forms.length, path).toBeLessThan(html.length);
    expect(forms, path).toContain(`value="${value}"`);
    await page.goto(path);
    await expect(page.locator("[inert] form")).toHaveCount(0);
  }
});
