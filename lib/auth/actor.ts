import type { Role } from "./scopes";

/** Who asks, on behalf of which business, in which mode. Every query takes its tenant from here. */
export interface Actor {
  businessId: number;
  livemode: boolean;
  /** How far the business's clock is ahead of the system's, in milliseconds: in test mode alone (lib/billing/test-clock.ts). */
  clockAhead: number;
  scopes: readonly string[];
  who: { type: "api_key" | "user"; id: string };
  /** Of somebody who has signed in. */
  session?: { id: string; role: Role };
}

/** Whose rows: all that a query needs to know of an actor. */
export type Tenant = Pick<Actor, "businessId" | "livemode">;

/**
 * The tenant part of a `where`. Prisma drops an undefined condition silently, which would open every tenant's rows, so
 * a missing value throws here.
 */
export function owner(actor: Tenant): { business_id: number; livemode: boolean } {
  if (!Number.isInteger(actor.businessId) || typeof actor.livemode !== "boolean")
    throw new Error("actor has no tenant");
  return { business_id: actor.businessId, livemode: actor.livemode };
}
