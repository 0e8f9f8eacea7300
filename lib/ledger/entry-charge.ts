import { tenantOf } from "@/lib/auth/actor";
import { db } from "@/lib/core/db";
import type { BalanceAccount } from "./balance-account";
import { tookMoney } from "./took-money";

/**
 * What the charge of a balance entry is in the ledger. `elsewhere`: another program's, or acknowledged by staff. `waiting`: not
 * acknowledged and not a payment, but it may become one; then a posting made now would count its money twice.
 */
export type ChargeOfEntry =
  | { is: "succeeded" | "mismatch"; paymentId: string }
  | { is: "elsewhere" }
  | { is: "waiting" };

interface Entry {
  charge_ref: string | null;
  gateway_key: string | null;
}

/** @throws when the gateway or the database is unreachable */
export async function chargeOf({ tenant, accountId }: BalanceAccount, entry: Entry): Promise<ChargeOfEntry> {
  const where = { ...tenantOf(tenant), gateway_account_id: accountId };
  const gateway_key = entry.gateway_key ?? (await keyOf(where, entry.charge_ref));
  if (!gateway_key) return { is: "elsewhere" };
  const payment = await db.payment.findFirst({ where: { ...where, gateway_key }, select: { id: true } });
  if (payment) {
    const is = await tookMoney(payment.id);
    return is ? { is, paymentId: payment.id } : { is: "waiting" };
  }
  const acknowledged = await db.unknownCharge.count({
    where: { ...tenantOf(tenant), gateway_key, status: "acknowledged" },
  });
  return { is: acknowledged > 0 ? "elsewhere" : "waiting" };
}

/** Our key of the charge, from the charge's own entry. Refunds and disputes made in the gateway's dashboard do not carry it. */
async function keyOf(
  where: { business_id: number; livemode: boolean },
  charge_ref: string | null,
): Promise<string | null> {
  if (!charge_ref) return null;
  const charge = await db.balanceEntry.findFirst({
    where: { ...where, charge_ref, type: "charge" },
    select: { gateway_key: true },
  });
  return charge?.gateway_key ?? null;
}
