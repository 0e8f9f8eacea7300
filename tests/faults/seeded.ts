import { seeded } from "@/tests/support/stripe/faults";

/** The seed of all random choices: FAULTS_SEED repeats a failed run. */
export const seed = Number(process.env.FAULTS_SEED ?? 20261121);

export const random = (start: number = seed): (() => number) => seeded(start);

/** A whole number from `least` to `greatest`, inclusive. */
export const between = (next: () => number, least: number, greatest: number): number =>
  least + Math.floor(next() * (greatest - least + 1));

export function shuffle<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
