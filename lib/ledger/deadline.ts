/**
 * The promise's outcome, or a rejection after `ms` milliseconds. The work itself goes on: its effects are asked for later
 * (`reconcilePayment`), never assumed.
 */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Longest wait for a gateway that is to move money, in milliseconds. */
export const gatewayDeadline = 30_000;

/** Longest wait for a gateway that is only asked, in milliseconds: nothing is lost by asking again. */
export const lookupDeadline = 10_000;

/**
 * Age in seconds at which a key that the gateway has never heard of is given up. Twice the deadline: no request of ours
 * can still be on its way then, and `cancel` closes the key at the gateway before the ledger does.
 */
export const lostAfter = 60;
