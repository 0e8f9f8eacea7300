import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant } from "@/tests/support/factory";
import { asOwner } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { openBrowser, openPhone } from "./phone";
import { type Rig, startRig } from "./rig";

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
/** Its reply takes four seconds, so that the payer can do everything twice. */
const slow = "4000000000005019";

/** A payer's actions on a link's page, in one of two variants. Returns the tabs that remain open. */
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

/** Returns a click at the button's position, for use while the browser loads the next page. */
async function tapAtButton(tab: Page): Promise<() => Promise<void>> {
  const box = await payButton(tab).boundingBox();
  if (!box) throw new Error("there is no button");
  return () => tab.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

/** Ignores Playwright's error about the navigation that the test interrupts on purpose. */
const interrupted = (navigation: Promise<unknown>) => navigation.catch(() => undefined);

const heading = (tab: Page, name: string) => tab.getByRole("heading", { name }).waitFor({ timeout: 20_000 });

/**
 * A payer who leaves before the server has the form finds it empty on return. Pays again, perhaps while the first
 * payment is in flight.
 */
async function payIfFormIsEmpty(tab: Page): Promise<void> {
  const number = tab.getByLabel("Card number");
  for (let looks = 0; looks < 20; looks++) {
    const typed = await number.inputValue({ timeout: 100 }).catch(() => null);
    if (typed === "") {
      await fill(tab, quick);
      return send(tab);
    }
    await sleep(50);
  }
}

const habits: Record<string, Habit> = {
  // The quick card is paid between the clicks or after them; the slow one is in flight at the second click.
  "double click": async (tab, link, second) => {
    await open(tab, link, second ? slow : quick);
    if (second) {
      const touch = await tapAtButton(tab);
      await touch();
      await moment(tab);
      await touch();
    } else {
      await payButton(tab).dblclick({ noWaitAfter: true });
    }
    return [tab];
  },

  // Back from the thank-you page or while the payment is in flight, then forward again.
  "back button": async (tab, link, second) => {
    await tab.goto("/thank-you");
    await open(tab, link, second ? slow : quick);
    await send(tab);
    if (second) {
      await moment(tab);
      await interrupted(tab.goBack());
      await tab.waitForURL(/\/thank-you$/);
    } else {
      await heading(tab, "Thank you");
      await tab.waitForURL(/\/thank-you\?id=/);
      await tab.goBack();
      await heading(tab, "Already paid");
    }
    await tab.goForward();
    if (second) await payIfFormIsEmpty(tab);
    return [tab];
  },

  // Both forms at once, or the second one while the first payment is in flight.
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

  // Reloads while the payment is in flight, the thank-you page, and the page of a refused second payment.
  reload: async (tab, link, second) => {
    if (second) {
      await open(tab, link, slow);
      await send(tab);
      await moment(tab);
      await interrupted(tab.reload());
      await payIfFormIsEmpty(tab);
      return [tab];
    }
    const other = await tab.context().newPage();
    await Promise.all([open(tab, link, quick), open(other, link, quick)]);
    await send(tab);
    await heading(tab, "Thank you");
    await tab.reload();
    await send(other);
    await other.waitForURL(/\/thank-you\?id=.*&again=1$/);
    await other.reload();
    return [tab, other];
  },
};

/** The payment's facts on a tab's final page: the thank-you page, or the page of a paid link for a new visitor. */
async function shownFacts(tab: Page, link: string): Promise<string | null> {
  const ends = [
    { address: `/thank-you?id=${link}`, shows: tab.getByRole("heading", { name: "Thank you" }) },
    { address: `/thank-you?id=${link}&again=1`, shows: tab.getByText("You have not been charged a second time.") },
    { address: `/pay?id=${link}`, shows: tab.getByText("There’s nothing left to pay.") },
  ];
  // Pages reload by themselves meanwhile, so the test polls instead of waiting for one of them.
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(100)) {
    const end = ends.find(({ address }) => tab.url() === rig.url + address);
    if (await end?.shows.isVisible().catch(() => false)) return tab.locator("dl").innerText();
  }
  return null;
}

/** @param verbose prints the text of tabs without a thank-you page, for debugging */
async function run(times: number, wanted: string[], verbose: boolean): Promise<Outcome> {
  const { businessId, key } = await createMerchant();
  const account = String(businessId);
  const wrong = { "charges too many or too few": 0, "tabs without thanks": 0, "different facts about a payment": 0 };
  let [forms, thanked, shown] = [0, 0, 0];
  const runs = wanted.flatMap((name) => Array.from({ length: times }, (_, i) => ({ name, second: i % 2 === 1 })));
  await mapConcurrently(5, runs, async ({ name, second }) => {
    const link = await create(key, "payment_links");
    const phone = await openPhone(browser);
    phone.on("request", (request) => {
      if (request.method() === "POST") forms++;
    });
    const first = await phone.newPage();
    const said: unknown[] = [];
    const tabs = (await habits[name]?.(first, link, second).catch((error: unknown) => void said.push(error))) ?? [
      first,
    ];
    const facts = await Promise.all(tabs.map((tab) => shownFacts(tab, link)));
    for (const [i, tab] of tabs.entries()) {
      if (tab.url().includes("/thank-you")) thanked++;
      else shown++;
      if (facts[i] !== null) continue;
      wrong["tabs without thanks"]++;
      const text = await tab.locator("body").innerText({ timeout: 1_000 }).catch(String);
      if (verbose) console.error(`${name}, ${second ? "slow" : "quick"}: ${tab.url()}: ${text}`, ...said);
    }
    wrong["different facts about a payment"] += new Set(facts).size - 1;
    await phone.close();
    const charges = await db.sandboxCharge.count({
      where: { account, status: "succeeded", return_path: { contains: link } },
    });
    wrong["charges too many or too few"] += Math.abs(charges - 1);
  });
  const done = `${times} runs each of ${wanted.join(", ")}, ${forms} forms sent for ${runs.length} payments, ${thanked} tabs thanked, ${shown} shown that it is paid`;
  return { done, wrong };
}

const beginFile = "lib/ledger/attempt.ts";

fault({
  id: "R3",
  title: "one payer, twice",
  minutes: 15,
  run: () => run(full ? 50 : 2, Object.keys(habits), true),
  control: {
    without: "the status checks and the unique indexes",
    mutations: [
      { file: beginFile, find: "AND status || '' = 'Active' AND deleted_at", replace: "AND deleted_at" },
      { file: beginFile, find: "if (!link) throw", replace: "if (!link) continue; if (false) throw" },
      { file: "app/(public)/pay/route.ts", find: 'payableState(link) === "Active" ? await', replace: "true ? await" },
    ],
    run: async (mutations) => {
      await asOwner("DROP INDEX payment_one_open", "DROP INDEX payment_one_succeeded");
      await rig.weaken("r3", mutations);
      return run(4, ["double click"], false);
    },
  },
});
