/** What everything random in these tests starts from: a run that failed is repeated by giving its number. */
export const seed = Number(process.env.FAULTS_SEED ?? 20261121);

/** Numbers from 0 up to, but not, 1: the same ones for the same start (mulberry32). */
export function random(start: number = seed): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`. */
export const between = (next: () => number, least: number, most: number): number =>
  least + Math.floor(next() * (most - least + 1));

/** The same things in another order. */
export function shuffle<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
