import type { Role } from "./scopes";

/** Who makes a request, for which business and in which mode. Every query takes its tenant from here. */
export interface Actor {
  businessId: number;
  livemode: boolean;
  /** Milliseconds that the business's test clock is ahead; 0 in live mode (lib/billing/test-clock.ts). */
  clockAhead: number;
  scopes: readonly string[];
  who: { type: "api_key" | "user"; id: string };
  session?: {
    id: string;
    role: Role;
    /** Whether the person has proved their identity in the last minutes (lib/auth/step-up.ts). */
    confirmed: boolean;
    /** Such a session may do nothing but set one up (lib/auth/step-up.ts). */
    lacksSecondFactor: boolean;
    /** The person has not confirmed their e-mail address yet (lib/http/handle.ts). */
    mustVerifyEmail: boolean;
  };
}

export type Tenant = Pick<Actor, "businessId" | "livemode">;

/**
 * The tenant condition of a `where`. Prisma silently drops an undefined condition, which would match every tenant's rows.
 * @throws Error when the tenant is incomplete
 */
export function tenantOf(actor: Tenant): { business_id: number; livemode: boolean } {
  if (!Number.isInteger(actor.businessId) || typeof actor.livemode !== "boolean")
    throw new Error("actor has no tenant");
  return { business_id: actor.businessId, livemode: actor.livemode };
}
