import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { findAccount } from "@/lib/gateways/accounts";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { checkBooks } from "@/lib/ledger/books";
import { sealToken } from "@/lib/resources/tokenizations/resource";
import { postPayment } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { startStripeFake } from "@/tests/support/stripe/fake";
import { connectStripe, payAtStripe } from "@/tests/support/stripe-merchant";
import { backup } from "./backup";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { type Mutation, type Rig, startRig } from "./rig";

// Stripe's books are those of this process: they outlive the server and its database.
let fake: Awaited<ReturnType<typeof startStripeFake>>;
let rig: Rig;
beforeAll(async () => {
  fake = await startStripeFake();
  process.env.STRIPE_API_URL = fake.url;
  rig = await startRig({ STRIPE_API_URL: fake.url });
});
afterAll(async () => {
  await rig?.stop();
  await fake?.close();
});

interface Shop extends Merchant {
  account: string;
  packages: { steady: string; dearer: string };
}

async function openShop(): Promise<Shop> {
  const merchant = await createMerchant();
  const { id: account, secretKey } = fake.account();
  await connectStripe(merchant.businessId, secretKey);
  const pack = async (name: string) => {
    const body = { name, amount: "1000", currency: "EUR", frequency: "monthly" };
    return (await call("POST", "/packages", { key: merchant.key, body })).json.data._id;
  };
  return { ...merchant, account, packages: { steady: await pack("Steady"), dearer: await pack("Dearer") } };
}

/** Subscribes payers with cards saved at Stripe. */
async function subscribe({ businessId, key, packages }: Shop, count: number, dearer: number): Promise<void> {
  const account = await db.gatewayAccount.findFirstOrThrow({ where: { business_id: businessId } });
  const keys = await findAccount(account.id);
  if (!keys) throw new Error("There is no account.");
  const gateway = stripeGateway(keys);
  await mapConcurrently(8, Array.from({ length: count }), async (_, index) => {
    const [email, id] = [`payer${index}@example.com`, newId("tkn")];
    const request = { startedAt: new Date(), card: null, email, merchant: "Books", returnPath: "/activate/x" as const };
    const page = await gateway.saveCard({ gatewayKey: `${id}-1`, ...request });
    if (page.outcome !== "action") throw new Error(`The card was not saved: ${page.outcome}`);
    fake.payer.complete(page.ref, { number: "4242424242424242" });
    const saved = await gateway.lookupSave(page.ref);
    if (saved.outcome !== "saved") throw new Error(`The card was not saved: ${saved.outcome}`);
    await db.tokenization.create({
      data: {
        ...{
          id,
          business_id: businessId,
          livemode: false,
          email,
          title: "Card",
          description: "Card",
          ...sealToken(id, id),
        },
        ...{ status: "active", expires_at: new Date(), activated_at: new Date(), gateway: "stripe" },
        ...{ gateway_account_id: account.id, gateway_card: saved.ref, card_brand: "visa", card_last4: "4242" },
        ...{ card_exp_month: 12, card_exp_year: 2040 },
      },
    });
    const package_id = index < dearer ? packages.dearer : packages.steady;
    const { status, text } = await call("POST", "/subscriptions", { key, body: { email, package_id } });
    if (status !== 201 && status !== 200) throw new Error(`${status} ${text}`);
  });
}

async function advance(key: string, days: number): Promise<void> {
  const read = async () => (await call("GET", "/test-clock", { key })).json.data;
  const now = new Date(String((await read()).now));
  const to = new Date(now.getTime() + days * 86_400_000).toISOString();
  const { status, text } = await call("POST", "/test-clock", { key, body: { to } });
  if (status !== 200) throw new Error(`${status} ${text}`);
  while ((await read()).status !== "ready") await sleep(100);
}

const pay = async (link: string): Promise<string> => {
  const { location } = await postPayment(link, 1050, "EUR");
  return location;
};

/** The address of Stripe's page for a link. */
async function openPage(link: string): Promise<string> {
  await pay(link);
  const page = await (await fetch(`${rig.url}/pay?id=${link}&wait=1&go=1`)).text();
  const url = /href="(http[^"]*\/c\/pay\/[^"]*)"/.exec(page)?.[1];
  if (!url) throw new Error(`There is no page: ${page.slice(0, 2_000)}`);
  return url;
}

interface Scale {
  subscriptions: number;
  links: number;
  /** The server keeps running while its database is replaced. */
  running: boolean;
}

/**
 * Charges a month, makes a backup, charges the next month and links, restores the backup, and charges the same month again.
 */
async function run({ subscriptions, links, running }: Scale): Promise<Outcome> {
  const shop = await openShop();
  const dearer = Math.ceil(subscriptions / 20);
  await subscribe(shop, subscriptions, dearer);
  await advance(shop.key, 1);
  const orders = await mapConcurrently(4, Array.from({ length: links }), () => create(shop.key, "payment_links"));
  const refundable = orders.pop() as string;
  await payAtStripe(await openPage(refundable));
  await until(() => isPaid(refundable));
  const saved = await backup(rig);

  // What the backup does not have: a month, links paid by hand, a page left open, a refund, a price, a new link.
  const price = { amount: "2000", existing_subscriptions: "new_price" };
  const body = { name: "Dearer", currency: "EUR", frequency: "monthly", ...price };
  const raised = await call("PUT", `/packages/${shop.packages.dearer}`, { key: shop.key, body });
  if (raised.status !== 200) throw new Error(`${raised.status} ${raised.text}`);
  await advance(shop.key, 31);
  const left = orders.pop() as string;
  for (const link of orders) await payAtStripe(await openPage(link));
  const page = await openPage(left);
  const refund = await call("POST", `/payment-links/${refundable}/refunds`, { key: shop.key, body: { amount: "300" } });
  if (refund.status >= 300) throw new Error(`${refund.status} ${refund.text}`);
  const late = await create(shop.key, "payment_links");
  await payAtStripe(await openPage(late));
  const before = fake.charges(shop.account).length;

  // Stripe's lists take their time, so that what does not wait for them charges first.
  const heal = fake.fault({ method: "GET", path: /payment_intents$/, kind: "slow", ms: 700, share: 1 });
  if (running) await saved.restore();
  else await rig.whileStopped(saved.restore);
  await until(async () => (await fetch(`${rig.url}/readyz`)).ok);
  const again = await Promise.all(orders.map((link) => pay(link)));
  await advance(shop.key, 31);
  heal();
  await advance(shop.key, 1);
  const open = { business_id: shop.businessId, settled_at: null };
  // Without the protection, pages stay open.
  await until(async () => (await db.payment.count({ where: open })) === 0, 15).catch(() => undefined);

  await payAtStripe(page).catch(() => undefined); // its link can be paid again, so the page must be closed
  const charges = fake.charges(shop.account);
  const named = new Set(
    (
      await db.$queryRaw<{ key: string }[]>`
        SELECT gateway_key AS key FROM payment WHERE status = 'succeeded'
        UNION ALL SELECT gateway_key FROM unknown_charge WHERE status = 'open'`
    ).map(({ key }) => key),
  );
  const waiting = await db.unknownCharge.findMany({ where: { business_id: shop.businessId, status: "open" } });
  const { imbalances } = await checkBooks();
  const refunded = await db.payment.findFirstOrThrow({ where: { payment_link_id: refundable, status: "succeeded" } });
  const problems = waiting.map(({ problem }) => problem).sort();
  return {
    done:
      `${subscriptions} subscriptions and ${links + 1} links, restored while the server ${running ? "ran" : "was stopped"}, ` +
      `${charges.length} charges, ${charges.length - before} of them afterwards, ${problems.length} left to staff`,
    wrong: {
      "second charges": twice(
        charges.map(({ metadata: of }) =>
          of.paydesk_subscription ? `${of.paydesk_subscription}/${of.paydesk_period}` : `${of.paydesk_link}`,
        ),
      ),
      "charges after the restore": charges.length - before,
      "charges that nothing names": charges.filter(({ metadata }) => !named.has(metadata.paydesk_payment ?? "")).length,
      "links that can be paid twice": again.filter((location) => location.includes("go=1")).length,
      "links not paid": (await Promise.all(orders.map(isPaid))).filter((paid) => !paid).length,
      "charges left to staff, more or fewer than expected": Math.abs(problems.length - dearer - 1),
      "refunds not imported": refunded.refunded_cents === 300 ? 0 : 1,
      imbalances: imbalances.length,
    },
  };
}

const twice = (keys: string[]): number => keys.length - new Set(keys).size;

async function isPaid(link: string): Promise<boolean> {
  return (await db.paymentLink.findUniqueOrThrow({ where: { id: link } })).status === "Paid";
}

async function until(done: () => Promise<boolean>, seconds = 60): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await done().catch(() => false)); await sleep(100))
    if (Date.now() > end) throw new Error(`It took longer than ${seconds} seconds.`);
}

const withoutComparison: Mutation[] = [
  {
    file: "lib/ledger/compare.ts",
    find: "await storeUnknown(gateway, charges);",
    replace: "void storeUnknown;",
  },
];

fault({
  id: "R16",
  title: "a backup restored after charges",
  minutes: 8,
  run: async () => {
    const scale = full ? { subscriptions: 100, links: 20 } : { subscriptions: 5, links: 3 };
    const outcomes: Outcome[] = [];
    for (const running of full ? [false, true] : [true]) outcomes.push(await run({ ...scale, running }));
    return together(outcomes);
  },
  control: {
    without: "the comparison",
    mutations: withoutComparison,
    run: async (mutations) => {
      await rig.weaken("r16", mutations);
      return run({ subscriptions: 10, links: 4, running: false });
    },
  },
});

function together(outcomes: Outcome[]): Outcome {
  const wrong: Record<string, number> = {};
  for (const outcome of outcomes)
    for (const [what, count] of Object.entries(outcome.wrong)) wrong[what] = (wrong[what] ?? 0) + count;
  return { done: outcomes.map(({ done }) => done).join("; "), wrong };
}
