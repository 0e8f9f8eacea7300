import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Reply } from "@/tests/support/http";
import { create, savedCard } from "@/tests/support/samples";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import { between, random } from "./seeded";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

interface Effect {
  /** Prepares the request of one key. */
  prepare: (merchant: Merchant) => Promise<{ path: string; body: object }>;
  /** Counts the effects in our tables and at the sandbox. */
  count: (merchant: Merchant) => Promise<number[]>;
}

const effects = {
  link: {
    prepare: async () => ({
      path: "/payment-links",
      body: { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Retried" },
    }),
    count: async ({ businessId }) => [await db.paymentLink.count({ where: { business_id: businessId } })],
  },
  charge: {
    prepare: async ({ key }) => {
      const [link, token] = await Promise.all([create(key, "payment_links"), savedCard(key)]);
      return { path: `/payment-links/${link}/charge`, body: { token } };
    },
    count: async ({ businessId }) => [
      await db.payment.count({ where: { business_id: businessId } }),
      await db.sandboxCharge.count({ where: { account: String(businessId), status: "succeeded" } }),
    ],
  },
  refund: {
    prepare: async ({ key }) => {
      const link = await create(key, "payment_links");
      await payAt(`/pay?id=${link}`);
      return { path: `/payment-links/${link}/refunds`, body: { amount: "100" } };
    },
    count: async ({ businessId }) => [
      await db.refund.count({ where: { business_id: businessId } }),
      await db.sandboxRefund.count({ where: { charge: { account: String(businessId) } } }),
    ],
  },
} satisfies Record<string, Effect>;

const inFlight = ({ status, json }: Reply) => status === 409 && json.code === "idempotency_key_in_flight";

/** Sends the same POST `posts` times for each of `keys` keys. A client that gets a 409 repeats the request. */
async function retries(effect: Effect, keys: number, posts: number) {
  const merchant = await createMerchant();
  const next = random();
  const wrong = { "effects too many or too few": 0, "answers that differ": 0, "other answers": 0 };
  let waited = 0;
  for (let i = 0; i < keys; i++) {
    const { path, body } = await effect.prepare(merchant);
    const headers = { "Idempotency-Key": `retry ${i}` };
    // Posts of every other key come at once, the others within the duration of one request.
    const spread = i % 2 === 0 ? 0 : 60;
    // The gateway is slow, so that the other posts come during its work.
    if (i === 0 && path !== "/payment-links") await setFault(String(merchant.businessId), "late", 1, 30);
    const replies = await Promise.all(
      Array.from({ length: posts }, async () => {
        await sleep(between(next, 0, spread));
        let reply = await call("POST", path, { key: merchant.key, body, headers });
        if (inFlight(reply)) waited++;
        for (let tries = 0; inFlight(reply) && tries < 50; tries++) {
          await sleep(100);
          reply = await call("POST", path, { key: merchant.key, body, headers });
        }
        return reply;
      }),
    );
    const good = replies.filter(({ status }) => status === 200);
    wrong["other answers"] += replies.length - good.length;
    wrong["answers that differ"] += Math.max(0, new Set(good.map(({ text }) => text)).size - 1);
  }
  await clearFaults(String(merchant.businessId));
  for (const count of await effect.count(merchant)) wrong["effects too many or too few"] += Math.abs(count - keys);
  return { waited, wrong };
}

async function run(links: [keys: number, posts: number], money: [keys: number, posts: number]): Promise<Outcome> {
  const wrong: Record<string, number> = {};
  const done: string[] = [];
  for (const [name, effect] of Object.entries(effects)) {
    const [keys, posts] = name === "link" ? links : money;
    const result = await retries(effect, keys, posts);
    done.push(`${keys} keys x ${posts} posts of a ${name}, ${result.waited.toLocaleString("en")} got a 409`);
    for (const [what, count] of Object.entries(result.wrong)) wrong[what] = (wrong[what] ?? 0) + count;
  }
  return { done: done.join("; "), wrong };
}

fault({
  id: "R4",
  title: "retries with an Idempotency-Key",
  minutes: 10,
  run: () => (full ? run([100, 100], [20, 50]) : run([3, 25], [2, 8])),
  control: {
    without: "the key",
    mutations: [
      {
        file: "lib/http/handle.ts",
        find: "if (key === null) return perform",
        replace: "if (key !== undefined) return perform",
      },
    ],
    run: async (mutations) => {
      await rig.weaken("r4", mutations);
      return run([2, 10], [2, 5]);
    },
  },
});
