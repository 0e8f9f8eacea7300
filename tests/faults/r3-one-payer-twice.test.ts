import type { Browser, Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/db";
import { createMerchant } from "../support/factory";
import { create } from "../support/samples";
import { fault, full, type Outcome } from "./fault";
import { openBrowser, openPhone } from "./phone";
import { type Rig, startRig } from "./rig";
import { sideBySide } from "./side-by-side";

let rig: Rig;
let browser: Browser;
beforeAll(async () => {
  rig = await startRig();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rig?.stop();
});

const quick = "4242424242424242";
/** Its reply takes four seconds: the payer has time to do everything twice. */
const slow = "4000000000005019";

/** What a payer does with a link's page, in a first and perhaps a second way. Gives the tabs that are left open. */
type Habit = (tab: Page, link: string, second: boolean) => Promise<Page[]>;

const payButton = (tab: Page) => tab.getByRole("button", { name: "Pay €10.50" });
const moment = (tab: Page) => tab.waitForTimeout(250);

async function fill(tab: Page, number: string): Promise<void> {
  await tab.getByLabel("Card number").fill(number);
  await tab.getByLabel("Expiry date").fill("12 / 40");
  await tab.getByLabel("Security code").fill("123");
}

async function open(tab: Page, link: string, number: string): Promise<void> {
  await tab.goto(`/pay?id=${link}`);
  await fill(tab, number);
}

const send = (tab: Page) => payButton(tab).click({ noWaitAfter: true });

/** Where the button is, to be touched there again while the browser is on its way to the next page. */
async function touchAgain(tab: Page): Promise<() => Promise<void>> {
  const box = await payButton(tab).boundingBox();
  if (!box) throw new Error("there is no button");
  return () => tab.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

/** The browser was on its way elsewhere, which is cut off: that is what is wanted here, and Playwright's error. */
const instead = (navigation: Promise<unknown>) => navigation.catch(() => undefined);

const heading = (tab: Page, name: string) => tab.getByRole("heading", { name }).waitFor({ timeout: 20_000 });

const habits: Record<string, Habit> = {
  // The quick card is paid between the two clicks or after them; the slow one is under way at the second.
  "double click": async (tab, link, second) => {
    await open(tab, link, second ? slow : quick);
    if (second) {
      const touch = await touchAgain(tab);
      await touch();
      await moment(tab);
      await touch();
    } else {
      await payButton(tab).dblclick({ noWaitAfter: true });
    }
    return [tab];
  },

  // Back from the thank-you page, or away while the money is on its way; then forward again.
  "back button": async (tab, link, second) => {
    await tab.goto("/thank-you");
    await open(tab, link, second ? slow : quick);
    await send(tab);
    if (second) {
      await moment(tab);
      await instead(tab.goBack());
      await tab.waitForURL(/\/thank-you$/);
    } else {
      await heading(tab, "Thank you");
      await tab.waitForURL(/\/thank-you\?id=/);
      await tab.goBack();
      await heading(tab, "This payment has been made");
    }
    await tab.goForward();
    return [tab];
  },

  // Both forms at once, or the second one while the first one's money is on its way.
  "two tabs": async (tab, link, second) => {
    const other = await tab.context().newPage();
    await Promise.all([open(tab, link, second ? slow : quick), open(other, link, quick)]);
    if (second) {
      await send(tab);
      await moment(tab);
      await send(other);
    } else {
      await Promise.all([send(tab), send(other)]);
    }
    return [tab, other];
  },

  // While the money is on its way; or of the thank-you page, and of the answer to a form that was sent again.
  reload: async (tab, link, second) => {
    if (second) {
      await open(tab, link, slow);
      await send(tab);
      await moment(tab);
      await instead(tab.reload());
      return [tab];
    }
    const other = await tab.context().newPage();
    await Promise.all([open(tab, link, quick), open(other, link, quick)]);
    await send(tab);
    await heading(tab, "Thank you");
    await tab.reload();
    await send(other);
    await heading(other, "This payment has been made");
    await other.reload();
    return [tab, other];
  },
};

/** What a tab ends with, when it is the link's thank-you page. */
async function thanks(tab: Page, link: string): Promise<string | null> {
  try {
    await tab.waitForURL(new RegExp(`/thank-you\\?id=${link}$`), { timeout: 30_000 });
    await heading(tab, "Thank you");
    return await tab.locator("body").innerText();
  } catch {
    return null;
  }
}

async function run(times: number, wanted = Object.keys(habits)): Promise<Outcome> {
  const { businessId, key } = await createMerchant();
  const account = String(businessId);
  const wrong = { "charges too many or too few": 0, "tabs without thanks": 0, "thank-you pages that differ": 0 };
  let forms = 0;
  const runs = wanted.flatMap((name) => Array.from({ length: times }, (_, i) => ({ name, second: i % 2 === 1 })));
  await sideBySide(5, runs, async ({ name, second }) => {
    const link = await create(key, "payment_links");
    const phone = await openPhone(browser);
    phone.on("request", (request) => {
      if (request.method() === "POST") forms++;
    });
    const first = await phone.newPage();
    const tabs = (await habits[name]?.(first, link, second).catch(() => null)) ?? [first];
    const pages = await Promise.all(tabs.map((tab) => thanks(tab, link)));
    wrong["tabs without thanks"] += pages.filter((page) => page === null).length;
    wrong["thank-you pages that differ"] += new Set(pages).size - 1;
    await phone.close();
    const charges = await db.sandboxCharge.count({
      where: { account, status: "succeeded", return_path: { contains: link } },
    });
    wrong["charges too many or too few"] += Math.abs(charges - 1);
  });
  const done = `${times} runs each of ${wanted.join(", ")}, ${forms} forms sent for ${runs.length} payments`;
  return { done, wrong };
}

const beginFile = "lib/payments/attempt.ts";

fault({
  id: "R3",
  title: "one payer, twice",
  minutes: 15,
  run: () => run(full ? 50 : 2),
  control: {
    without: "the status checks and the unique indexes",
    run: async () => {
      await db.$executeRaw`DROP INDEX payment_one_open`;
      await db.$executeRaw`DROP INDEX payment_one_succeeded`;
      await rig.weaken("r3", [
        { file: beginFile, find: "AND status = 'Active' AND deleted_at", replace: "AND deleted_at" },
        { file: beginFile, find: "if (done?.settled !== done?.moved)", replace: "if (false)" },
        { file: "app/(public)/pay/route.ts", find: 'payableState(link) === "Active" ? await', replace: "true ? await" },
      ]);
      return run(2, ["double click", "two tabs"]);
    },
  },
});
