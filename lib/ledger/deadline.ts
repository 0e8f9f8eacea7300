import { NoAnswer } from "@/lib/gateways/gateway";

/**
 * Rejects after `ms` milliseconds if the work has not finished. The work itself continues, so its outcome is unknown,
 * not failed (`reconcilePayment`).
 */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`No answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For calls that move money. */
export const gatewayDeadlineMs = 30_000;

/** For lookups, which can be repeated safely. */
export const lookupDeadlineMs = 10_000;

/**
 * Age from which an attempt that the gateway does not know counts as lost. Twice the deadline: no request of ours can
 * still be in flight. `cancel` closes the key at the gateway before the ledger settles it.
 */
export const lostAfterSeconds = 60;
