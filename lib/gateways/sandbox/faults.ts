import { setTimeout as sleep } from "node:timers/promises";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { NoAnswer } from "@/lib/gateways/gateway";

/**
 * Simulated faults:
 * - `away`: the sandbox is unreachable;
 * - `busy`: the sandbox refuses the request and does nothing;
 * - `error`: it fails before doing anything;
 * - `late`: it does the work and answers `ms` milliseconds later;
 * - `lost`: it does the work, and the answer is lost.
 */
type FaultKind = "away" | "busy" | "error" | "late" | "lost";

/** The sandbox has certainly done nothing. */
export class SandboxBusy extends NoAnswer {}

export interface Fault {
  kind: string;
  share: number;
  ms: number;
}

/** Activates a fault for an account in every process. @param share of affected calls, 0 to 1 */
export async function setFault(account: string, kind: FaultKind, share: number, ms = 0): Promise<void> {
  await db.sandboxFault.upsert({
    where: { account_kind: { account, kind } },
    create: { account, kind, share, ms },
    update: { share, ms },
  });
}

export async function clearFaults(account: string): Promise<void> {
  await db.sandboxFault.deleteMany({ where: { account } });
}

export function faultsOf(account: string): Promise<Fault[]> {
  return queryRows<Fault>(db, Prisma.sql`SELECT kind, share, ms FROM sandbox_fault WHERE account = ${account}`);
}

export async function withFaults<T>(faults: Fault[], work: () => Promise<T>): Promise<T> {
  const drawn = new Map(faults.filter(({ share }) => Math.random() < share).map((fault) => [fault.kind, fault]));
  if (drawn.has("away")) throw new NoAnswer("The sandbox is away, as configured.");
  if (drawn.has("busy")) throw new SandboxBusy("The sandbox is busy, as configured.");
  if (drawn.has("error")) throw new NoAnswer("The sandbox failed, as configured.");
  const answer = await work();
  const late = drawn.get("late");
  if (late) await sleep(late.ms);
  if (drawn.has("lost")) throw new NoAnswer("The sandbox lost its reply, as configured.");
  return answer;
}
