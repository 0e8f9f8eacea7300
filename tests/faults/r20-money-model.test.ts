import { afterAll, beforeAll } from "vitest";
import { createMerchant } from "@/tests/support/factory";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { playShortest, type Scene } from "./model/play";
import { differenceLines, type ModelRig, startModelRig } from "./model/rig";
import { sandboxWorld } from "./model/sandbox-world";
import { Shop } from "./model/shop";
import { anyStep, keySteps, type Step, steps } from "./model/steps";
import { stripeWorld } from "./model/stripe-world";

let model: ModelRig;
beforeAll(async () => {
  model = await startModelRig();
});
afterAll(() => model?.stop());

/** Steps of one shop. Its rows stay few, so that each step can check all of its books. */
const stepsPerShop = 50;

/** @param atStripe true: the shop's gateway is Stripe; false: the sandbox */
async function openShop(atStripe: boolean): Promise<Scene> {
  const merchant = await createMerchant();
  const shop = new Shop(merchant, atStripe ? await stripeWorld(model.fake, merchant) : sandboxWorld);
  const possible: Record<string, Step> = atStripe ? { ...steps, ...keySteps } : steps;
  return {
    step: async (next) => {
      shop.next = next;
      await anyStep(shop, possible);
    },
    latest: () => shop.doing + shop.used,
    differences: () => shop.differences(),
  };
}

const isAtStripe = (index: number): boolean => index % 10 === 0;

async function run(total: number): Promise<Outcome> {
  const shops = Array.from({ length: Math.ceil(total / stepsPerShop) }, (_, index) => index);
  let found = 0;
  const ends = await mapConcurrently(6, shops, async (index) => {
    const end = await playShortest(() => openShop(isAtStripe(index)), index, stepsPerShop, found === 0);
    if (end.difference) found++;
    return end;
  });
  const different = differenceLines(ends);
  const done = ends.reduce((sum, end) => sum + end.done, 0);
  return {
    done: [
      `${done.toLocaleString("en")} steps in ${shops.length.toLocaleString("en")} shops, ` +
        `${shops.filter(isAtStripe).length} of them at Stripe`,
    ]
      .concat(different.slice(0, 3))
      .join("; "),
    wrong: { "shops that differ from the model": different.length },
  };
}

const count = Number(process.env.MODEL_STEPS ?? (full ? 100_000 : 300));

fault({
  id: "R20",
  title: "every money command in random order",
  minutes: 120,
  run: () => run(count),
  control: {
    without: "the reserve of a pending refund",
    mutations: [
      {
        file: "lib/resources/refunds/service.ts",
        find: "const left = amount_cents - refunded_cents - refund_pending_cents;",
        replace: "const left = amount_cents - refunded_cents;",
      },
      {
        file: "lib/ledger/refund.ts",
        find: "AND refunded_cents + refund_pending_cents + disputed_cents + wanted.cents <= amount_cents",
        replace: "AND refunded_cents + disputed_cents + wanted.cents <= amount_cents",
      },
    ],
    run: async (mutations) => {
      await model.rig.weaken("r20", mutations);
      return run(2_000);
    },
  },
});
