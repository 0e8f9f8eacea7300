import { afterAll, beforeAll } from "vitest";
import { createMerchant } from "@/tests/support/factory";
import { backup } from "./backup";
import { fault, full, type Outcome } from "./fault";
import { mapConcurrently } from "./map-concurrently";
import { acknowledge, copyOf, firstPayment, tryBlocked } from "./model/restore";
import { differenceLines, type ModelRig, startModelRig } from "./model/rig";
import { Shop } from "./model/shop";
import { anyStep, keySteps, type Step, steps } from "./model/steps";
import { stripeWorld } from "./model/stripe-world";
import { random, seed } from "./seeded";
import { makeYoung } from "./stage";

let model: ModelRig;
beforeAll(async () => {
  model = await startModelRig();
});
afterAll(() => model?.stop());

const commands: Record<string, Step> = { ...steps, ...keySteps };

/** A shop that plays until its first difference. */
class Player {
  readonly path: string[] = [];
  difference: string | null = null;
  private count = 0;

  constructor(
    readonly shop: Shop,
    private readonly index: number,
  ) {}

  /** @param work by default a random command */
  async step(work: Step = (shop) => anyStep(shop, commands)): Promise<void> {
    if (this.difference !== null) return;
    const { shop } = this;
    shop.next = random(seed + this.index * 65_537 + this.count++);
    shop.doing = work.name;
    await stopTime(shop);
    this.difference = await work(shop).then(
      () => shop.differences(),
      (error: unknown) => String(error),
    );
    this.path.push(shop.doing + shop.used);
  }
}

/** For the model time passes only by its own step, however long the other shops and the restores take. */
async function stopTime({ links }: Shop): Promise<void> {
  const attempts = links.flatMap(({ attempt }) => (attempt && !attempt.old ? [attempt.charge.key] : []));
  const refunds = links.flatMap(({ payment }) => payment?.refunds ?? []);
  const young = refunds.filter(({ status, there, old }) => status === "pending" && !there && !old);
  await makeYoung(
    attempts,
    young.map(({ id }) => id),
  );
}

interface Scale {
  shops: number;
  restores: number;
  /** Before each backup, and again after it. */
  steps: number;
}

async function run(scale: Scale): Promise<Outcome> {
  const players = await mapConcurrently(6, Array.from({ length: scale.shops }), async (_, index) => {
    const merchant = await createMerchant();
    return new Player(new Shop(merchant, await stripeWorld(model.fake, merchant)), index);
  });
  const each = (work: (player: Player) => Promise<void>) => mapConcurrently(6, players, work);
  const play = () =>
    each(async (player) => {
      for (let count = 0; count < scale.steps; count++) await player.step();
    });
  let named = 0;
  for (let count = 0; count < scale.restores; count++) {
    await play();
    const saved = await backup(model.rig);
    const rewind = players.map(({ shop }) => copyOf(shop));
    await each((player) => player.step(firstPayment)); // the backup has restarted the server
    await play();
    // In turns under a running server and a stopped one.
    if (count % 2 === 0) await saved.restore();
    else await model.rig.whileStopped(saved.restore);
    for (const back of rewind) back();
    await each(async (player) => {
      await player.step(firstPayment);
      named += player.shop.unknown.length;
      await player.step(tryBlocked);
      await player.step(acknowledge);
    });
  }
  await play();
  const different = differenceLines(players);
  const done = players.reduce((sum, { path }) => sum + path.length, 0);
  return {
    done: [
      `${done.toLocaleString("en")} steps in ${scale.shops} shops, ${scale.restores} restores, ` +
        `${model.fake.charges().length.toLocaleString("en")} charges, ${named} of them left to staff`,
    ]
      .concat(different.slice(0, 3))
      .join("; "),
    wrong: { "shops that differ from the model": different.length },
  };
}

fault({
  id: "R21",
  title: "every money command before and after a restored backup",
  minutes: 30,
  run: () => run(full ? { shops: 40, restores: 10, steps: 20 } : { shops: 5, restores: 1, steps: 8 }),
  control: {
    without: "the comparison",
    mutations: [
      {
        file: "lib/ledger/compare.ts",
        find: "await storeUnknown(gateway, charges);",
        replace: "void storeUnknown;",
      },
    ],
    run: async (mutations) => {
      await model.rig.weaken("r21", mutations);
      return run({ shops: 12, restores: 1, steps: 20 });
    },
  },
});
