const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Milliseconds between attempts: ten attempts in about three days, as Standard Webhooks recommends. */
export const backoffMs = [
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

/** Maximum lengthening of a pause, so that deliveries that failed together are not retried together. */
const jitter = 0.1;

/**
 * Pause before the next attempt, in ms; null after the last one.
 * @param tries failed attempts so far, including this one
 * @param random in [0, 1)
 */
export function pauseAfter(tries: number, random: number = Math.random()): number | null {
  const pause = backoffMs[tries - 1];
  return pause === undefined ? null : Math.round(pause * (1 + jitter * random));
}

/** Time without a successful delivery after which staff are warned. */
export const warnAfterMs = 2 * day;
/** Time after which the endpoint is disabled, */
export const disableAfterMs = 5 * day;
/** but never sooner than this after the warning. */
export const disableNoticeMs = day;
