import { setTimeout as sleep } from "node:timers/promises";
import { db, Prisma, queryRows } from "@/lib/core/db";

/**
 * What can go wrong on the way to the sandbox and back:
 * - `away`: nothing gets through;
 * - `error`: the sandbox fails before it has done anything;
 * - `late`: it does what it is asked and answers `ms` milliseconds later;
 * - `lost`: it does what it is asked, and the answer never arrives.
 */
type FaultKind = "away" | "error" | "late" | "lost";

export interface Fault {
  kind: string;
  /** Of the calls that suffer it, 0 to 1. */
  share: number;
  ms: number;
}

/** Lets calls of an account suffer a fault from now on, in every process. `share`: of the calls, 0 to 1. */
export async function setFault(account: string, kind: FaultKind, share: number, ms = 0): Promise<void> {
  await db.sandboxFault.upsert({
    where: { account_kind: { account, kind } },
    create: { account, kind, share, ms },
    update: { share, ms },
  });
}

/** Ends all faults of an account. */
export async function clearFaults(account: string): Promise<void> {
  await db.sandboxFault.deleteMany({ where: { account } });
}

export function faultsOf(account: string): Promise<Fault[]> {
  return queryRows<Fault>(db, Prisma.sql`SELECT kind, share, ms FROM sandbox_fault WHERE account = ${account}`);
}

/** Does a call's work as far as the faults let it through. */
export async function suffer<T>(faults: Fault[], work: () => Promise<T>): Promise<T> {
  const drawn = new Map(faults.filter(({ share }) => Math.random() < share).map((fault) => [fault.kind, fault]));
  if (drawn.has("away")) throw new Error("The sandbox is away, as it was told.");
  if (drawn.has("error")) throw new Error("The sandbox failed, as it was told.");
  const answer = await work();
  const late = drawn.get("late");
  if (late) await sleep(late.ms);
  if (drawn.has("lost")) throw new Error("The sandbox lost its reply, as it was told.");
  return answer;
}
