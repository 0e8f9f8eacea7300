/** The seed of all random choices: FAULTS_SEED repeats a failed run. */
export const seed = Number(process.env.FAULTS_SEED ?? 20261121);

/** Pseudo-random numbers in [0, 1), reproducible by their seed (mulberry32). */
export function random(start: number = seed): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `greatest`, inclusive. */
export const between = (next: () => number, least: number, greatest: number): number =>
  least + Math.floor(next() * (greatest - least + 1));

export function shuffle<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
