import { Scope } from "./scope";

export interface Acting {
  type: "api_key" | "user" | "payer" | "system";
  id: string | null;
  requestId: string | null;
  address: string | null;
}

const current = new Scope<Acting>();
const system: Acting = { type: "system", id: null, requestId: null, address: null };

/** Runs `work` on behalf of `who`: events and audit entries written in it name them. */
export const actAs = <T>(who: Acting, work: () => T): T => current.run(who, work);

export const acting = (): Acting => current.get() ?? system;
