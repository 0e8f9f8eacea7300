import { db } from "@/lib/core/db";
import { KeyRefused } from "@/lib/gateways/gateway";

/** Collects what a comparison with the gateways finds, one line each. */
export class Comparison {
  readonly differences: string[] = [];
  /** The calls that failed, and why. A set, because a key that is refused as a whole fails every call. */
  readonly unchecked = new Set<string>();
  /** Payments whose lookup failed. */
  failedPayments = 0;
  /** Whether every other call that is needed for the money of an account in use succeeded. */
  hasAllAccounts = true;

  /** @param days how many days of payments are compared; 0: none */
  constructor(readonly days = 0) {}

  get isComplete(): boolean {
    return this.hasAllAccounts && this.failedPayments === 0;
  }

  /** @param about `optional`: payments work without the key's permission for this call */
  async addFailure(
    what: string,
    accountId: string | null,
    error: unknown,
    about: "account" | "optional" | "payment" = "account",
  ): Promise<void> {
    const refused = error instanceof KeyRefused ? error : null;
    this.unchecked.add(refused?.wholeKey ? `${accountId}: ${refused.message}` : `${what}: ${String(error)}`);
    if (about === "optional" && refused && !refused.wholeKey) return;
    // A replaced account's key is often deleted.
    if (await isReplaced(accountId)) return;
    if (about === "payment") this.failedPayments++;
    else this.hasAllAccounts = false;
  }
}

async function isReplaced(id: string | null): Promise<boolean> {
  if (id === null) return false;
  const account = await db.gatewayAccount.findUnique({ where: { id }, select: { replaced_at: true } });
  return account?.replaced_at != null;
}
