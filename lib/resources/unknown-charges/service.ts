import type { Actor } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { db, Prisma, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import type { AcknowledgeInput, UnknownCharge } from "./contract";
import { unknownCharges } from "./resource";

/**
 * Resolves an open charge that staff have refunded at the gateway or booked elsewhere: it no longer blocks its link or period.
 * @throws ApiError not_found; conflict when it is not open
 */
export function acknowledgeCharge(actor: Actor, id: string, { note }: AcknowledgeInput): Promise<UnknownCharge> {
  return transaction(db, async (tx) => {
    const set = Prisma.sql`status = 'acknowledged', note = ${note}, resolved_at = business_time(business_id, livemode)`;
    const charge = await unknownCharges.update(tx, actor, id, set, Prisma.sql`status = 'open'`);
    if (!charge) {
      const { status } = await unknownCharges.get(tx, actor, id);
      throw new ApiError("conflict", `The charge is ${status}: only an open one can be acknowledged.`);
    }
    await audit(tx, actor.businessId, {
      action: "unknown_charge.acknowledged",
      livemode: actor.livemode,
      resource_id: id,
      about: charge.gateway_ref,
      before: { status: "open" },
      after: { status: charge.status, note },
    });
    return charge;
  });
}
