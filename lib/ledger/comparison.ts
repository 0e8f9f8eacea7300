import { db } from "@/lib/core/db";
import { KeyRefused } from "@/lib/gateways/gateway";

/** Collects what a comparison with the gateways finds, one line each. */
export class Comparison {
  readonly differences: string[] = [];
  /** The calls that failed, and why. A set, because a key that is refused as a whole fails every call. */
  readonly unchecked = new Set<string>();
  /** Whether every call that is needed for the money of an account in use succeeded. */
  isComplete = true;
  /** Whether one of those calls got no answer, so that the next comparison may succeed. A refused key can stay refused for good. */
  mayBeCompleteLater = false;

  /** @param isOptional whether payments work without the key's permission for this call */
  async addFailure(what: string, accountId: string | null, error: unknown, isOptional = false): Promise<void> {
    const refused = error instanceof KeyRefused ? error : null;
    this.unchecked.add(refused?.wholeKey ? `${accountId}: ${refused.message}` : `${what}: ${String(error)}`);
    if (isOptional && refused && !refused.wholeKey) return;
    // Its key is often deleted.
    if (await isReplaced(accountId)) return;
    this.isComplete = false;
    if (!refused) this.mayBeCompleteLater = true;
  }
}

async function isReplaced(id: string | null): Promise<boolean> {
  if (id === null) return false;
  const account = await db.gatewayAccount.findUnique({ where: { id }, select: { replaced_at: true } });
  return account?.replaced_at != null;
}
