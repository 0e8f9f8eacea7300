import { type Rig, startRig } from "@/tests/faults/rig";
import { seed } from "@/tests/faults/seeded";
import { onlyTheTestActs } from "@/tests/faults/stage";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";

/** A server and a fake of Stripe, in which only the steps of the model move money. */
export interface ModelRig {
  fake: StripeFake;
  rig: Rig;
  stop(): Promise<void>;
}

export async function startModelRig(): Promise<ModelRig> {
  const fake = await startStripeFake();
  process.env.STRIPE_API_URL = fake.url;
  const rig = await startRig({ STRIPE_API_URL: fake.url });
  await onlyTheTestActs();
  const stop = async () => {
    await rig.stop();
    await fake.close();
  };
  return { fake, rig, stop };
}

/** One line for each shop that differs from the model: how to repeat its steps, and the difference. */
export function differenceLines(shops: { difference: string | null; path: string[] }[]): string[] {
  return shops.flatMap(({ difference, path }, index) =>
    difference ? [`seed ${seed}, shop ${index}: ${path.join(" > ")}: ${difference}`] : [],
  );
}
