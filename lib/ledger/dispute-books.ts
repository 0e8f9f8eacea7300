import { db } from "@/lib/core/db";
import type { Gateway } from "@/lib/gateways/gateway";
import type { Comparison } from "./comparison";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { listedAt, unknownHere } from "./dispute-sweep";

/** Compares the disputes of a payment with the gateway's. @returns the differences */
export async function compareDisputes(paymentId: string, gateway: Gateway, chargeRef: string): Promise<string[]> {
  const ours = await db.dispute.findMany({ where: { payment_id: paymentId } });
  const theirs = await withDeadline(gateway.disputesOf(chargeRef), lookupDeadlineMs);
  const differences: string[] = [];
  for (const { ref, status, movements } of theirs) {
    const own = ours.find(({ gateway_ref }) => gateway_ref === ref);
    const sum = (kind: string) =>
      movements.reduce((cents, move) => cents + (move.kind === kind ? move.amountCents : 0), 0);
    const there = [
      status,
      sum("withdrawn"),
      sum("returned"),
      movements.reduce((cents, { feeCents }) => cents + feeCents, 0),
    ];
    const here = own && [own.status, own.withdrawn_cents, own.returned_cents, own.fee_cents];
    if (here?.join() !== there.join())
      differences.push(`dispute ${ref}: ${here?.join(", ") ?? "absent"} here, ${there.join(", ")} there`);
  }
  return differences;
}

/** Adds the payments with a dispute at the gateway since a time that the ledger lacks. */
export async function addUnknownDisputes(since: Date, found: Comparison): Promise<void> {
  for (const account of await listedAt(null)) {
    const { gateway_account_id } = account;
    try {
      for (const id of await unknownHere(account, since))
        found.differences.push(`${id}: the ledger lacks a dispute of the gateway`);
    } catch (error) {
      await found.addFailure(`${gateway_account_id ?? "sandbox"}: disputes`, gateway_account_id, error);
    }
  }
}
