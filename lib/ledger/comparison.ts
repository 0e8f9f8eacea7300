import { db } from "@/lib/core/db";
import { KeyRefused } from "@/lib/gateways/gateway";

/** Collects what a comparison with the gateways finds, one line each. */
export class Comparison {
  readonly differences: string[] = [];
  /** What could not be compared, and why. A set, because a key that is refused as a whole fails every call. */
  readonly unchecked = new Set<string>();
  /** Whether every account in use answered. Its money is unknown otherwise. */
  isComplete = true;

  /** A call about one payment, or one that the key does not need, failed. */
  addUnchecked(what: string, accountId: string | null, error: unknown): void {
    const isWholeKey = error instanceof KeyRefused && error.wholeKey;
    this.unchecked.add(isWholeKey ? `${accountId}: ${error.message}` : `${what}: ${String(error)}`);
  }

  /** A call about a whole account failed. */
  async addUnasked(what: string, accountId: string | null, error: unknown): Promise<void> {
    this.addUnchecked(what, accountId, error);
    // A replaced account's key is often deleted. A key may lack a permission: payments do not need all of them.
    const mayFail = error instanceof KeyRefused && !error.wholeKey;
    if (!mayFail && !(await isReplaced(accountId))) this.isComplete = false;
  }
}

async function isReplaced(id: string | null): Promise<boolean> {
  if (id === null) return false;
  const account = await db.gatewayAccount.findUnique({ where: { id }, select: { replaced_at: true } });
  return account?.replaced_at != null;
}
