import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { restoreAccount } from "@/lib/ledger/account-health";
import { checkBooks } from "@/lib/ledger/books";
import { payAt, post } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { createStaff } from "@/tests/support/sign-in";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";
import { keyRefusals } from "@/tests/support/stripe/faults";
import { connectStripe, pageAtStripe, payAtStripe, savedAtStripe } from "@/tests/support/stripe-merchant";
import { fault, full, type Outcome } from "./fault";
import { settled } from "./judge";
import { type Rig, startRig } from "./rig";

let rig: Rig;
let fake: StripeFake;
beforeAll(async () => {
  fake = await startStripeFake();
  process.env.STRIPE_API_URL = fake.url;
  rig = await startRig({ STRIPE_API_URL: fake.url, MAX_POLL_MS: "500" });
});
afterAll(async () => {
  await rig?.stop();
  await fake?.close();
});

type Refusal = keyof typeof keyRefusals;

const limitSeconds = 60;
/** Each request that moves money, and `every`: all requests with the key. */
const requests = {
  every: { path: /./ },
  "open a page": { method: "POST", path: /checkout\/sessions$/ },
  "charge a card": { method: "POST", path: /payment_intents$/ },
  refund: { method: "POST", path: /refunds$/ },
  "create a customer": { method: "POST", path: /customers$/ },
};

/** One business and one kind of refusal, for all requests or one: before, while the key is refused, and after it is mended. */
async function refuse(kind: Refusal, rule: { method?: string; path: RegExp }, count: number): Promise<Wrong> {
  const merchant = await createMerchant();
  const { key, businessId } = merchant;
  const owner = await createStaff(merchant);
  const { id: stripe, secretKey } = fake.account();
  const account = await connectStripe(businessId, secretKey);
  const email = "ada@example.com";
  const token = await savedAtStripe(key, email);
  const make = async () => Promise.all(Array.from({ length: count }, () => create(key, "payment_links")));
  const [byPayers, bySystems, paid] = [await make(), await make(), await make()];
  const charge = (id: string) => call("POST", `/payment-links/${id}/charge`, { key, body: { token } });
  const refund = (id: string) => call("POST", `/payment-links/${id}/refunds`, { key, body: { amount: "300" } });
  for (const id of paid) await charge(id);
  const packageId = await create(key, "packages");

  const heal = fake.fault({ kind, share: 1, ...rule });
  const opened = await Promise.all(byPayers.map(async (id) => (await payAt(`/pay?id=${id}`)).location));
  await Promise.all(bySystems.map(charge));
  await Promise.all(paid.map(refund));
  const saving = (await call("GET", `/tokenizations/${await create(key, "tokenizations")}`, { key })).json.data;
  const saved = await post(`/activate/${saving.token}`, {});
  const subscriptions = await Promise.all(
    Array.from({ length: count }, () =>
      create(key, "subscriptions", { package_id: packageId, email, allow_duplicate: true }),
    ),
  );
  await until(
    async () => (await db.paymentLink.count({ where: { subscription_id: { in: subscriptions } } })) === count,
  );
  // Opened pages of payers whose request was not refused wait for them; nothing else may be open.
  const waiting = { business_id: businessId, status: { in: ["sending", "unknown"] } };
  await until(async () => (await db.payment.count({ where: waiting })) === 0);
  const stuck = await db.payment.count({ where: waiting });
  const pendingRefunds = await db.refund.count({ where: { business_id: businessId, status: "pending" } });
  const told = await db.email.count({ where: { to: owner.email, template: "account_broken" } });
  const broken = await db.event.count({ where: { resource_id: account, type: "gateway_account.broken" } });

  heal();
  await connectStripe(businessId, secretKey);
  await restoreAccount(account);
  for (const [i, id] of byPayers.entries()) {
    const location = opened[i]?.includes("go=1") ? opened[i] : (await payAt(`/pay?id=${id}`)).location;
    await payAtStripe(await pageAtStripe(location ?? ""));
  }
  for (const id of bySystems) await charge(id);
  for (const id of paid) if ((await refunded(id)) === 0) await refund(id);
  await db.$executeRaw`
    UPDATE payment_link SET next_step_at = clock_timestamp()
     WHERE business_id = ${businessId} AND subscription_id IS NOT NULL AND status = 'Active' AND next_step_at IS NOT NULL`;
  await until(
    async () => (await db.paymentLink.count({ where: { business_id: businessId, status: { not: "Paid" } } })) === 0,
  );
  await settled(businessId, limitSeconds);
  await until(async () => (await db.refund.count({ where: { business_id: businessId, status: "pending" } })) === 0);
  const charged = new Map<string, number>();
  for (const { metadata } of fake.charges(stripe)) {
    const payment = await db.payment.findUniqueOrThrow({ where: { id: metadata.paydesk_payment } });
    charged.set(payment.payment_link_id, (charged.get(payment.payment_link_id) ?? 0) + 1);
  }
  const unpaid = await db.paymentLink.count({ where: { business_id: businessId, status: { not: "Paid" } } });
  const returned = fake.charges(stripe).reduce((sum, row) => sum + row.refunded, 0);
  return {
    "links stuck": stuck,
    "refunds stuck": rule === requests.refund || rule === requests.every ? pendingRefunds : 0,
    "owners not told just once": told === 1 && broken === 1 ? 0 : 1,
    "card pages that failed otherwise": saved.status === 402 || saved.status === 303 ? 0 : 1,
    "links charged twice": [...charged.values()].filter((times) => times > 1).length,
    "links unpaid after the mending": unpaid,
    "refunds missing or made twice": Math.abs(returned / 300 - paid.length),
  };
}

type Wrong = Record<string, number>;

async function refunded(id: string): Promise<number> {
  return (await db.paymentLink.findUniqueOrThrow({ where: { id } })).refunded_cents;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + limitSeconds * 1000;
  while (!(await holds()) && Date.now() < end) await new Promise((done) => setTimeout(done, 200));
}

async function run(kinds: Refusal[], names: (keyof typeof requests)[], count: number): Promise<Outcome> {
  const wrong: Wrong = {};
  for (const kind of kinds)
    for (const name of names)
      for (const [what, times] of Object.entries(await refuse(kind, requests[name], count)))
        wrong[what] = (wrong[what] ?? 0) + times;
  const { imbalances } = await checkBooks();
  return {
    done: `${kinds.length} refusals of the key x ${names.length} requests, ${count} payers, charges, refunds and subscriptions each`,
    wrong: { ...wrong, imbalances: imbalances.length },
  };
}

const allKinds = Object.keys(keyRefusals) as Refusal[];
const allRequests = Object.keys(requests) as (keyof typeof requests)[];

fault({
  id: "R17",
  title: "gateway key refused",
  minutes: 20,
  run: () => (full ? run(allKinds, allRequests, 10) : run(["key_expired"], ["every"], 2)),
  control: {
    without: "the rule that a refused key is a definite refusal",
    mutations: [
      {
        file: "lib/ledger/gateways.ts",
        find: "if (error instanceof KeyRefused && error.executedNothing) return result(error);",
        replace: "",
      },
    ],
    run: async (mutations) => {
      await rig.weaken("r17", mutations);
      return run(["key_expired"], ["every"], 2);
    },
  },
});
