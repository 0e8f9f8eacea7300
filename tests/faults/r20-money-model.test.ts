import { afterAll, beforeAll } from "vitest";
import { createMerchant } from "@/tests/support/factory";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { playShortest, type Scene } from "./model/play";
import { sandboxWorld } from "./model/sandbox-world";
import { Shop } from "./model/shop";
import { steps } from "./model/steps";
import { type Rig, startRig } from "./rig";
import { seed } from "./seeded";
import { onlyTheTestActs } from "./stage";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  await onlyTheTestActs();
});
afterAll(() => rig?.stop());

/** Steps of one shop. Its rows stay few, so that each step can check all of its books. */
const stepsPerShop = 50;

async function openShop(): Promise<Scene> {
  const shop = new Shop(await createMerchant(), sandboxWorld);
  const names = Object.keys(steps) as (keyof typeof steps)[];
  let name = names[0] as (typeof names)[number];
  return {
    step: async (next) => {
      shop.next = next;
      shop.used = "";
      name = shop.oneOf(names);
      await steps[name](shop);
    },
    latest: () => name + shop.used,
    differences: () => shop.differences(),
  };
}

async function run(total: number): Promise<Outcome> {
  const shops = Array.from({ length: Math.ceil(total / stepsPerShop) }, (_, index) => index);
  let found = 0;
  const ends = await mapConcurrently(6, shops, async (index) => {
    const end = await playShortest(openShop, index, stepsPerShop, found === 0);
    if (end.difference) found++;
    return end;
  });
  const different = ends.flatMap(({ difference, path }, index) =>
    difference ? [`seed ${seed}, shop ${index}: ${path.join(" > ")}: ${difference}`] : [],
  );
  const done = ends.reduce((sum, end) => sum + end.done, 0);
  return {
    done: [`${done.toLocaleString("en")} steps in ${shops.length.toLocaleString("en")} shops`]
      .concat(different.slice(0, 3))
      .join("; "),
    wrong: { "shops that differ from the model": different.length },
  };
}

const count = Number(process.env.MODEL_STEPS ?? (full ? 100_000 : 600));

fault({
  id: "R20",
  title: "every money command in random order",
  minutes: 60,
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
      await rig.weaken("r20", mutations);
      return run(2_000);
    },
  },
});
