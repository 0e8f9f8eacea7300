const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds from a failed try to the next one: ten tries in some three days, as Standard Webhooks recommends. */
export const pauses = [
  5_000,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** So much longer at most, so that what failed together does not come back together. */
const jitter = 0.1;

/**
 * How long to wait after a failed try; null when it was the last one.
 * @param tries failed tries so far, this one included
 * @param chance from 0 up to, but not, 1
 * @returns milliseconds
 */
export function pauseAfter(tries: number, chance: number = Math.random()): number | null {
  const pause = pauses[tries - 1];
  return pause === undefined ? null : Math.round(pause * (1 + jitter * chance));
}

/** An endpoint that has taken nothing for so long (milliseconds): its people are told. */
export const warnAfterMs = 2 * day;
/** And for so long: it is disabled, */
export const disableAfterMs = 5 * day;
/** but never sooner than this after they were told. */
export const disableNoticeMs = day;
