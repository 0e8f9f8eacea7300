import { log } from "@/lib/core/log";

/** At five minutes, Stripe refuses to open payment pages, and Paydesk refuses Stripe's callbacks. Neither error names the clock. */
const limitSeconds = 60;
const pauseMs = 3_600_000;
let nextAt = 0;

/**
 * Logs, once an hour at most, that this machine's clock differs from Stripe's.
 * @param date the `Date` header of a response that has just arrived, if it has one
 */
export function warnOfClock(date: unknown): void {
  const aheadSeconds = Math.round((Date.now() - Date.parse(String(date))) / 1000); // NaN without a date
  if (!(Math.abs(aheadSeconds) > limitSeconds) || performance.now() < nextAt) return;
  nextAt = performance.now() + pauseMs;
  const direction = aheadSeconds > 0 ? "ahead of" : "behind";
  log.warn(`the clock of this machine is ${Math.abs(aheadSeconds)} seconds ${direction} the gateway's`);
}
