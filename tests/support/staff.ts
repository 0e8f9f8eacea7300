import { type Browser, type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { PaymentLink } from "@/lib/generated/prisma/client";
import { wallTime } from "@/lib/periods/calendar";
import { baseUrl } from "./http";
import { plantSession, testPassword, testPasswordHash } from "./session";

const octet = () => Math.floor(Math.random() * 254) + 1;

/** A random client address. Sign-ins are limited per address, and TRUST_PROXY=1 lets each test have its own. */
export const someAddress = () => `10.${octet()}.${octet()}.${octet()}`;

/**
 * `page.goto()` and `page.reload()` wait until a dashboard page takes keys and clicks, unless the test passes `waitUntil`. Of other pages, and of tabs
 * that a test opens itself, only the load event. Fails a test whose page has a script error, a policy violation or a hydration mismatch.
 */
export const test = base.extend<{ watched: undefined }>({
  watched: [
    async ({ context, page, javaScriptEnabled }, use) => {
      if (javaScriptEnabled !== false) waitInNavigations(page);
      const broken: string[] = [];
      await context.setExtraHTTPHeaders({ "X-Forwarded-For": someAddress() });
      page.on("pageerror", (error) => broken.push(error.message));
      page.on("console", (message) => {
        if (/Content Security Policy|hydrat/i.test(message.text())) broken.push(message.text());
      });
      await use(undefined);
      expect(broken, "script errors and policy violations").toEqual([]);
    },
    { auto: true },
  ],
});

export const password = testPassword;

export interface Staff {
  email: string;
  userId: string;
  businessId: number;
}

/** Creates a business with one member, for each test. */
export async function makeStaff(role = "owner"): Promise<Staff> {
  const business = await db.business.create({ data: { name: "Blue Bottle Books", timezone: "Europe/Berlin" } });
  const id = newId("usr");
  const email = `${id}@example.com`;
  const data = { id, email, name: "Ada Lovelace", email_verified_at: new Date() };
  await db.user.create({ data: { ...data, password_hash: await testPasswordHash() } });
  await db.membership.create({ data: { business_id: business.id, user_id: id, role } });
  return { email, userId: id, businessId: business.id };
}

/** Sets the business's time zone to one where the day is not the UTC day. @returns the day there */
export async function moveToAnotherDay({ businessId: id }: Staff): Promise<string> {
  const now = new Date();
  const timezone = now.getUTCHours() < 10 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
  await db.business.update({ where: { id }, data: { timezone } });
  return wallTime(now, timezone).slice(0, 10);
}

export function makeLink(businessId: number, over: Partial<PaymentLink> = {}): Promise<PaymentLink> {
  return db.paymentLink.create({
    data: {
      id: newId("pl"),
      business_id: businessId,
      livemode: false,
      email: "payer@example.com",
      currency: "EUR",
      amount_cents: 1050,
      title: "Order 1001",
      ...over,
    },
  });
}

export async function attempt(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Another browser with its own address. */
export const otherBrowser = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ extraHTTPHeaders: { "X-Forwarded-For": someAddress() } });

/** Adds a session of this person to a browser. */
export async function plantIn(context: BrowserContext, { userId, businessId }: Staff): Promise<void> {
  await context.addCookies([{ ...(await plantSession(userId, businessId)), url: baseUrl() }]);
}

/** The mode button in the header of the dashboard's pages. It is enabled once the page takes keys and clicks. */
const modeButton = (page: Page) => page.getByRole("button", { name: "Test", exact: true, includeHidden: true });

/** Waits until a dashboard page takes keys and clicks. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(modeButton(page).first()).toBeEnabled();
}

/** The scripts run after the load event, which these functions wait for. */
function waitInNavigations(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const waitForScripts = async () => {
    await expect(page.locator('script[type="after-paint"]')).toHaveCount(0);
    if ((await modeButton(page).count()) > 0) await expectHydrated(page);
  };
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (!options?.waitUntil) await waitForScripts();
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    if (!options?.waitUntil) await waitForScripts();
    return answer;
  };
}

/** Opens a dashboard page with a session of this person, and waits until it takes keys and clicks. */
export async function openAs(page: Page, staff: Staff, path = "/payment-links"): Promise<void> {
  await plantIn(page.context(), staff);
  await page.goto(path);
  await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0);
  await expectHydrated(page);
}
